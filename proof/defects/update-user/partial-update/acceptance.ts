import { UPDATABLE } from '../../../../conformance/resources/user/members.ts';
import { Refused } from '../../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../../servers/behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { type Table, breaking, mapped, tableOf } from '../../../table.ts';
import { type Which, all, sendsText, sentId, sentMembers, withId, withKeyOf } from '../../requests.ts';
import { answering, hungUpOn, noContent } from '../../responses.ts';
import { type Body, USER, anUpdate, isUpdate, refusing, sent, updating, withNothing } from '../updates.ts';
import { DEFAULTS, SHAPES, type Shape, isOf, responding, shortOf, words } from './shapes.ts';

const ALWAYS = 'update.success-is-200';
const ACCEPTED = [ALWAYS, 'update.fields-optional'];

/** Which bodies the server refuses, although they have a member that an update can send. */
const REFUSED: Table<(body: Body) => boolean> = {
  ...tableOf(
    SHAPES,
    (shape) => `${shape}-update-refused: responds 400 to an update of only ${words(shape)}`,
    (shape) => (body) => isOf(shape, body),
  ),
  'update-needs-all-members: requires all three members in an update': (body) => sent(body).length < 3,
  'update-needs-email: requires the e-mail address in an update': (body) => !('email' in body),
  'update-needs-name: requires the name in an update': (body) => !('name' in body),
  'update-needs-role: requires the role in an update': (body) => !('rootRole' in body),
  'update-takes-one-member-at-a-time: accepts only one member in an update': (body) => sent(body).length > 1,
  'update-needs-two-members: requires two members in an update': (body) => sent(body).length === 1,
  'update-takes-no-role-with-email: refuses the role and the e-mail address in one update': (body) =>
    'rootRole' in body && 'email' in body,
};

/** The statuses with which the server responds to an update of just these members. */
const STATUSES: Readonly<Record<Shape, readonly number[]>> = {
  name: [500],
  email: [202],
  role: [201],
  'name-email': [206],
  'name-role': [302, 501],
  'email-role': [303],
  'name-email-role': [],
};

const everyUpdate: Which = all(anUpdate, ({ request }) => sent(sentMembers(request)).length > 0);
const updateOfOther: Which = all(everyUpdate, withId(/^2$/));

/** Refuses an update right after another one of the same user. */
const refusingTheNext: Behaviour = replacing('applyUpdate', (apply) => {
  const last = new Map<number, boolean>();
  return (store, user, body) => {
    const conflict = last.get(user.id) === true && sent(body).length > 0;
    last.set(user.id, !conflict && sent(body).length > 0);
    if (conflict) throw new Refused(409, 'The user was changed in the meantime.');
    return apply(store, user, body);
  };
});

const seventh: Which = ({ count }) => count % 7 === 0;
const afterTwenty: Which = ({ request, count }) => count > 20 && sentId(request) === String(USER);

const HUNG_UP_ON: Table<RegExp> = {
  'name: name': /^\{"name":"[^"]*"\}$/,
  'role: rootRole': /^\{"rootRole":\d+\}$/,
  'name-email-role: name, email and rootRole': /(?=.*"name")(?=.*"email")(?=.*"rootRole")/,
};

/** A valid update is not responded to with 200. */
export const acceptanceDefects: readonly WrittenDefect[] = [
  ...breaking(ACCEPTED, REFUSED, '*: *', (isRefused) => refusing((body) => sent(body).length > 0 && isRefused(body))),
  ...SHAPES.flatMap((shape) =>
    breaking(
      ACCEPTED,
      tableOf(
        STATUSES[shape],
        (status) => `${shape}-update-answered-${status}: responds ${status} to an update of only ${words(shape)}`,
        (status) =>
          responding(
            all(anUpdate, ({ request }) => isOf(shape, sentMembers(request))),
            status,
          ),
      ),
    ),
  ),
  ...breaking(ALWAYS, {
    ...tableOf(
      [201],
      (status) => `every-update-answered-${status}: responds ${status} to every update`,
      (status) => responding(everyUpdate, status),
    ),
    'every-update-answered-204: responds 204, without a body, to every update': noContent(anUpdate),
    'seventh-update-fails: fails on every seventh valid update': responding(all(anUpdate, seventh), 500),
    'update-of-other-user-fails: fails on updates of one of the users': responding(updateOfOther, 500),
    'second-update-in-a-row-conflicts: refuses an update right after another one of the same user as a conflict':
      refusingTheNext,
    'user-gone-after-updates: no longer finds a user after its twentieth update': responding(
      all(anUpdate, afterTwenty),
      404,
    ),
    'every-update-redirected: carries out every update and then redirects to the user': answering(
      everyUpdate,
      ({ body }) => ({ status: 303, body, headers: { location: '/api/admin/user-admin/1' } }),
    ),
    'every-update-fails: fails on every update': responding(everyUpdate, 500),
    'update-of-other-user-answered-201: responds 201 to updates of one of the users': responding(updateOfOther, 201),
  }),
  ...breaking(
    ACCEPTED,
    HUNG_UP_ON,
    '*-update-hung-up-on: closes the connection instead of responding to an update of *',
    (form) => hungUpOn(all(isUpdate, withKeyOf('admin'), sendsText(form))),
  ),
];

const NOTHING = /^\{\}$/;
const emptyUpdate: Which = all(anUpdate, sendsText(NOTHING));

const EMPTY_BODY: Table<Behaviour> = {
  ...tableOf(
    UPDATABLE,
    (member) => `nulls-${shortOf(member)}: The body \`{}\` sets \`${member}\` to null.`,
    (member) => updating(withNothing, { [member]: null }),
  ),
  ...tableOf(
    [201, 404, 500],
    (status) => `answered-${status}: responds ${status} to the body \`{}\``,
    (status) => responding(emptyUpdate, status),
  ),
  'empties-user: The body `{}` removes name, e-mail address and role.': updating(
    withNothing,
    mapped(DEFAULTS, () => undefined),
  ),
  'hung-up-on: closes the connection instead of responding to the body `{}`': hungUpOn(
    all(isUpdate, sendsText(NOTHING), withKeyOf('admin')),
  ),
};

/** The body `{}` does something. */
export const emptyBodyDefects: readonly WrittenDefect[] = [
  ...breaking('update.empty-body-changes-nothing', EMPTY_BODY, 'empty-body-*: *'),
  ...breaking('errors.name', {
    'empty-body-refused-with-another-name: The 400 response to the body `{}` has an error name that is not documented.':
      answering(emptyUpdate, (_answer, _answered, rules) => {
        const { status, body } = rules.refuse(400, 'Send a member.');
        return { status, body: { ...(body as object), name: 'EmptyBody' } };
      }),
  }),
];
