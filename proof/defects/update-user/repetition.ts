import { setTimeout as sleep } from 'node:timers/promises';
import type { Updatable } from '../../../conformance/resources/user/members.ts';
import type { User } from '../../../contract/document.ts';
import { Refused, type ApiRequest, type ApiResponse, type Rules } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { turnsOfTheLoop } from '../../wire/wire-server.ts';
import { breaking } from '../../table.ts';
import { type Asked, sentId, sentKey, sentMembers, toKey } from '../requests.ts';
import { changes } from '../responses.ts';
import { type Body, isUpdate, sent, updating, valuesSent } from './updates.ts';

/** Whether an update sends, of these members, only values that are already stored. */
function repeats(before: User, body: Body): boolean {
  return sent(body).length > 0 && sent(body).every((member) => body[member] === before[member]);
}

function repeatedRefused(status: number, which: (body: Body) => boolean = () => true): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    if (repeats(user, body) && which(body)) throw new Refused(status, 'Nothing was changed.');
    return apply(store, user, body);
  });
}

/** Whether an update sends a value that is stored already, and one that is not. */
function repeatsPartly(before: User, body: Body): boolean {
  return !repeats(before, body) && sent(body).some((member) => body[member] === before[member]);
}

/** Refuses updates for what they send beside what is stored. */
function partlyRefused(member: Updatable): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    if (repeatsPartly(user, body) && body[member] === user[member]) throw new Refused(400, `This ${member} is taken.`);
    return apply(store, user, body);
  });
}

/** Keeps one member as it is in updates that send another one with the value that is stored already. */
function droppedBeside(same: Updatable, dropped: Updatable): Behaviour {
  return updating(
    ({ before, body }) => dropped in body && body[same] === before[same],
    ({ before }) => ({ [dropped]: before[dropped] }),
  );
}

/** Responds to some updates that change nothing without a look at the key. */
function unchangedFor(which: (asked: Asked) => boolean): Behaviour {
  return {
    around: (handle, store) => (request) => {
      const user = store.users.get(Number(sentId(request)));
      const isFree = user && isUpdate({ request }) && which({ request, store });
      return isFree && repeats(user, sentMembers(request)) ? { status: 200, body: user } : handle(request);
    },
  };
}

/** Responds to an update that was sent before as it did then, without carrying it out. */
const replayed: Behaviour = {
  around: (handle) => {
    const known = new Map<string, ApiResponse>();
    return (request) => {
      const key = [request.path, sentKey(request), request.body.toString('utf8')].join(' ');
      const isValid = isUpdate({ request }) && Object.keys(valuesSent(sentMembers(request))).length > 0;
      const before = isValid ? known.get(key) : undefined;
      if (before) return before;
      const answer = handle(request);
      if (isValid && answer.status === 200) known.set(key, answer);
      return answer;
    };
  },
};

/** What a server does between the reading of a user and its writing: long enough for a concurrent update to arrive. */
async function work(): Promise<void> {
  await sleep(5);
  await turnsOfTheLoop();
}

/** Fails on what comes for a user while an earlier update of it is under way. */
const lockOfUser: Behaviour = {
  around: (handle, _store, rules) => {
    const locked = new Set<string>();
    return async (request) => {
      if (!isUpdate({ request })) return handle(request);
      if (locked.has(request.path)) return rules.refuse(500, 'Deadlock.');
      locked.add(request.path);
      await work();
      locked.delete(request.path);
      return handle(request);
    };
  },
};

const sameUser = (one: ApiRequest, other: ApiRequest): boolean => one.path === other.path;
const otherUser = (one: ApiRequest, other: ApiRequest): boolean => !sameUser(one, other);

/** Handles an update of a user while others are under way, of this user unless it says otherwise. */
function besideOthers(
  act: (
    given: Asked & { readonly others: readonly ApiRequest[]; readonly handle: Handle; readonly rules: Rules },
  ) => ApiResponse,
  concerns = sameUser,
): Behaviour {
  return {
    around: (handle, store, rules) => {
      const open = new Set<ApiRequest>();
      return async (request) => {
        if (!isUpdate({ request })) return handle(request);
        open.add(request);
        await work();
        const others = [...open].filter((other) => other !== request && concerns(other, request));
        const answer = act({ request, store, others, handle, rules });
        await work();
        open.delete(request);
        return answer;
      };
    },
  };
}

type Handle = (request: ApiRequest) => ApiResponse;

const isValid = (request: ApiRequest): boolean => {
  const values = Object.entries(valuesSent(sentMembers(request)));
  return (
    values.length > 0 &&
    values.every(([member, value]) => typeof value === (member === 'rootRole' ? 'number' : 'string'))
  );
};
const isOfAdmin = ({ request, store }: Asked): boolean => sentKey(request) === store.keys.admin;
/** Whether an update is valid, and another valid one of the user is under way. */
const isBesideValid = ({ request, others, store }: Asked & { readonly others: readonly ApiRequest[] }): boolean =>
  isOfAdmin({ request, store }) &&
  isValid(request) &&
  others.some((other) => isOfAdmin({ request: other, store }) && isValid(other));

function refusedBesideOthers(status: number): Behaviour {
  return besideOthers((given) =>
    isBesideValid(given) ? given.rules.refuse(status, 'The user is being changed.') : given.handle(given.request),
  );
}

/** Reads the user, takes some time, and then writes the whole user. */
const writesWholeUserBack: Behaviour = {
  around:
    (handle, { users }) =>
    async (request) => {
      const id = Number(sentId(request));
      const copy = users.get(id);
      await work();
      const answer = handle(request);
      const members = valuesSent(sentMembers(request));
      if (copy && isUpdate({ request }) && answer.status === 200 && Object.keys(members).length > 0)
        users.set(id, { ...copy, ...members });
      return answer;
    },
};

/** Refuses every 23rd update that is valid, and carries none of these out. */
function nowAndThen(status: number): Behaviour {
  return replacing('applyUpdate', (apply) => {
    let valid = 0;
    return (store, user, body) => {
      if ((valid += 1) % 23 === 0) throw new Refused(status, 'The update failed.');
      return apply(store, user, body);
    };
  });
}

/** Accepts every 23rd update as the others, and does not store it. */
const ignoredNowAndThen: Behaviour = replacing('applyUpdate', (apply) => {
  let valid = 0;
  return (store, user, body) => ((valid += 1) % 23 === 0 ? user : apply(store, user, body));
});

/** Refuses the first valid update after a request that was refused. */
function afterRefusal(status: number, then: number): Behaviour {
  return {
    around: (handle, store, rules) => {
      let isSpoilt = false;
      return (request) => {
        const isOfUpdate = isUpdate({ request });
        const user = store.users.get(Number(sentId(request)));
        const answer = handle(request);
        if (!isOfUpdate || answer.status !== 200) {
          isSpoilt ||= isOfUpdate && answer.status === status;
          return answer;
        }
        if (!isSpoilt) return answer;
        isSpoilt = false;
        if (user) store.users.set(user.id, user);
        return rules.refuse(then, 'The transaction is aborted.');
      };
    },
  };
}

/** Refuses the request after one with a bad key, as if it carried that. */
const afterBadKey: Behaviour = {
  around: (handle, store) => {
    let isSpoilt = false;
    return (request) => {
      const wasSpoilt = isSpoilt;
      isSpoilt = !wasSpoilt && !['', store.keys.admin, store.keys.restricted].includes(sentKey(request));
      return handle(wasSpoilt ? toKey(request, '') : request);
    };
  },
};

/** Repeated and concurrent updates. Source: Endpoints, PUT user, rule. */
export const repetitionDefects: readonly WrittenDefect[] = [
  ...breaking('update.repeatable', {
    'repeated-update-conflicts: responds 409 to an update that changes nothing': repeatedRefused(409),
    'own-email-counts-as-taken: refuses the e-mail address that the user already has, as if it were taken':
      repeatedRefused(400, (body) => 'email' in body),
    'same-name-refused: responds 409 to an update of only the name that the user already has': repeatedRefused(
      409,
      (body) => sent(body).join() === 'name',
    ),
    'same-role-refused: responds 400 to an update of only the role that the user already has': repeatedRefused(
      400,
      (body) => sent(body).join() === 'rootRole',
    ),
    'same-user-not-modified: responds 304 to an update with all that the user already has': repeatedRefused(
      304,
      (body) => sent(body).length === 3,
    ),
    'own-email-taken-beside-name: takes the e-mail address of the user for that of another one if the name changes':
      partlyRefused('email'),
    'repeated-name-numbered: appends a number to a name that is in use, even by the user itself': updating(
      ({ before, body }) => body.name === before.name,
      ({ after }) => ({ name: `${String(after.name)} (2)` }),
    ),
    'repeated-email-emptied: An update of only the e-mail address that the user already has removes it.': updating(
      ({ before, body }) => sent(body).join() === 'email' && body.email === before.email,
      { email: '' },
    ),
  }),
  ...breaking('update.sent-fields-change', {
    'same-role-drops-name: An update with the role that the user already has stores that alone, and drops a new name.':
      droppedBeside('rootRole', 'name'),
    'same-email-drops-name: An update with the e-mail address that the user already has drops a new name.':
      droppedBeside('email', 'name'),
    'update-ignored-now-and-then: The server responds to every 23rd update with the user as it was, and does not store it.':
      ignoredNowAndThen,
    'update-replayed: responds to an update that was sent before as it did then, and does not carry it out': replayed,
  }),
  ...breaking('update.other-members-keep', {
    'no-change-counts-as-login: An update that changes nothing counts as an unsuccessful login.': updating(
      ({ before, body }) => repeats(before, body),
      ({ before }) => ({ loginAttempts: (before.loginAttempts ?? 0) + 1 }),
    ),
  }),
  ...breaking('permission.refused', {
    'no-change-needs-no-permission: checks the permission only for members that change': unchangedFor(
      ({ request, store }) => sentKey(request) === store.keys.restricted,
    ),
  }),
  ...breaking('auth.key-required', {
    'no-change-needs-no-key: asks for a key only where members change': unchangedFor(
      ({ request }) => sentKey(request) === '',
    ),
  }),
  ...breaking('update.concurrent-refusals', {
    'refusal-undoes-concurrent-update: rolls back what was stored since an invalid request was sent': besideOthers(
      ({ request, others, store, handle }) => {
        const before = store.users.get(Number(sentId(request)));
        const answer = handle(request);
        if (before && answer.status === 200 && isValid(request) && others.some((other) => !isValid(other)))
          store.users.set(before.id, before);
        return answer;
      },
    ),
    'concurrent-update-lends-its-key: A request gets the permissions of a concurrent one.': besideOthers(
      ({ request, others, store, handle }) =>
        others.some((other) => isOfAdmin({ request: other, store }) && isValid(other)) &&
        sentKey(request) === store.keys.restricted
          ? handle(toKey(request, store.keys.admin))
          : handle(request),
    ),
    'concurrent-refusal-is-500: fails on an invalid update while others are under way': besideOthers(
      ({ request, others, handle, rules }) =>
        !isValid(request) && others.length > 1 && handle(request).status === 400 && others.every(isValid)
          ? rules.refuse(500, 'The transaction is gone.')
          : handle(request),
    ),
  }),
  ...breaking('update.concurrent-fields', {
    'lock-of-user-fails: fails on an update while an earlier one of the user is under way': lockOfUser,
    'concurrent-update-is-400: responds 400 to an update while another one of the user is under way':
      refusedBesideOthers(400),
    'concurrent-names-mixed: Of two names that are sent concurrently, the server stores a mixture.': besideOthers(
      ({ request, others, store, handle }) => {
        const answer = handle(request);
        const { name } = sentMembers(request);
        const isContended = others.some(
          (other) => isOfAdmin({ request: other, store }) && 'name' in sentMembers(other),
        );
        if (isContended && answer.status === 200 && typeof name === 'string')
          changes(Number(sentId(request)), { name: `${name} ${name.slice(-3)}` })({ store });
        return answer;
      },
    ),
    'update-writes-whole-user-back: An update reads the user, takes some time, and then writes the whole user.':
      writesWholeUserBack,
  }),
  ...breaking('update.success-is-200', {
    'valid-update-fails-now-and-then: The server fails on every 23rd update, as if a connection to the database were lost.':
      nowAndThen(500),
    'valid-update-is-400-now-and-then: The server responds 400 to every 23rd update.': nowAndThen(400),
    'update-after-invalid-one-fails: After an invalid update, the next valid one fails: its transaction was not ended.':
      afterRefusal(400, 500),
    'update-after-invalid-one-is-400: After an invalid update, the next valid one is refused for it.': afterRefusal(
      400,
      400,
    ),
    'request-after-bad-key-is-401: After a request with a bad key, the next one is refused for it, whatever its key.':
      afterBadKey,
    'update-after-restricted-key-is-403: After a request with the restricted key, the next valid one is refused for it.':
      afterRefusal(403, 403),
  }),
  ...breaking('update.concurrent-users', {
    'concurrent-users-fail: The server fails on an update while one of another user is under way.': besideOthers(
      ({ request, others, store, handle, rules }) => {
        const isContended = others.some((other) => store.users.has(Number(sentId(other))) && isValid(other));
        const answer = handle(request);
        return isContended && answer.status === 200 ? rules.refuse(500, 'Deadlock.') : answer;
      },
      otherUser,
    ),
    'update-keeps-body-in-one-place: All requests share one place for the body of an update while the server works.': {
      around: (handle, store) => {
        let kept: Record<string, unknown> = {};
        return async (request) => {
          // A body is read once its key is accepted.
          if (sentKey(request) === store.keys.admin) kept = sentMembers(request);
          await work();
          const answer = handle(request);
          const { name, email } = kept;
          const isText = typeof name === 'string' && typeof email === 'string';
          if (isUpdate({ request }) && answer.status === 200 && isText)
            changes(Number(sentId(request)), { name, email })({ store });
          return answer;
        };
      },
    },
  }),
];
