import { errorName } from '../../contract/document.ts';
import type { ApiRequest, ApiResponse, Rules } from '../../reference-server/rules.ts';
import { toApiRequest } from '../../reference-server/service.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import {
  type Around,
  type Which,
  type WhichRequest,
  all,
  anError,
  answered,
  any,
  hasHeader,
  hasKey,
  isTo,
  not,
  sendsText,
  sentId,
  sentKey,
  sentMembers,
  sentValue,
  toKey,
  withId,
} from '../servers/requests.ts';
import { adding, answeredWith, answering, hungUpOn, refusedWith } from '../servers/responses.ts';
import { anUpdate, isUpdate } from '../servers/updates.ts';
import { JSON_TYPE, message } from '../wire/raw-server.ts';

const isList = isTo('listBanners');

/** A request, the value of its header (empty if there is none), and the key that it should have. */
interface Credentials extends ApiRequest {
  readonly sent: string;
  readonly key: string;
}

/** Treats some requests as the admin's although they are not. */
function openedBy(opens: (credentials: Credentials) => boolean, which: WhichRequest = any): Behaviour {
  return replacing('authenticate', (authenticate) => (request, store) => {
    const [sent, { admin: key, restricted }] = [sentKey(request), store.keys];
    const isOpen = which({ request, store }) && sent !== restricted && opens({ ...request, sent, key });
    return isOpen ? 'admin' : authenticate(request, store);
  });
}

const hasNoHeader = ({ headers }: Credentials): boolean => headers.authorization === undefined;
const formOf = (key: string): string => key.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
const hasRightForm = ({ sent, key }: Credentials): boolean =>
  formOf(sent) === formOf(key) && !sent.endsWith(key.slice(key.indexOf('-')));

const isBasicPassword = ({ sent, key }: Credentials): boolean =>
  Buffer.from(/^Basic (.*)$/.exec(sent)?.[1] ?? '', 'base64')
    .toString()
    .endsWith(`:${key}`);

/** Looks at an update before it looks at the key. */
function lookingFirst(look: (request: ApiRequest, rules: Rules) => void): Behaviour {
  return replacing('authenticate', (authenticate, _store, rules) => (request, store) => {
    if (isUpdate({ request })) look(request, rules);
    return authenticate(request, store);
  });
}

/** Finds the key only if the name of the header is written as usual. */
const fieldNameCompared: Behaviour = {
  instead: ({ method, target, headers, fieldNames, body: sent }, socket) => {
    const request = toApiRequest(method, target, headers, sent);
    const isFound = headers.authorization === undefined || fieldNames.includes('Authorization');
    if (!isList({ request }) || isFound) return false;
    const body = { id: crypto.randomUUID(), name: errorName(401), message: 'There is no key.' };
    socket.write(message(401, JSON_TYPE, JSON.stringify(body)));
    return true;
  },
};

/** Handles a request without a valid key, and then carries it out as the admin's: a handler without a `return`. */
function goingOn(respond: (refusal: ApiResponse, next: ApiResponse, rules: Rules) => ApiResponse): Around {
  return {
    around: (handle, store, rules) => (request) => {
      const refusal = handle(request);
      return refusal.status === 401 ? respond(refusal, handle(toKey(request, store.keys.admin)), rules) : refusal;
    },
  };
}

/** Offers the update only as PATCH. */
const patchOnly: Behaviour = {
  around: (handle, _store, rules) => (request) => {
    if (isUpdate({ request })) return rules.refuse(404, `There is nothing at ${request.path}.`);
    const asDocumented = { ...request, method: 'PUT' };
    return handle(request.method === 'PATCH' && isUpdate({ request: asDocumented }) ? asDocumented : request);
  },
};

const unauthorized = (...which: readonly Which[]): Which => all(answered(401), ...which);
const malformedWithoutKey = unauthorized(isUpdate, ({ request }) => sentValue(request) === undefined);
const [KEY_REQUIRED, KEY_VALID] = ['auth.key-required', 'auth.key-valid'];

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly Defect[] = [
  ...breaking('auth.operations-exist', {
    'update-by-patch-only: The update is offered only as PATCH; for PUT the path does not exist': patchOnly,
  }),
  ...breaking(KEY_REQUIRED, {
    'update-open-without-key: An update needs no header': openedBy(hasNoHeader, isUpdate),
    'banners-missing-key-is-404: The list does not exist for a request without a key': refusedWith(
      unauthorized(isList, not(hasKey)),
      404,
    ),
    'update-without-key-hung-up-on: The server closes the connection instead of responding to an update without a key':
      hungUpOn(all(isUpdate, not(hasHeader))),
  }),
  ...breaking(KEY_VALID, {
    'any-key-passes: Any text counts as the key of an administrator': openedBy(({ sent }) => sent !== ''),
    'update-checks-form-of-key: The server accepts any key of the right form': openedBy(hasRightForm, isUpdate),
    'update-ignores-case-of-key: The server ignores the letter case of a key': openedBy(
      ({ sent, key }) => sent.toLowerCase() === key.toLowerCase(),
      isUpdate,
    ),
    'malformed-body-crashes-with-unknown-key: The server fails when the body is not JSON and the key is unknown':
      refusedWith(all(malformedWithoutKey, hasKey), 500),
    'update-unknown-key-is-403: An update with an unknown key is refused with 403': refusedWith(
      unauthorized(isUpdate, hasKey),
      403,
    ),
    'update-unknown-key-redirects-to-login: An update with an unknown key is redirected to a login page': answeredWith(
      unauthorized(isUpdate, hasKey),
      () => ({ status: 302, body: {}, headers: { location: '/login' } }),
    ),
  }),
  ...breaking('auth.header-only', {
    'update-takes-key-from-query: The server accepts the key as `access_token` in the query': openedBy(
      ({ key, query }) => new URLSearchParams(query).get('access_token') === key,
      isUpdate,
    ),
    'update-key-taken-from-body: The server accepts the key in the member `apiKey` of an update': openedBy(
      ({ key, ...request }) => sentMembers(request).apiKey === key,
      isUpdate,
    ),
  }),
  ...breaking('auth.key-alone', {
    'banners-key-found-by-basic-password: The server accepts the key as the password of a Basic credential': openedBy(
      isBasicPassword,
      isList,
    ),
  }),
  ...breaking([KEY_REQUIRED, KEY_VALID], {
    'no-key-needed: No operation needs a key': openedBy(({ sent, key }) => sent !== key),
    'malformed-body-crashes-without-key: The server fails when the body is not JSON and the key is missing or unknown':
      refusedWith(malformedWithoutKey, 500),
  }),
  ...breaking(['errors.body', 'update.refused-changes-nothing', 'auth.comes-first'], {
    'goes-on-after-401: The server sets the status 401, and goes on: the update is stored, and its body is that of the success':
      goingOn((_refusal, next) => (next.status === 200 ? { ...next, status: 401 } : next)),
  }),
  ...breaking('auth.field-name-case', {
    'banners-header-name-compared-with-case: The server finds the key only if the header name is written `Authorization`':
      fieldNameCompared,
  }),
  ...breaking('auth.key-not-shown', {
    'key-repeated-in-errors: The message of an error repeats the key that was sent': adding(
      anError,
      (_error, { request }) => ({ message: `Refused for ${sentKey(request)}.` }),
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
    'body-validated-before-key: The server validates the body before it looks at the key': lookingFirst(
      ({ body }, rules) => rules.validateUpdate(rules.parseBody(body)),
    ),
  }),
];

const forRestricted = ({ request, store }: Parameters<WhichRequest>[0]): boolean =>
  sentKey(request) === store.keys.restricted;
const denied = answered(403);
/** The account that the restricted key belongs to. */
const own = withId(/^1$/);
const invalid: WhichRequest = ({ request }) => typeof sentMembers(request).name === 'number';

/** Takes some updates with the restricted key for the admin's. */
function allowing(which: WhichRequest): Around {
  return {
    around: (handle, store) => (request) => {
      const isAllowed = forRestricted({ request, store }) && isUpdate({ request }) && which({ request, store });
      return handle(isAllowed ? toKey(request, store.keys.admin) : request);
    },
  };
}

/** The response that shows the user as it is. */
const unchanged: Parameters<typeof answeredWith>[1] = ({ request, store }) => ({
  status: 200,
  body: store.users.get(Number(sentId(request))),
});

/** Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly Defect[] = breaking('permission.refused', {
  'update-without-permission-accepted: Every valid key may update users': allowing(any),
  'other-user-hidden-without-permission: A key without the permission gets 404 for any account but its own':
    refusedWith(all(denied, not(own)), 404),
  'restricted-key-and-invalid-body-crash: The permission check reads the name as a text and fails on a number':
    refusedWith(all(denied, invalid), 500),
  'restricted-key-sees-user-by-empty-body: The restricted key sees the user if it sends `{}`': answeredWith(
    all(denied, sendsText(/^\{\}$/)),
    unchanged,
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
