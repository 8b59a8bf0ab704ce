import type { ApiRequest, ApiResponse, Rules, Store } from '../../reference-server/rules.ts';
import type { User } from '../../contract/document.ts';
import { breaking, type Defect } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import {
  type Around,
  around,
  isList,
  isUpdate,
  sentId,
  sentKey,
  sentMembers,
  toBody,
  toKey,
  work,
} from '../servers/requests.ts';
import { changeUser, limiting } from '../servers/responses.ts';
import { type Body, conflicting, sent, updating, validValues, valuesSent } from '../servers/updates.ts';

const isValid = (request: ApiRequest): boolean => {
  const members = sentMembers(request);
  const count = sent(members).length;
  return count > 0 && count === Object.keys(validValues(members)).length;
};
const isValidOfAdmin = (request: ApiRequest, { keys }: Store): boolean =>
  sentKey(request) === keys.admin && isValid(request);
const hasUser = (request: ApiRequest, { users }: Store): boolean => users.has(Number(sentId(request)));

/** Fails on the valid update after an invalid one. */
const transactionLeftOpen: Behaviour = {
  around: (handle, store, rules) => {
    let isAborted = false;
    return (request) => {
      const fails = isAborted && isUpdate({ request }) && isValidOfAdmin(request, store) && hasUser(request, store);
      const answer = fails ? rules.refuse(500, 'The transaction is aborted.') : handle(request);
      isAborted = answer.status === 400 || (isAborted && !fails);
      return answer;
    };
  },
};

const changesNothing = (body: Body, user: User): boolean =>
  sent(body).length > 0 && sent(body).every((member) => body[member] === user[member]);

/** For a moment after an update, whatever comes for the user passes: the decision is kept without the key. */
const decisionKept: Behaviour = {
  around: (handle, { keys }) => {
    let open = '';
    return (request) => {
      const isOpen = open === request.path && request.body.length > 2 && isValid(request);
      const answer = handle(isOpen ? toKey(request, keys.admin) : request);
      open = answer.status === 200 && isValidOfAdmin(request, { keys } as Store) ? request.path : '';
      return answer;
    };
  },
};

/** What one request leaves behind for the next. Source: Endpoints, PUT user, rule. */
export const repetitionDefects: readonly Defect[] = [
  ...breaking('update.repeatable', {
    'repeated-update-conflicts: An update that changes nothing gets 409': conflicting(changesNothing, 409),
    'update-that-changes-nothing-is-404: An update that changes no row gets 404': conflicting(changesNothing, 404),
    'update-that-changes-nothing-is-204: An update that changes nothing gets 204': {
      around: (handle, store) => (request) => {
        const user = store.users.get(Number(sentId(request)));
        const isSame = user !== undefined && changesNothing(sentMembers(request), user);
        const answer = handle(request);
        return isSame && answer.status === 200 ? { status: 204, body: '' } : answer;
      },
    },
    'repeated-name-numbered: It appends a number to a name that is in use, even by the user itself': updating(
      ({ before, body }) => body.name === before.name,
      ({ after }) => ({ name: `${String(after.name)} (2)` }),
    ),
  }),
  ...breaking(['permission.refused', 'auth.key-required', 'auth.key-valid'], {
    'decision-kept-after-update: Right after an update, a request for the user passes with any key': decisionKept,
  }),
  ...breaking('update.success-is-200', {
    'update-after-invalid-one-fails: An invalid update does not end its transaction: the next one fails':
      transactionLeftOpen,
  }),
];

/** A request, and the others that are under way. */
interface Beside {
  readonly request: ApiRequest;
  readonly others: readonly ApiRequest[];
  readonly store: Store;
  readonly rules: Rules;
  readonly handle: (request: ApiRequest) => ApiResponse;
}

/** Handles an update while others are under way: of the same user, or of other ones. */
function besideOthers(act: (given: Beside) => ApiResponse, concerns: 'same' | 'other' = 'same'): Behaviour {
  return {
    around: (handle, store, rules) => {
      const open = new Set<ApiRequest>();
      return async (request) => {
        if (!isUpdate({ request })) return handle(request);
        open.add(request);
        await work();
        const others = [...open].filter(
          (other) => other !== request && (other.path === request.path) === (concerns === 'same'),
        );
        const answer = act({ request, others, store, rules, handle });
        await work();
        open.delete(request);
        return answer;
      };
    },
  };
}

/** Handles some requests as the admin's beside an update of the admin. */
function lendingKey(borrows: (key: string, keys: Store['keys']) => boolean): Behaviour {
  return besideOthers(({ request, others, store, handle }) =>
    others.some((other) => isValidOfAdmin(other, store)) && borrows(sentKey(request), store.keys)
      ? handle(toKey(request, store.keys.admin))
      : handle(request),
  );
}

/** Whoever asks for the list while another request for it is under way gets the same response. */
const sharingLists: Behaviour = {
  around: (handle) => {
    let shared: Promise<ApiResponse> | undefined;
    return (request) => {
      if (!isList({ request })) return handle(request);
      shared ??= work().then(() => {
        shared = undefined;
        return handle(request);
      });
      return shared;
    };
  },
};

/** Reads the user, takes some time, and then writes the whole user. */
const writesWholeUserBack: Around = {
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

/** All requests share one place for the body of an update while the server works. */
const oneBodyForAll: Behaviour = {
  around: (handle, store) => {
    let kept: Record<string, unknown> = {};
    return async (request) => {
      if (sentKey(request) === store.keys.admin) kept = sentMembers(request);
      await work();
      const answer = handle(request);
      const { name, email } = kept;
      if (isUpdate({ request }) && answer.status === 200 && typeof name === 'string' && typeof email === 'string')
        changeUser(store, Number(sentId(request)), { name, email });
      return answer;
    };
  },
};

/** Updates that are under way at the same time. */
export const concurrencyDefects: readonly Defect[] = [
  ...breaking('update.concurrent-fields', {
    'concurrent-update-is-400: An update gets 400 while another one of the user is under way': besideOthers(
      ({ request, others, store, rules, handle }) =>
        isValidOfAdmin(request, store) && others.some((other) => isValidOfAdmin(other, store))
          ? rules.refuse(400, 'The user is being changed.')
          : handle(request),
    ),
    'update-writes-whole-user-back: An update reads the user, and later writes all of it': writesWholeUserBack,
    'limited-update-writes-whole-user-back: The same, and more than 400 requests a second get 429': around(
      writesWholeUserBack,
      limiting(400, 20, 429),
    ),
  }),
  ...breaking('permission.refused', {
    'concurrent-update-lends-its-key: A request gets the permissions of a concurrent one': lendingKey(
      (key, { restricted }) => key === restricted,
    ),
  }),
  ...breaking('auth.key-required', {
    'concurrent-update-admits-no-key: A request without a key passes beside one of the admin': lendingKey(
      (key) => key === '',
    ),
  }),
  ...breaking(['auth.key-required', 'auth.key-valid', 'errors.id-per-instance'], {
    'overlapping-lists-share-a-response: Requests for the banners that overlap share one response': sharingLists,
  }),
  ...breaking('auth.key-valid', {
    'concurrent-update-admits-unknown-key: A request with an unknown key passes beside one of the admin': lendingKey(
      (key, { admin, restricted }) => ![admin, restricted, ''].includes(key),
    ),
  }),
  ...breaking('request-body.name-type', {
    'concurrent-update-spares-validation: An invalid body passes beside a valid one': besideOthers(
      ({ request, others, store, handle }) => {
        const isSpared =
          typeof sentMembers(request).name === 'number' && others.some((other) => isValidOfAdmin(other, store));
        return handle(isSpared ? toBody(request, validValues(sentMembers(request))) : request);
      },
    ),
  }),
  ...breaking('update.concurrent-refusals', {
    'concurrent-refusal-is-500: It fails on an invalid update while others are under way': besideOthers(
      ({ request, others, handle, rules }) =>
        !isValid(request) && others.length > 1 && others.every(isValid) && handle(request).status === 400
          ? rules.refuse(500, 'The transaction is gone.')
          : handle(request),
    ),
  }),
  ...breaking('update.concurrent-users', {
    'concurrent-users-fail: It fails on an update while one of another user is under way': besideOthers(
      ({ request, others, store, handle, rules }) => {
        const isContended = others.some((other) => hasUser(other, store) && isValid(other));
        const answer = handle(request);
        return isContended && answer.status === 200 ? rules.refuse(500, 'Deadlock.') : answer;
      },
      'other',
    ),
    'update-keeps-body-in-one-place: All requests share one place for the body of an update': oneBodyForAll,
  }),
];
