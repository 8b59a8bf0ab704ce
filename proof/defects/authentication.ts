import type { ApiRequest, ApiResponse } from '../../reference-server/rules.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import {
  type Around,
  type Which,
  type WhichRequest,
  all,
  anError,
  answered,
  anUpdate,
  any,
  hasKey,
  isList,
  isUpdate,
  not,
  sendsText,
  sentId,
  sentKey,
  sentMembers,
  sentValue,
  takenAs,
  toKey,
  withId,
  withKeyOf,
} from '../servers/requests.ts';
import { adding, answering, hungUpOn, refusedWith } from '../servers/responses.ts';

/** A request, the value of its header (empty if there is none), and the key that it should have. */
interface Credentials extends ApiRequest {
  readonly sent: string;
  readonly key: string;
}

/** Treats some requests as the admin's although they are not. */
function openedBy(opens: (credentials: Credentials) => boolean, which: WhichRequest = isUpdate): Around {
  const isOpen: WhichRequest = (asked) => {
    const [sent, { admin: key, restricted }] = [sentKey(asked.request), asked.store.keys];
    return which(asked) && sent !== restricted && opens({ ...asked.request, sent, key });
  };
  return takenAs(isOpen, (request, { keys }) => toKey(request, keys.admin));
}

const formOf = (key: string): string => key.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
const hasRightForm = ({ sent, key }: Credentials): boolean =>
  formOf(sent) === formOf(key) && !sent.endsWith(key.slice(key.indexOf('-')));

const passwordOf = (credential: string): string =>
  Buffer.from(/^Basic (.*)$/.exec(credential)?.[1] ?? '', 'base64')
    .toString()
    .replace(/^.*:/, '');

/** Validates the body before it looks at the key. */
const bodyBeforeKey = replacing('authenticate', (authenticate, _store, rules) => (request, store) => {
  if (isUpdate({ request })) rules.validateUpdate(rules.parseBody(request.body));
  return authenticate(request, store);
});

/** Finds the key only if the name of the header is written as usual. */
const fieldNameCompared: Behaviour = {
  instead: ({ headers, fieldNames }) => {
    if (!fieldNames.includes('Authorization')) delete headers.authorization;
    return false;
  },
};

/** Offers the update only as PATCH. */
const patchOnly: Around = {
  around: (handle, _store, rules) => (request) => {
    if (isUpdate({ request })) return rules.refuse(404, `There is nothing at ${request.path}.`);
    return handle(request.method === 'PATCH' ? { ...request, method: 'PUT' } : request);
  },
};

/** Compares a key with the patterns of a database, `%` and `_`. */
const isLike = ({ sent, key }: Credentials): boolean => {
  const escaped = sent.replaceAll(/[^\w%]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's').test(key);
};

/** Takes a key for a pattern of a key-value store. */
const isGlob = ({ sent, key }: Credentials): boolean => sent.includes('*') && key.startsWith(sent.replace(/\*.*$/, ''));

function isExpression({ sent, key }: Credentials): boolean {
  try {
    return sent !== '' && new RegExp(`^${sent}$`).test(key);
  } catch {
    return false;
  }
}

/** Keeps the caller of a request that is refused for the next one without a key, as a thread does. */
const callerLeftBehind: Around = {
  around: (handle) => {
    let left = '';
    return (request) => {
      const key = sentKey(request);
      const isLent = key === '' && left !== '' && isUpdate({ request });
      const answer = handle(isLent ? toKey(request, left) : request);
      left = answer.status === 400 || answer.status === 404 ? key : '';
      return answer;
    };
  },
};

/** Fails on each key that it does not know when it sees it for the first time. */
const failingOnNewKeys: Around = {
  around: (handle, _store, rules) => {
    const seen = new Set<string>();
    return (request) => {
      const key = sentKey(request);
      const isNew = key !== '' && !seen.has(key);
      seen.add(key);
      const answer = handle(request);
      return isNew && answer.status === 401 ? rules.refuse(500, 'The cache is empty.') : answer;
    };
  },
};

const isLongKey: WhichRequest = ({ request }) => sentKey(request).length > 255;
const isKeyBeyondAscii: WhichRequest = ({ request }) => /[\u0080-\uffff]/.test(sentKey(request));

const unauthorized = (...which: readonly Which[]): Which => all(answered(401), ...which);
const unknownKey = unauthorized(isUpdate, hasKey);
const malformedWithoutKey = unauthorized(isUpdate, ({ request }) => sentValue(request) === undefined);
const [KEY_REQUIRED, KEY_VALID] = ['auth.key-required', 'auth.key-valid'];

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly Defect[] = [
  ...breaking('auth.operations-exist', {
    'update-by-patch-only: The update is offered only as PATCH; for PUT the path does not exist': patchOnly,
  }),
  ...breaking(KEY_REQUIRED, {
    'update-open-without-key: An update needs no header': openedBy(
      ({ headers }) => headers.authorization === undefined,
    ),
    'banners-missing-key-is-404: Without a key, the list gets 404': refusedWith(unauthorized(isList, not(hasKey)), 404),
    'caller-left-behind-by-refusal: A request without a key runs as the caller of the refused request before it':
      callerLeftBehind,
    'update-without-key-hung-up-on: It closes the connection on an update without a key': hungUpOn(
      all(isUpdate, ({ request }) => request.headers.authorization === undefined),
    ),
  }),
  ...breaking(KEY_VALID, {
    'any-key-passes: Any text counts as the key of an administrator': openedBy(({ sent }) => sent !== '', any),
    'update-checks-form-of-key: It accepts any key of the right form': openedBy(hasRightForm),
    'update-ignores-case-of-key: It ignores the letter case of a key': openedBy(
      ({ sent, key }) => sent.toLowerCase() === key.toLowerCase(),
    ),
    'malformed-body-crashes-with-unknown-key: It fails when the body is not JSON and the key is unknown': refusedWith(
      all(malformedWithoutKey, hasKey),
      500,
    ),
    'key-compared-by-like: The database compares a key by LIKE': openedBy(isLike),
    'key-taken-for-glob: The store takes a key for a pattern': openedBy(isGlob),
    'key-taken-for-expression: A key is taken for a regular expression': openedBy(isExpression),
    'long-key-fails: It fails on a key of more than 255 characters': refusedWith(all(unknownKey, isLongKey), 500),
    'key-beyond-ascii-fails: It fails on a key with characters beyond ASCII': refusedWith(
      unauthorized(isKeyBeyondAscii),
      500,
    ),
    'new-key-fails-once: It fails on each unknown key the first time that it sees it': failingOnNewKeys,
    'update-unknown-key-is-403: An update with an unknown key gets 403': refusedWith(unknownKey, 403),
  }),
  ...breaking('auth.header-only', {
    'update-takes-key-from-query: It accepts the key as `access_token` in the query': openedBy(
      ({ key, query }) => new URLSearchParams(query).get('access_token') === key,
    ),
    'update-key-taken-from-body: It accepts the key in the member `apiKey` of an update': openedBy(
      ({ key, ...request }) => sentMembers(request).apiKey === key,
    ),
  }),
  ...breaking('auth.key-alone', {
    'banners-key-found-by-basic-password: It accepts the key as the password of a Basic credential': openedBy(
      ({ sent, key }) => passwordOf(sent) === key,
      isList,
    ),
  }),
  ...breaking([KEY_REQUIRED, KEY_VALID], {
    'banners-cached-for-everybody: A cache gives the first list to every later request for it': {
      around: (handle) => {
        let cached: ApiResponse | undefined;
        return (request) => {
          if (request.method !== 'GET') return handle(request);
          const response = cached ?? handle(request);
          if (response.status === 200) cached = response;
          return response;
        };
      },
    },
    'no-key-needed: No operation needs a key': openedBy(({ sent, key }) => sent !== key, any),
    'malformed-body-crashes-without-key: It fails when the body is not JSON and the key is missing or unknown':
      refusedWith(malformedWithoutKey, 500),
  }),
  ...breaking('auth.field-name-case', {
    'header-name-compared-with-case: It finds only a header written `Authorization`': fieldNameCompared,
  }),
  ...breaking('auth.key-not-shown', {
    'key-repeated-in-errors: The message of an error repeats the key that was sent': adding(
      anError,
      (_error, { request }) => ({ message: `Refused for ${sentKey(request)}.` }),
    ),
    'invalid-body-repeated: The message of a 400 error repeats the whole body': adding(
      all(answered(400), ({ request }) => sentValue(request) !== undefined),
      (_error, { request }) => ({ message: `Invalid: ${request.body.toString()}` }),
    ),
    'malformed-body-repeated: The message of the JSON parser repeats the whole text': adding(
      all(answered(400), ({ request }) => sentValue(request) === undefined),
      (_error, { request }) => ({ message: `Unexpected token in ${request.body.toString()}` }),
    ),
    'key-repeated-in-user: A user shows the key with which it was updated': adding(anUpdate, (_user, { request }) => ({
      updatedWith: sentKey(request),
    })),
  }),
  ...breaking('auth.existence-hidden', {
    'missing-user-told-without-key: Without a key, the 401 response says that the user does not exist': adding(
      unauthorized(isUpdate),
      (_error, { request, store }) => ({
        message: `Send a valid key.${store.users.has(Number(sentId(request))) ? '' : ' There is no such user.'}`,
      }),
    ),
  }),
  ...breaking('auth.comes-first', {
    'body-validated-before-key: It validates the body before it looks at the key': bodyBeforeKey,
  }),
];

const denied = answered(403);
/** The account that the restricted key belongs to. */
const own = withId(/^1$/);

/** Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly Defect[] = breaking('permission.refused', {
  'update-without-permission-accepted: Every valid key may update users': takenAs(
    all(isUpdate, withKeyOf('restricted')),
    (request, { keys }) => toKey(request, keys.admin),
  ),
  'other-user-hidden-without-permission: A key without the permission gets 404 for other accounts': refusedWith(
    all(denied, not(own)),
    404,
  ),
  'restricted-key-and-invalid-body-crash: The permission check reads the name as a text and fails on a number':
    refusedWith(
      all(denied, ({ request }) => typeof sentMembers(request).name === 'number'),
      500,
    ),
  'restricted-key-sees-user-by-empty-body: The restricted key sees the user if it sends `{}`': answering(
    all(denied, sendsText(/^\{\}$/)),
    (_refusal, { request, store }) => ({ status: 200, body: store.users.get(Number(sentId(request))) }),
  ),
});

/** The requirements that say with which status a request is refused. */
const REFUSALS = [
  ...[KEY_REQUIRED, KEY_VALID, 'auth.header-only', 'auth.key-alone', 'auth.comes-first', 'permission.refused'],
  ...['name-type', 'email-type', 'root-role-type', 'object', 'required', 'well-formed', 'strict-json', 'utf-8'].map(
    (each) => `request-body.${each}`,
  ),
  ...['request-body.extreme-values', 'missing-user.not-found', 'missing-user.not-created'],
  ...['path-id.integer', 'path-id.exact', 'path-id.no-server-error'],
];

/** One line of a framework's set-up that concerns every operation: one fault, which many requirements see. */
export const frameworkDefects: readonly Defect[] = [
  ...breaking(REFUSALS, {
    'refusals-are-200: Every refusal has the error body, and the status 200': answering(anError, (response) => ({
      ...response,
      status: 200,
    })),
  }),
  ...breaking([KEY_REQUIRED, KEY_VALID, 'permission.refused', 'missing-user.not-found'], {
    'refusals-are-400: Every refusal has the status 400': refusedWith(any, 400),
  }),
];
