import { UPDATABLE, type Updatable } from '../../../../conformance/resources/user/members.ts';
import type { Behaviour } from '../../../servers/behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { type Table, breaking, mapped } from '../../../table.ts';
import { turnsOfTheLoop } from '../../../wire/wire-server.ts';
import { type Members, all, any, sentId } from '../../requests.ts';
import {
  type Update,
  type Where,
  type WhichUpdate,
  isUpdate,
  updating,
  withAll,
  withSomething,
  without,
} from '../updates.ts';
import { DEFAULTS, SHAPES, membersOf, shortOf, withShape, words } from './shapes.ts';

const KEEPS = 'update.unsent-fields-keep';

/** The response is made from what is stored after other requests had time to change it. */
const SHOWN_LATE: Behaviour = {
  around: (handle, store) => async (request) => {
    const answer = handle(request);
    if (!isUpdate({ request }) || answer.status !== 200) return answer;
    await turnsOfTheLoop();
    return { ...answer, body: store.users.get(Number(sentId(request))) };
  },
};

/** What becomes of a member that was not sent. */
type Value = (member: Updatable, update: Update) => unknown;

const toNull: Value = () => null;
const toEmpty: Value = (member) => (member === 'rootRole' ? {} : '');
const toZero: Value = (member) => (member === 'rootRole' ? 0 : '');
const toNothing: Value = () => undefined;
const toDefault: Value = (member) => DEFAULTS[member];

/** Gives the members that an update does not send other values. */
function unsentBecome(value: Value): (update: Update) => Members {
  return (update) =>
    Object.fromEntries(
      UPDATABLE.filter((member) => !(member in update.body)).map((member) => [member, value(member, update)]),
    );
}

const LOSSES: Table<readonly [value: Value, where?: Where]> = {
  'nulls: stores null in': [toNull],
  'resets: stores a default value in': [toDefault],
  'loses-afterwards: gets a correct response, but stores null in': [toNull, 'later'],
  'shows-default-of: shows, only in its response, a default value of': [toDefault, 'in the response'],
};

/** The losses of a role that cannot be seen: whether an object without members is an empty role is unknown, and a hidden role is no loss. */
const LOSSES_OF_TEXTS: typeof LOSSES = {
  ...LOSSES,
  'removes: removes': [toNothing],
  'empties: stores an empty value in': [toEmpty],
};

/** One defect for each body and each member that it does not send. */
const losses: readonly WrittenDefect[] = SHAPES.flatMap((shape) =>
  UPDATABLE.filter((member) => !membersOf(shape).includes(member)).flatMap((member) => {
    const behaviours = mapped(member === 'rootRole' ? LOSSES : LOSSES_OF_TEXTS, ([value, where]) =>
      updating(withShape(shape), (update) => ({ [member]: value(member, update) }), where),
    );
    const frame = `${shape}-update-*-${shortOf(member)}: An update of only ${words(shape)} * \`${member}\`.`;
    return breaking(KEEPS, behaviours, frame);
  }),
);

/** Values for every member that is not sent, by the updates that do so. */
const ALL_LOST: Table<readonly [which: WhichUpdate, value: Value]> = {
  'update-replaces-user: An update replaces the user; everything that was not sent is gone.': [
    withSomething,
    toNothing,
  ],
  'update-nulls-what-is-not-sent: An update sets the members that were not sent to null.': [withSomething, toNull],
  'absent-members-become-empty: Every update, even one without members, empties the members that were not sent.': [
    any,
    toEmpty,
  ],
  'absent-members-become-zero: Every update, even one without members, sets the members that were not sent to the zero value of their type.':
    [any, toZero],
  'update-fills-in-defaults: An update sets the members that were not sent to the defaults of a new user.': [
    withSomething,
    toDefault,
  ],
};

/** What an update does not send is lost. */
export const unsentMembersDefects: readonly WrittenDefect[] = [
  ...losses,
  ...breaking(KEEPS, ALL_LOST, '*: *', ([which, value]) => updating(which, unsentBecome(value))),
  ...breaking(KEEPS, {
    'update-nulls-what-is-not-sent-shown-late: As update-nulls-what-is-not-sent; a response shows the user as it is once other updates that are under way are carried out.':
      { ...updating(withSomething, unsentBecome(toNull)), ...SHOWN_LATE },
    'update-loses-role-unless-sent: An update that does not send the role sets it to the lowest one.': updating(
      without('rootRole'),
      { rootRole: 0 },
    ),
    'new-email-resets-name: A new e-mail address without a name sets the name to the local part of the address.':
      updating(all(withAll('email'), without('name')), ({ after }) => ({ name: String(after.email).split('@')[0] })),
  }),
];
