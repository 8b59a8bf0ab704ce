import type { User } from '../../../../contract/document.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { type Table, breaking, defectsOf } from '../../../table.ts';
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

/** Defects that change other users than the addressed one, by the checks that see it. */
function misdirected(checks: readonly string[], table: Table<Behaviour>): WrittenDefect[] {
  return breaking(['update.addressed-user-only'])(table);
}

const IDS: Table<readonly [which: Which, other: (id: number) => number]> = {
  'always-1: The response to an update has the id 1, whichever user is updated.': [withId(/^2$/), () => 1],
  'an-index: The response to an update has an index into the list of users as id.': [any, (id) => id - 1],
  'an-internal-number: The response to an update has an internal number as id.': [any, (id) => id + 1_000],
  'of-another-user: The response to an update has the id of another user.': [any, twin],
  'negative: The response to an update has the negated id.': [any, (id) => -id],
  'zero-after-role: The response to an update with a role has the id 0.': [sends('rootRole'), () => 0],
};

/** An update concerns another user than the one in the path. */
export const otherUsersDefects: readonly WrittenDefect[] = [
  ...misdirected(['update-spares-other-user'], {
    'role-update-changes-all-users: A new role is stored for every user.': besides(withAll('rootRole'), (update) => {
      toAll(update, { rootRole: update.body.rootRole });
    }),
    'update-counts-login-of-other-user: An update of one user counts as a failed login of the other.': besides(
      all(ofUser, withSomething),
      countsLogin(OTHER),
    ),
    'update-hands-email-on: The old e-mail address of an updated user is stored for the other user.': besides(
      all(ofUser, withAll('email')),
      changes<Update>(OTHER, (_other, { before }) => ({ email: before.email })),
    ),
    'update-swaps-users: The server stores an update for the other one of two users.': misdirecting(twin),
  }),
  ...misdirected(['update-body-id-spares-other-user'], {
    'update-goes-to-id-in-body: The server updates the user whose id is in the body.': misdirecting(
      (id, body) => idIn(body) ?? id,
    ),
  }),
  ...misdirected(['update-spares-other-user', 'update-other-user-spares-user'], {
    'update-changes-all-users: An update changes every user.': besides(any, toAll),
  }),
  ...misdirected(['update-other-user-spares-user'], {
    'update-of-second-user-goes-to-first: The server stores an update of the second user for the first one.':
      misdirecting(() => USER),
  }),
  ...breaking(['update.addressed-user-only', 'update.id-matches-path'])({
    'id-in-body-counts: The server takes the id from the body, if there is one, and responds with that user.': takenAs(
      any,
      (request) => toId(request, idIn(sentMembers(request)) ?? sentId(request)),
    ),
    'id-in-body-stored: The server stores the id in the body as another member, and later updates of the user under this id.':
      replacing('applyUpdate', () => (store, user, body) => {
        const updated = { ...user, ...body };
        store.users.set(user.id, updated);
        return updated;
      }),
  }),
  ...breaking(['update.sent-fields-change'])({
    'update-of-second-user-not-stored: The server does not store an update of the second user.': updating(
      ofOther,
      asBefore,
      'later',
    ),
  }),
  ...defectsOf(
    IDS,
    ([which, other]) => ({
      breaks: ['update.id-matches-path'],
      behaviour: adding<User>(all(anUpdate, which), ({ id }) => ({ id: other(id) })),
    }),
    'answer-id-*: *',
  ),
];
