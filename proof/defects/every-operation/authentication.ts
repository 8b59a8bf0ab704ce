import { isSafe } from '../../../conformance/http/exchange.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { errorName, route } from '../../../contract/document.ts';
import type { ApiRequest } from '../../../reference-server/rules.ts';
import { toApiRequest } from '../../../reference-server/service.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, dealt, tableOf } from '../../table.ts';
import { JSON_TYPE, message } from '../../wire/raw-server.ts';
import {
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
  sentKey,
} from '../requests.ts';
import { adding, answeredWith, hungUpOn, refusedWith } from '../responses.ts';

/** A request, the value of its header (empty if there is none), and the key that it should have. */
interface Credentials extends ApiRequest {
  readonly sent: string;
  readonly key: string;
}

/** Whether the server treats a request as sent with the key. */
type Opens = (credentials: Credentials) => boolean;

/** Treats some requests as the admin's although they are not. */
export function openedBy(opens: Opens, which: WhichRequest = any): Behaviour {
  return replacing('authenticate', (authenticate) => (request, store) => {
    const [sent, { admin: key, restricted }] = [sentKey(request), store.keys];
    const isOpen = which({ request, store }) && sent !== restricted && opens({ ...request, sent, key });
    return isOpen ? 'admin' : authenticate(request, store);
  });
}

function formOf(key: string): string {
  return key.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
}

/** On one operation only, by the requirement that the fault breaks. */
const WAYS: Readonly<Record<string, Table<Opens>>> = {
  'auth.key-required': {
    'open-without-key: the server accepts a request without the Authorization header': ({ headers }) =>
      headers.authorization === undefined,
    'open-with-empty-key: the server requires the Authorization header, but accepts an empty one': ({
      sent,
      headers,
    }) => headers.authorization !== undefined && sent.trim() === '',
  },
  'auth.key-valid': {
    'trusts-keys-of-unknown-form: the server takes a value that does not look like a key for a session token and does not verify it':
      ({ sent }) => sent !== '' && !/^[^-]+-[^-]+-[^-]{3}-|^Bearer /.test(sent),
    'decodes-tokens-only: the server decodes a Bearer token and does not verify its signature': ({ sent }) =>
      /^Bearer [\w-]+\.[\w-]+\./.test(sent),
    'checks-form-of-key: the server accepts any key of the right form, unless it ends like a known key': ({
      sent,
      key,
    }) => formOf(sent) === formOf(key) && !sent.endsWith(key.slice(key.indexOf('-'))),
    'takes-start-of-key: the server accepts the beginning of a key': ({ sent, key }) =>
      sent.length >= 8 && key.startsWith(sent),
    'cuts-key-to-length: the server cuts off what follows a key before it compares the key': ({ sent, key }) =>
      sent.startsWith(key),
    'compares-end-of-key: the server compares only the last eight characters of a key': ({ sent, key }) =>
      sent.slice(-8) === key.slice(-8),
    'ignores-end-of-key: the server does not compare the last four characters of a key': ({ sent, key }) =>
      sent.length === key.length && sent.slice(0, -4) === key.slice(0, -4),
    'ignores-case-of-key: the server ignores the letter case of a key': ({ sent, key }) =>
      sent.toLowerCase() === key.toLowerCase(),
  },
  'auth.header-only': {
    'takes-key-from-query: the server accepts the key as `access_token` in the query': ({ key, query }) =>
      new URLSearchParams(query).get('access_token') === key,
    'takes-key-from-x-api-key: the server accepts the key in the header `X-API-Key`': ({ key, headers }) =>
      headers['x-api-key'] === key,
    'takes-key-from-cookie: the server accepts the key in the cookie `admin_token`': ({ key, headers }) =>
      String(headers.cookie ?? '').includes(`admin_token=${key}`),
  },
  'auth.key-alone': {
    'key-found-by-last-word: the server takes the last word of the header as the key': ({ sent, key }) =>
      sent.split(' ').length > 1 && sent.split(' ').at(-1) === key,
    'key-found-by-first-word: the server takes the first word of the header as the key': ({ sent, key }) =>
      sent.split(' ').length > 1 && sent.split(' ')[0] === key,
    'key-found-by-list: the server accepts a list of keys in the header if one of them is valid': ({ sent, key }) =>
      sent.split(/\s*,\s*/).length > 1 && sent.split(/\s*,\s*/).includes(key),
    'key-found-by-quotes: the server removes quotes around the key': ({ sent, key }) => sent === `"${key}"`,
    'key-found-by-basic-password: the server accepts the key as the password of a Basic credential': ({ sent, key }) =>
      Buffer.from(/^Basic (.*)$/.exec(sent)?.[1] ?? '', 'base64')
        .toString()
        .endsWith(`:${key}`),
  },
};

/** On every operation, and in several ways at once. */
const openedEverywhere = (breaks: readonly string[], table: Table<Opens>): WrittenDefect[] =>
  breaking(breaks, table, '*: *.', (opens) => openedBy(opens));

/** What the server does in place of the refusal; the title completes "With no key, `updateUser` …". */
const OTHER_REFUSALS: Table<(which: Which) => Behaviour> = {
  ...tableOf(
    [400, 403, 404, 407, 500],
    (status) => `is-${status}: is refused with ${status}`,
    (status) => (which: Which) => refusedWith(which, status),
  ),
  'redirects-to-login: is redirected to a login page': (which) =>
    answeredWith(which, () => ({ status: 302, body: {}, headers: { location: '/login' } })),
  'is-200-with-error: is refused, but with the status 200': (which) => refusedWith(which, 200),
};

const CALLERS = [
  ['missing-key', 'no key', 'auth.key-required', not(hasKey)],
  ['unknown-key', 'an unknown key', 'auth.key-valid', hasKey],
] as const;

const REFUSED = operations.flatMap((operation) => CALLERS.map((caller) => [operation, ...caller] as const));

/** What the server finds as key only if the name of the header is written as usual. */
const fieldNameCompared = (isToIt: ReturnType<typeof isTo>): Behaviour => ({
  instead: ({ method, target, headers, fieldNames, body: sent }, socket) => {
    const request = toApiRequest(method, target, headers, sent);
    const isFound = headers.authorization === undefined || fieldNames.includes('Authorization');
    if (!isToIt({ request }) || isFound) return false;
    const body = { id: crypto.randomUUID(), name: errorName(401), message: 'There is no key.' };
    socket.write(message(401, JSON_TYPE, JSON.stringify(body)));
    return true;
  },
});

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly WrittenDefect[] = [
  ...operations.flatMap(({ id, slug }) => [
    ...Object.entries(WAYS).flatMap(([requirement, ways]) =>
      breaking(requirement, ways, `${slug}-*: On \`${id}\`, *.`, (opens) => openedBy(opens, isTo(id))),
    ),
    ...breaking('auth.key-required', {
      [`${slug}-without-key-hung-up-on: closes the connection instead of responding to \`${id}\` without a key`]:
        hungUpOn(all(isTo(id), not(hasHeader))),
    }),
  ]),
  ...dealt(OTHER_REFUSALS, REFUSED).flatMap(([[{ id, slug }, caller, words, requirement, isSo], refusals]) =>
    breaking(requirement, refusals, `${slug}-${caller}-*: With ${words}, \`${id}\` *.`, (make) =>
      make(all(answered(401), isTo(id), isSo)),
    ),
  ),
  ...breaking('errors.name', {
    'unknown-key-named-otherwise: The 401 response to an unknown key has a name of its own.': refusedWith(
      all(answered(401), hasKey),
      401,
      'InvalidTokenError',
    ),
  }),
  ...openedEverywhere(['auth.key-valid'], {
    'any-key-passes: The server accepts any non-empty key as the key of an administrator': ({ sent }) => sent !== '',
  }),
  ...openedEverywhere(['auth.key-required'], {
    'blank-key-counts-as-none-configured: A blank key matches a role that has no key configured': ({ sent }) =>
      sent.trim() === '',
  }),
  ...openedEverywhere(['auth.key-required', 'auth.key-valid'], {
    'no-key-needed: No operation requires a key': ({ sent, key }) => sent !== key,
  }),
  ...openedEverywhere(['auth.header-only'], {
    'key-taken-from-any-place: The server accepts the key in the query, in another header or in a cookie': (request) =>
      [request.query, ...['x-auth-token', 'x-authorization', 'cookie'].map((name) => request.headers[name])].some(
        (place) => String(place ?? '').includes(request.key),
      ),
  }),
  ...breaking(
    'auth.field-name-case',
    tableOf(
      operations.filter(({ id }) => isSafe(route(id))),
      ({ id, slug }) =>
        `${slug}-header-name-compared-with-case: On \`${id}\`, the server finds the key only if the header name is written \`Authorization\`.`,
      ({ id }) => fieldNameCompared(isTo(id)),
    ),
  ),
  ...breaking('auth.key-not-shown', {
    'key-repeated-in-errors: The message of an error repeats the key that was sent.': adding(
      anError,
      (_error, { request }) => ({ message: `Refused for ${sentKey(request)}.` }),
    ),
  }),
];
