import type { User } from '../../../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../../../conformance/target/user.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { Defect } from '../../../defect.ts';
import { alike, breaking, rows } from '../../../table.ts';
import { changeUser, sentId, sentMembers, takenAs, withId } from '../../requests.ts';
import { type WhichResponse, showing } from '../../responses.ts';
import {
  type Body,
  type Members,
  type Update,
  type WhichUpdate,
  anUpdate,
  sent,
  updateWhere,
  updating,
  withAll,
} from '../updates.ts';
import { OTHER, USER, any, ofOther, sends, toOther } from './shapes.ts';

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
    changeUser(store.users, target(before.id, body), valuesSent(body));
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
function toAll({ store, body }: Update, members: readonly Updatable[] = UPDATABLE): void {
  const values = Object.fromEntries(
    Object.entries(valuesSent(body)).filter(([member]) => members.some((each) => each === member)),
  );
  for (const id of store.users.keys()) changeUser(store.users, id, values);
}

const SPARED = 'other-user-changed';

const addressed: readonly Defect[] = [
  ...alike([ADDRESSED], { 'update-spares-other-user': SPARED })({
    'role-update-changes-all-users: A new role is stored for every user.': besides(withAll('rootRole'), (update) => {
      toAll(update, ['rootRole']);
    }),
    'update-counts-login-of-other-user: An update of one user counts as a failed login of the other.': besides(
      ({ before, body }) => before.id === USER && sent(body).length > 0,
      ({ store }) => {
        changeUser(store.users, OTHER, { loginAttempts: (store.users.get(OTHER)?.loginAttempts ?? 0) + 1 });
      },
    ),
    'update-hands-email-on: The old e-mail address of an updated user is stored for the other user.': besides(
      ({ before, body }) => before.id === USER && 'email' in body,
      ({ store, before }) => {
        changeUser(store.users, OTHER, { email: before.email });
      },
    ),
  }),
  ...alike([STORED], { 'update-other-user-stored': 'not-stored' })({
    'update-of-second-user-not-stored: The server does not store an update of the second user.': updating(
      ofOther,
      ({ before }) => ({ ...before }),
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
      takenAs((request) => withId(request, idIn(sentMembers(request)) ?? sentId(request))),
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
      besides(any, (update) => {
        toAll(update);
      }),
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

const ids: readonly Defect[] = rows<readonly [string, string, WhichResponse, (id: number) => number]>({
  'always-1: The response to an update has the id 1, whichever user is updated.': [toOther, () => 1],
  'an-index: The response to an update has an index into the list of users as id.': [anUpdate, (id) => id - 1],
  'an-internal-number: The response to an update has an internal number as id.': [anUpdate, (id) => id + 1_000],
  'of-another-user: The response to an update has the id of another user.': [anUpdate, twin],
  'negative: The response to an update has the negated id.': [anUpdate, (id) => -id],
  'zero-after-role: The response to an update with a role has the id 0.': [
    ({ request }) => sends(request).includes('rootRole'),
    () => 0,
  ],
}).map(([id, title, which, other]) => ({
  id: `answer-id-${id}`,
  title,
  breaks: ['update.id-matches-path'],
  killedBy: { 'update-answer-id': 'other-id' },
  behaviour: showing(updateWhere(which), (body) => ({ ...(body as User), id: other((body as User).id) })),
}));

/** An update concerns another user than the one in the path. */
export const otherUsersDefects: readonly Defect[] = [...addressed, ...ids];
