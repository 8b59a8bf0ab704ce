import { isSafe } from '../../../conformance/http/exchange.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { errorName, route } from '../../../contract/document.ts';
import type { ApiRequest } from '../../../reference-server/rules.ts';
import { toApiRequest } from '../../../reference-server/service.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, defectsOf, named, tableOf } from '../../table.ts';
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
import { answeredWith, hungUpOn, refusedWith, showing } from '../responses.ts';

/** Whether the server treats a request as sent with the key. */
type Opens = (sent: string, key: string, request: ApiRequest) => boolean;

/** Treats some requests as the admin's although they are not. */
export function openedBy(opens: Opens, which: WhichRequest = any): Behaviour {
  return replacing('authenticate', (authenticate) => (request, store) => {
    const [sent, { admin, restricted }] = [sentKey(request), store.keys];
    const isOpen = which({ request, store }) && sent !== restricted && opens(sent, admin, request);
    return isOpen ? 'admin' : authenticate(request, store);
  });
}

function formOf(key: string): string {
  return key.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
}

/** The bad credentials that show that a requirement is broken, as in the ids of the checks. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  'auth.key-required': ['no-header', 'empty-header', 'blank-header'],
  'auth.key-valid': [
    ...['unknown-key', 'look-alike-key', 'shortened-key', 'lengthened-key'],
    ...['other-start-key', 'other-end-key', 'other-case-key'],
  ],
  'auth.header-only': ['key-in-query', 'key-in-other-header', 'key-in-cookie'],
  'auth.key-alone': ['key-behind-word', 'key-before-word', 'key-in-list', 'key-in-quotes', 'key-in-basic'],
};

/** A fault, and the bad credentials that it lets in. */
type Way = readonly [opens: Opens, credentials: readonly string[]];

/** On one operation only. */
const WAYS: Table<Way> = {
  'open-without-key: the server accepts a request without the Authorization header': [
    (_sent, _key, { headers }) => headers.authorization === undefined,
    ['no-header'],
  ],
  'open-with-empty-key: the server requires the Authorization header, but accepts an empty one': [
    (sent, _key, { headers }) => headers.authorization !== undefined && sent.trim() === '',
    ['empty-header', 'blank-header'],
  ],
  'trusts-keys-of-unknown-form: the server takes a value that does not look like a key for a session token and does not verify it':
    [(sent) => sent !== '' && !/^[^-]+-[^-]+-[^-]{3}-/.test(sent), ['unknown-key']],
  'checks-form-of-key: the server accepts any key of the right form, unless it ends like a known key': [
    (sent, key) => formOf(sent) === formOf(key) && !sent.endsWith(key.slice(key.indexOf('-'))),
    ['look-alike-key'],
  ],
  'takes-start-of-key: the server accepts the beginning of a key': [
    (sent, key) => sent.length >= 8 && key.startsWith(sent),
    ['shortened-key'],
  ],
  'cuts-key-to-length: the server cuts off what follows a key before it compares the key': [
    (sent, key) => sent.startsWith(key),
    ['lengthened-key'],
  ],
  'compares-end-of-key: the server compares only the last eight characters of a key': [
    (sent, key) => sent.slice(-8) === key.slice(-8),
    ['other-start-key'],
  ],
  'ignores-end-of-key: the server does not compare the last four characters of a key': [
    (sent, key) => sent.length === key.length && sent.slice(0, -4) === key.slice(0, -4),
    ['other-end-key'],
  ],
  'ignores-case-of-key: the server ignores the letter case of a key': [
    (sent, key) => sent.toLowerCase() === key.toLowerCase(),
    ['other-case-key'],
  ],
  'takes-key-from-query: the server accepts the key as `access_token` in the query': [
    (_sent, key, { query }) => new URLSearchParams(query).get('access_token') === key,
    ['key-in-query'],
  ],
  'takes-key-from-x-api-key: the server accepts the key in the header `X-API-Key`': [
    (_sent, key, { headers }) => headers['x-api-key'] === key,
    ['key-in-other-header'],
  ],
  'takes-key-from-cookie: the server accepts the key in the cookie `session`': [
    (_sent, key, { headers }) => String(headers.cookie ?? '').includes(`session=${key}`),
    ['key-in-cookie'],
  ],
  'key-found-by-last-word: the server takes the last word of the header as the key': [
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ').at(-1) === key,
    ['key-behind-word'],
  ],
  'key-found-by-first-word: the server takes the first word of the header as the key': [
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ')[0] === key,
    ['key-before-word'],
  ],
  'key-found-by-list: the server accepts a list of keys in the header if one of them is valid': [
    (sent, key) => sent.split(/\s*,\s*/).length > 1 && sent.split(/\s*,\s*/).includes(key),
    ['key-in-list'],
  ],
  'key-found-by-quotes: the server removes quotes around the key': [
    (sent, key) => sent === `"${key}"`,
    ['key-in-quotes'],
  ],
  'key-found-by-basic-password: the server accepts the key as the password of a Basic credential': [
    (sent, key) => {
      const [, credentials = ''] = /^Basic (.*)$/.exec(sent) ?? [];
      return Buffer.from(credentials, 'base64').toString().endsWith(`:${key}`);
    },
    ['key-in-basic'],
  ],
};

/** On every operation, and in several ways at once. */
const WAYS_EVERYWHERE: Table<Way> = {
  'any-key-passes: The server accepts any non-empty key as the key of an administrator': [
    (sent) => sent !== '',
    ['unknown-key', 'look-alike-key', 'shortened-key', 'lengthened-key', 'other-start-key', 'other-case-key'],
  ],
  'no-key-needed: No operation requires a key': [(sent, key) => sent !== key, ['no-header', 'unknown-key']],
  'key-found-by-prefix-search: The server searches for keys by prefix and so accepts every beginning of a key, even the empty one':
    [(sent, key) => key.startsWith(sent), ['shortened-key', 'empty-header', 'no-header']],
  'key-compared-by-first-characters: The server compares only the first sixteen characters of a key': [
    (sent, key) => sent.slice(0, 16) === key.slice(0, 16),
    ['shortened-key', 'lengthened-key'],
  ],
  'key-checked-by-form: The server checks only the form of a key': [
    (sent, key) => formOf(sent) === formOf(key),
    ['look-alike-key', 'other-start-key'],
  ],
  'key-searched-within-header: The server searches for a key anywhere in the header': [
    (sent, key) => sent.includes(key),
    ['lengthened-key'],
  ],
  'blank-key-counts-as-none-configured: A blank key matches a role that has no key configured': [
    (sent) => sent.trim() === '',
    ['no-header', 'empty-header', 'blank-header'],
  ],
  'key-taken-from-any-place: The server accepts the key in the query, in another header or in a cookie': [
    (_sent, key, { query, headers }) => {
      const places = [query, headers['x-auth-token'], headers['x-authorization'], headers.cookie];
      return places.some((place) => String(place ?? '').includes(key));
    },
    ['key-in-query', 'key-in-other-header', 'key-in-cookie'],
  ],
};

function opened(slugs: readonly string[], [opens, credentials]: Way, which?: WhichRequest) {
  const broken = (credential: string): string[] =>
    Object.keys(CREDENTIALS).filter((requirement) => CREDENTIALS[requirement]?.includes(credential));
  return {
    breaks: [...new Set(credentials.flatMap(broken))],
    behaviour: openedBy(opens, which),
  };
}

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
  { caller: 'missing-key', words: 'no key', breaks: 'auth.key-required', name: 'Unauthorized' },
  {
    ...{ caller: 'unknown-key', words: 'an unknown key', breaks: 'auth.key-valid', name: 'InvalidTokenError' },
  },
] as const;

const otherRefusals: readonly WrittenDefect[] = operations.flatMap(({ id: operation, slug }) =>
  CALLERS.flatMap(({ caller, words, breaks, name }): WrittenDefect[] => {
    const which = all(answered(401), isTo(operation), caller === 'missing-key' ? not(hasKey) : hasKey);
    return [
      ...defectsOf(
        OTHER_REFUSALS,
        (make) => ({
          breaks: [breaks],
          behaviour: make(which),
        }),
        `${slug}-${caller}-*: With ${words}, \`${operation}\` *.`,
      ),
      {
        id: `${slug}-${caller}-named-otherwise`,
        title: `The 401 response of \`${operation}\` to ${words} has the error name ${name}.`,
        breaks: ['errors.name'],
        behaviour: refusedWith(which, 401, name),
      },
    ];
  }),
);

const hangUps: readonly WrittenDefect[] = operations.map(({ id: operation, slug }) => ({
  id: `${slug}-without-key-hung-up-on`,
  title: `The server closes the connection instead of responding to \`${operation}\` without a key.`,
  breaks: ['auth.key-required'],
  behaviour: hungUpOn(all(isTo(operation), not(hasHeader))),
}));

const fieldNames: readonly WrittenDefect[] = operations
  .filter(({ id }) => isSafe(route(id)))
  .map(({ id: operation, slug }) => ({
    id: `${slug}-header-name-compared-with-case`,
    title: `On \`${operation}\`, the server finds the key only if the header name is written \`Authorization\`.`,
    breaks: ['auth.field-name-case'],
    behaviour: {
      instead: ({ method, target, headers, fieldNames: written, body: sent }, socket) => {
        const isToIt = isTo(operation)({ request: toApiRequest(method, target, headers, sent) });
        if (!isToIt || headers.authorization === undefined || written.includes('Authorization')) return false;
        const body = { id: crypto.randomUUID(), name: errorName(401), message: 'There is no key.' };
        socket.write(message(401, JSON_TYPE, JSON.stringify(body)));
        return true;
      },
    },
  }));

const others: readonly WrittenDefect[] = named<WrittenDefect>({
  'key-repeated-in-errors: The message of an error repeats the key that was sent.': {
    breaks: ['auth.key-not-shown'],
    behaviour: showing<object>(anError, (body, { request }) => ({
      ...body,
      message: `Refused for ${sentKey(request)}.`,
    })),
  },
});

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly WrittenDefect[] = [
  ...operations.flatMap(({ id, slug }) =>
    defectsOf(WAYS, (way) => opened([slug], way, isTo(id)), `${slug}-*: On \`${id}\`, *.`),
  ),
  ...defectsOf(
    WAYS_EVERYWHERE,
    (way) =>
      opened(
        operations.map(({ slug }) => slug),
        way,
      ),
    '*: *.',
  ),
  ...otherRefusals,
  ...hangUps,
  ...fieldNames,
  ...others,
];
