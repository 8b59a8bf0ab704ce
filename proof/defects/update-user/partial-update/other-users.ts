import type { User } from '../../../../contract/document.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { Defect } from '../../../defect.ts';
import { type Table, alike, breaking, defectsOf } from '../../../table.ts';
import {
  type Members,
  type Which,
  all,
  any,
  sends,
  sentId,
  sentMembers,
  takenAs,
  toId,
  withId,
} from '../../requests.ts';
import { adding, changes, countsLogin } from '../../responses.ts';
import {
  type Body,
  type Update,
  type WhichUpdate,
  OTHER,
  USER,
  anUpdate,
  asBefore,
  ofOther,
  ofUser,
  sent,
  updating,
  withAll,
  withSomething,
} from '../updates.ts';

const ADDRESSED = 'update.addressed-user-only';
const STORED = 'update.sent-fields-change';

/** The members that an update sends and can change, with their values. */
function valuesSent(body: Body): Members {
  return Object.fromEntries(sent(body).map((member) => [member, body[member]]));
}

/** Gives an update a side effect on the users. */
function besides(which: WhichUpdate, act: (update: Update) => void): Behaviour {
  return replacing('applyUpdate', (apply) => (store, before, body) => {
    const after = apply(store, before, body);
    const update = { body, before, after, store };
    if (which(update)) act(update);
    return after;
  });
}

/** Applies every update to another user, and responds as if it were the addressed one. */
function misdirecting(target: (id: number, body: Members) => number): Behaviour {
  return replacing('applyUpdate', () => (store, before, body) => {
    changes(target(before.id, body), valuesSent(body))({ store });
    return { ...before, ...store.users.get(before.id), ...body, id: before.id };
  });
}

function twin(id: number): number {
  return id === USER ? OTHER : USER;
}

/** The id in the body, if there is one. */
function idIn(body: Members): number | undefined {
  return typeof body.id === 'number' ? body.id : undefined;
}

/** Stores what an update sends for every user. */
function toAll({ store, body }: Update, values: Members = valuesSent(body)): void {
  for (const id of store.users.keys()) changes(id, values)({ store });
}

const SPARED = 'other-user-changed';

const addressed: readonly Defect[] = [
  ...alike([ADDRESSED], { 'update-spares-other-user': SPARED })({
    'role-update-changes-all-users: A new role is stored for every user.': besides(withAll('rootRole'), (update) => {
      toAll(update, { rootRole: update.body.rootRole });
    }),
    'update-counts-login-of-other-user: An update of one user counts as a failed login of the other.': besides(
      all(ofUser, withSomething),
      countsLogin(OTHER),
    ),
    'update-hands-email-on: The old e-mail address of an updated user is stored for the other user.': besides(
      all(ofUser, withAll('email')),
      ({ store, before: { email } }) => {
        changes(OTHER, { email })({ store });
      },
    ),
  }),
  ...alike([STORED], { 'update-other-user-stored': 'not-stored' })({
    'update-of-second-user-not-stored: The server does not store an update of the second user.': updating(
      ofOther,
      asBefore,
      'later',
    ),
  }),
  ...alike([ADDRESSED], { 'update-body-id-spares-other-user': SPARED })({
    'update-goes-to-id-in-body: The server updates the user whose id is in the body.': misdirecting(
      (id, body) => idIn(body) ?? id,
    ),
  }),
  ...breaking([ADDRESSED, 'update.id-matches-path'])({
    'id-in-body-counts: The server takes the id from the body, if there is one, and responds with that user.': [
      { 'update-body-id-spares-other-user': SPARED, 'update-answer-id': 'other-id' },
      takenAs(any, (request) => toId(request, idIn(sentMembers(request)) ?? sentId(request))),
    ],
    'id-in-body-stored: The server stores the id in the body as another member, and later updates of the user under this id.':
      [
        { 'update-body-id-spares-other-user': SPARED, 'update-answer-id': 'other-id' },
        replacing('applyUpdate', () => (store, user, body) => {
          const updated = { ...user, ...body };
          store.users.set(user.id, updated);
          return updated;
        }),
      ],
  }),
  ...breaking([ADDRESSED])({
    'update-changes-all-users: An update changes every user.': [
      { 'update-spares-other-user': SPARED, 'update-other-user-spares-user': SPARED },
      besides(any, toAll),
    ],
    'update-of-second-user-goes-to-first: The server stores an update of the second user for the first one.': [
      { 'update-other-user-spares-user': SPARED },
      misdirecting(() => USER),
    ],
  }),
  ...alike([ADDRESSED], { 'update-spares-other-user': SPARED })({
    'update-swaps-users: The server stores an update for the other one of two users.': misdirecting(twin),
  }),
];

const IDS: Table<readonly [which: Which, other: (id: number) => number]> = {
  'always-1: The response to an update has the id 1, whichever user is updated.': [withId(/^2$/), () => 1],
  'an-index: The response to an update has an index into the list of users as id.': [any, (id) => id - 1],
  'an-internal-number: The response to an update has an internal number as id.': [any, (id) => id + 1_000],
  'of-another-user: The response to an update has the id of another user.': [any, twin],
  'negative: The response to an update has the negated id.': [any, (id) => -id],
  'zero-after-role: The response to an update with a role has the id 0.': [sends('rootRole'), () => 0],
};

const ids = defectsOf(
  IDS,
  ([which, other]) => ({
    breaks: ['update.id-matches-path'],
    killedBy: { 'update-answer-id': 'other-id' },
    behaviour: adding<User>(all(anUpdate, which), ({ id }) => ({ id: other(id) })),
  }),
  'answer-id-*: *',
);

/** An update concerns another user than the one in the path. */
export const otherUsersDefects: readonly Defect[] = [...addressed, ...ids];
