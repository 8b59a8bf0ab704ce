import { isSafe } from '../../../conformance/http/exchange.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { errorName, route } from '../../../contract/document.ts';
import type { ApiRequest } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named, rows } from '../../table.ts';
import { message } from '../../wire/raw-server.ts';
import {
  type WhichRefusal,
  type WhichRequest,
  answeredWith,
  hungUpOn,
  isTo,
  refusedWith,
  sentKey,
} from '../requests.ts';
import { anError, showing } from '../responses.ts';

/** Whether the server treats a request as sent with the key. */
type Opens = (sent: string, key: string, request: ApiRequest) => boolean;

/** Treats some requests as the admin's although they are not. */
export function openedBy(opens: Opens, which: WhichRequest = () => true): Behaviour {
  return replacing(
    'authenticate',
    (authenticate) => (request, store) =>
      which(request) && sentKey(request) !== store.keys.restricted && opens(sentKey(request), store.keys.admin, request)
        ? 'admin'
        : authenticate(request, store),
  );
}

function formOf(key: string): string {
  return key.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
}

function hasHeader({ headers }: ApiRequest): boolean {
  return headers.authorization !== undefined;
}

/** The requirements and the bad credentials that reveal the fault, as in the ids of the checks. */
type Way = readonly [
  fault: string,
  title: string,
  breaks: readonly string[],
  seenWith: readonly string[],
  opens: Opens,
];

/** On one operation only. */
const WAYS: readonly Way[] = rows({
  'open-without-key: the server accepts a request without the Authorization header': [
    ['auth.key-required'],
    ['no-header'],
    (_sent, _key, request) => !hasHeader(request),
  ],
  'open-with-empty-key: the server requires the Authorization header, but accepts an empty one': [
    ['auth.key-required'],
    ['empty-header', 'blank-header'],
    (sent, _key, request) => hasHeader(request) && sent.trim() === '',
  ],
  'trusts-keys-of-unknown-form: the server takes a value that does not look like a key for a session token and does not verify it':
    [['auth.key-valid'], ['unknown-key'], (sent) => sent !== '' && !/^[^-]+-[^-]+-[^-]{3}-/.test(sent)],
  'checks-form-of-key: the server accepts any key of the right form, unless it ends like a known key': [
    ['auth.key-valid'],
    ['look-alike-key'],
    (sent, key) => formOf(sent) === formOf(key) && !sent.endsWith(key.slice(key.indexOf('-'))),
  ],
  'takes-start-of-key: the server accepts the beginning of a key': [
    ['auth.key-valid'],
    ['shortened-key'],
    (sent, key) => sent.length >= 8 && key.startsWith(sent),
  ],
  'cuts-key-to-length: the server cuts off what follows a key before it compares the key': [
    ['auth.key-valid'],
    ['lengthened-key'],
    (sent, key) => sent.startsWith(key),
  ],
  'compares-end-of-key: the server compares only the last eight characters of a key': [
    ['auth.key-valid'],
    ['other-start-key'],
    (sent, key) => sent.slice(-8) === key.slice(-8),
  ],
  'ignores-end-of-key: the server does not compare the last four characters of a key': [
    ['auth.key-valid'],
    ['other-end-key'],
    (sent, key) => sent.length === key.length && sent.slice(0, -4) === key.slice(0, -4),
  ],
  'ignores-case-of-key: the server ignores the letter case of a key': [
    ['auth.key-valid'],
    ['other-case-key'],
    (sent, key) => sent.toLowerCase() === key.toLowerCase(),
  ],
  'takes-key-from-query: the server accepts the key as `access_token` in the query': [
    ['auth.header-only'],
    ['key-in-query'],
    (_sent, key, { query }) => new URLSearchParams(query).get('access_token') === key,
  ],
  'takes-key-from-x-api-key: the server accepts the key in the header `X-API-Key`': [
    ['auth.header-only'],
    ['key-in-other-header'],
    (_sent, key, { headers }) => headers['x-api-key'] === key,
  ],
  'takes-key-from-cookie: the server accepts the key in the cookie `session`': [
    ['auth.header-only'],
    ['key-in-cookie'],
    (_sent, key, { headers }) => String(headers.cookie ?? '').includes(`session=${key}`),
  ],

  'key-found-by-last-word: the server takes the last word of the header as the key': [
    ['auth.key-alone'],
    ['key-behind-word'],
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ').at(-1) === key,
  ],
  'key-found-by-first-word: the server takes the first word of the header as the key': [
    ['auth.key-alone'],
    ['key-before-word'],
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ')[0] === key,
  ],
  'key-found-by-list: the server accepts a list of keys in the header if one of them is valid': [
    ['auth.key-alone'],
    ['key-in-list'],
    (sent, key) => sent.split(/\s*,\s*/).length > 1 && sent.split(/\s*,\s*/).includes(key),
  ],
  'key-found-by-quotes: the server removes quotes around the key': [
    ['auth.key-alone'],
    ['key-in-quotes'],
    (sent, key) => sent === `"${key}"`,
  ],
  'key-found-by-basic-password: the server accepts the key as the password of a Basic credential': [
    ['auth.key-alone'],
    ['key-in-basic'],
    (sent, key) => {
      const [, credentials = ''] = /^Basic (.*)$/.exec(sent) ?? [];
      return Buffer.from(credentials, 'base64').toString().endsWith(`:${key}`);
    },
  ],
});

/** On every operation, and in several ways at once. */
const WAYS_EVERYWHERE: readonly Way[] = rows({
  'any-key-passes: The server accepts any non-empty key as the key of an administrator': [
    ['auth.key-valid'],
    ['unknown-key', 'look-alike-key', 'shortened-key', 'lengthened-key', 'other-start-key', 'other-case-key'],
    (sent) => sent !== '',
  ],
  'no-key-needed: No operation requires a key': [
    ['auth.key-required', 'auth.key-valid'],
    ['no-header', 'unknown-key'],
    (sent, key) => sent !== key,
  ],
  'key-found-by-prefix-search: The server searches for keys by prefix and so accepts every beginning of a key, even the empty one':
    [
      ['auth.key-valid', 'auth.key-required'],
      ['shortened-key', 'empty-header', 'no-header'],
      (sent, key) => key.startsWith(sent),
    ],
  'key-compared-by-first-characters: The server compares only the first sixteen characters of a key': [
    ['auth.key-valid'],
    ['shortened-key', 'lengthened-key'],
    (sent, key) => sent.slice(0, 16) === key.slice(0, 16),
  ],
  'key-checked-by-form: The server checks only the form of a key': [
    ['auth.key-valid'],
    ['look-alike-key', 'other-start-key'],
    (sent, key) => formOf(sent) === formOf(key),
  ],
  'key-searched-within-header: The server searches for a key anywhere in the header': [
    ['auth.key-valid'],
    ['lengthened-key'],
    (sent, key) => sent.includes(key),
  ],
  'blank-key-counts-as-none-configured: A blank key matches a role that has no key configured': [
    ['auth.key-required'],
    ['no-header', 'empty-header', 'blank-header'],
    (sent) => sent.trim() === '',
  ],
  'key-taken-from-any-place: The server accepts the key in the query, in another header or in a cookie': [
    ['auth.header-only'],
    ['key-in-query', 'key-in-other-header', 'key-in-cookie'],
    (_sent, key, { query, headers }) => {
      const places = [query, headers['x-auth-token'], headers['x-authorization'], headers.cookie];
      return places.some((place) => String(place ?? '').includes(key));
    },
  ],
});

function accepting(slugs: readonly string[], credentials: readonly string[]): Defect['killedBy'] {
  return Object.fromEntries(slugs.flatMap((slug) => credentials.map((bad) => [`auth-${slug}-${bad}`, 'accepted'])));
}

const wrongWays: readonly Defect[] = operations.flatMap(({ id: operation, slug }) =>
  WAYS.map(([fault, title, breaks, seenWith, opens]) => ({
    id: `${slug}-${fault}`,
    title: `On \`${operation}\`, ${title}.`,
    breaks,
    killedBy: accepting([slug], seenWith),
    behaviour: openedBy(opens, isTo(operation)),
  })),
);

const wrongEverywhere: readonly Defect[] = WAYS_EVERYWHERE.map(([id, title, breaks, seenWith, opens]) => ({
  id,
  title: `${title}.`,
  breaks,
  killedBy: accepting(
    operations.map(({ slug }) => slug),
    seenWith,
  ),
  behaviour: openedBy(opens),
}));

const CALLERS = [
  { caller: 'missing-key', words: 'no key', check: 'no-header', breaks: 'auth.key-required', name: 'Unauthorized' },
  {
    ...{ caller: 'unknown-key', words: 'an unknown key', check: 'unknown-key' },
    ...{ breaks: 'auth.key-valid', name: 'InvalidTokenError' },
  },
] as const;

/** What the server does in place of the refusal; `title` completes "With no key, `updateUser` …". */
type OtherRefusal = readonly [fault: string, title: string, mode: string, make: (which: WhichRefusal) => Behaviour];

const OTHER_REFUSALS: readonly OtherRefusal[] = [
  ...[400, 403, 404, 407, 500].map((status): OtherRefusal => [
    `is-${status}`,
    `is refused with ${status}`,
    'wrong-status',
    (which) => refusedWith(which, status),
  ]),
  ...rows<OtherRefusal>({
    'redirects-to-login: is redirected to a login page': [
      'wrong-status',
      (which) => answeredWith(which, () => ({ status: 302, body: {}, headers: { location: '/login' } })),
    ],
    'is-200-with-error: is refused, but with the status 200': ['wrong-status', (which) => refusedWith(which, 200)],
  }),
];

const otherRefusals: readonly Defect[] = operations.flatMap(({ id: operation, slug }) =>
  CALLERS.flatMap(({ caller, words, check, breaks, name }): Defect[] => {
    const which: WhichRefusal = ({ request, status }) =>
      status === 401 && isTo(operation)(request) && (sentKey(request) === '') === (caller === 'missing-key');
    return [
      ...OTHER_REFUSALS.map(([fault, title, mode, make]) => ({
        id: `${slug}-${caller}-${fault}`,
        title: `With ${words}, \`${operation}\` ${title}.`,
        breaks: [breaks],
        killedBy: { [`auth-${slug}-${check}`]: mode },
        behaviour: make(which),
      })),
      {
        id: `${slug}-${caller}-named-otherwise`,
        title: `The 401 response of \`${operation}\` to ${words} has the error name ${name}.`,
        breaks: ['errors.name'],
        killedBy: { 'error-name-401': 'wrong-error-name' },
        behaviour: refusedWith(which, 401, name),
      },
    ];
  }),
);

const hangUps: readonly Defect[] = operations.map(({ id: operation, slug }) => ({
  id: `${slug}-without-key-hung-up-on`,
  title: `The server closes the connection instead of responding to \`${operation}\` without a key.`,
  breaks: ['auth.key-required'],
  killedBy: { [`auth-${slug}-no-header`]: 'no-answer' },
  behaviour: hungUpOn((request) => isTo(operation)(request) && !hasHeader(request)),
}));

const others: readonly Defect[] = named<Defect>({
  'header-name-compared-with-case: The server finds the key only if the header name is written `Authorization`.': {
    breaks: ['auth.field-name-case'],
    killedBy: Object.fromEntries(
      operations.filter(({ id }) => isSafe(route(id))).map(({ slug }) => [`auth-${slug}-field-name-case`, 'not-found']),
    ),
    behaviour: {
      instead: ({ headers, fieldNames }, socket) => {
        if (headers.authorization === undefined || fieldNames.includes('Authorization')) return false;
        const body = { id: crypto.randomUUID(), name: errorName(401), message: 'There is no key.' };
        socket.write(message(401, { 'Content-Type': 'application/json' }, JSON.stringify(body)));
        return true;
      },
    },
  },
  'key-repeated-in-errors: The message of an error repeats the key that was sent.': {
    breaks: ['auth.key-not-shown'],
    killedBy: { 'auth-key-not-shown': 'key-shown' },
    behaviour: showing(anError, (body, { request }) => ({
      ...(body as object),
      message: `Refused for ${sentKey(request)}.`,
    })),
  },
});

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly Defect[] = [
  ...wrongWays,
  ...wrongEverywhere,
  ...otherRefusals,
  ...hangUps,
  ...others,
];
