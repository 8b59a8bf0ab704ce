import type { User } from '../../../../contract/document.ts';
import { replacing, type Behaviour } from '../../../servers/behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { type Table, breaking } from '../../../table.ts';
import { type Members, type Which, all, any, sentId, sentMembers, takenAs, toId } from '../../requests.ts';
import { adding, changes, countsLogin } from '../../responses.ts';
import {
  type Update,
  type Where,
  type WhichUpdate,
  OTHER,
  USER,
  anUpdate,
  asBefore,
  ofOther,
  ofUser,
  updating,
  valuesSent,
  withAll,
  withSomething,
} from '../updates.ts';

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

const IDS: Table<readonly [which: Which, other: (id: number) => number]> = {
  'an-index: The response to an update has an index into the list of users as id.': [any, (id) => id - 1],
  'of-another-user: The response to an update has the id of another user.': [any, twin],
};

/** An update concerns another user than the one in the path. */
export const otherUsersDefects: readonly WrittenDefect[] = [
  ...breaking('update.addressed-user-only', {
    'role-update-changes-all-users: A new role is stored for every user.': besides(withAll('rootRole'), (update) =>
      toAll(update, { rootRole: update.body.rootRole }),
    ),
    'update-counts-login-of-other-user: An update of one user counts as a failed login of the other.': besides(
      all(ofUser, withSomething),
      countsLogin(OTHER),
    ),
    'update-goes-to-id-in-body: updates the user whose id is in the body': misdirecting((id, body) => idIn(body) ?? id),
    'update-changes-all-users: An update changes every user.': besides(any, toAll),
    'update-of-second-user-goes-to-first: stores an update of the second user for the first one': misdirecting(
      () => USER,
    ),
  }),
  ...breaking(['update.addressed-user-only', 'update.id-matches-path'], {
    'id-in-body-counts: takes the id from the body, if there is one, and responds with that user': takenAs(
      any,
      (request) => toId(request, idIn(sentMembers(request)) ?? sentId(request)),
    ),
  }),
  ...breaking('update.sent-fields-change', {
    'update-of-second-user-not-stored: does not store an update of the second user': updating(
      ofOther,
      asBefore,
      'later',
    ),
  }),
  ...breaking('update.id-matches-path', IDS, 'answer-id-*: *', ([which, other]) =>
    adding<User>(all(anUpdate, which), ({ id }) => ({ id: other(id) })),
  ),
];

const slug = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-');

/** How an update changes a member that it cannot send. Without a condition, every update that sends something does it. */
type SideEffect = readonly [change: (update: Update) => Members, which?: WhichUpdate, where?: Where];

const SIDE_EFFECTS: Table<SideEffect> = {
  'username-follows-name: A new name changes the username.': [
    ({ after }) => ({ username: slug(after.name) }),
    withAll('name'),
  ],
  'username-nulled-in-answer: The response to an update shows null as username.': [
    () => ({ username: null }),
    withSomething,
    'in the response',
  ],
  'account-type-becomes-service-account: An update with an API key turns the user into a service account.': [
    () => ({ accountType: 'Service Account' }),
  ],
  'is-api-set: An update with an API key sets `isAPI`.': [() => ({ isAPI: true })],
  'scim-id-nulled: An update sets the SCIM id to null.': [() => ({ scimId: null })],
};

/** An update changes members that it cannot send. */
export const otherMembersDefects: readonly WrittenDefect[] = [
  ...breaking('update.other-members-keep', SIDE_EFFECTS, 'update-*: *', ([change, which = withSomething, where]) =>
    updating(which, change, where),
  ),
  ...breaking('update.other-members-keep', {
    'update-creation-time-of-response: A response shows the time when it was made as `createdAt`.': adding<User>(
      anUpdate,
      (_user, { count }) => ({ createdAt: new Date(Date.UTC(2026, 0, 1) + 7 * count).toISOString() }),
    ),
  }),
];
