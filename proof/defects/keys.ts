import type { ApiRequest } from '../../reference-server/rules.ts';
import type { Defect } from '../defect.ts';
import type { Behaviour } from '../behaviour.ts';
import { message } from '../wire/raw-server.ts';
import { anError, showing } from './answers.ts';
import { isUpdate, sentId, sentKey, sentMembers } from './requests.ts';
import { named, rows } from '../table.ts';

/** Treats a request as the admin's although it should not. */
function openTo(opens: (request: ApiRequest, key: string) => boolean): Behaviour {
  return {
    replace: (rules) => ({
      authenticate: (request, store) =>
        opens(request, store.keys.admin) ? 'admin' : rules.authenticate(request, store),
    }),
  };
}

const OPERATIONS = [
  { id: 'update', method: 'PUT', where: 'On an update' },
  { id: 'banners', method: 'GET', where: 'On a request for the banners' },
] as const;

/** Ways to search for a key in the header, each with the bad credential that reveals it. */
const SEARCHES: readonly (readonly [
  fault: string,
  title: string,
  credential: string,
  finds: (sent: string, key: string) => boolean,
])[] = rows({
  'last-word: the server takes the last word of the header as the key': [
    'key-behind-word',
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ').at(-1) === key,
  ],
  'first-word: the server takes the first word of the header as the key': [
    'key-before-word',
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ')[0] === key,
  ],
  'list: the server accepts a list of keys in the header if one of them is valid': [
    'key-in-list',
    (sent, key) => sent.split(/\s*,\s*/).length > 1 && sent.split(/\s*,\s*/).includes(key),
  ],
  'quotes: the server removes quotes around the key': ['key-in-quotes', (sent, key) => sent === `"${key}"`],
});

const searches: readonly Defect[] = OPERATIONS.flatMap((operation) =>
  SEARCHES.map(([fault, title, credential, finds]) => ({
    id: `${operation.id}-key-found-by-${fault}`,
    title: `${operation.where}, ${title}.`,
    breaks: ['auth.key-alone'],
    killedBy: { [`auth-${operation.id}-${credential}`]: 'accepted' },
    behaviour: openTo((request, key) => request.method === operation.method && finds(sentKey(request), key)),
  })),
);

const WITHOUT_KEY = [
  {
    id: 'without-key',
    words: 'without a key',
    requirement: 'auth.key-required',
    credential: 'no-header',
    isSo: ({ headers }: ApiRequest) => headers.authorization === undefined,
  },
  {
    id: 'with-unknown-key',
    words: 'with a key that nobody issued',
    requirement: 'auth.key-valid',
    credential: 'unknown-key',
    isSo: (request: ApiRequest) => sentKey(request).startsWith('conformance-unknown-'),
  },
] as const;

const membersOf = (request: ApiRequest): string => Object.keys(sentMembers(request)).sort().join();

/** The bodies and users for which alone no key is required. */
const GAPS: readonly (readonly [
  fault: string,
  title: string,
  check: string,
  isSo: (request: ApiRequest) => boolean,
])[] = rows({
  'name-and-email: of name and e-mail address': ['', (request) => membersOf(request) === 'email,name'],
  'name-alone: of only a name': ['each-member-', (request) => membersOf(request) === 'name' && sentId(request) === '1'],
  'email-alone: of only an e-mail address': ['each-member-', (request) => membersOf(request) === 'email'],
  'nothing: with an empty object': ['each-member-', ({ body }) => body.toString() === '{}'],
  'the-other-user: of any user but the first': ['other-user-', (request) => sentId(request) === '2'],
});

const gaps: readonly Defect[] = WITHOUT_KEY.flatMap(({ id, words, requirement, credential, isSo }) =>
  GAPS.map(([fault, title, check, isGap]) => ({
    id: `update-of-${fault}-${id}`,
    title: `The server accepts an update ${title} ${words}.`,
    breaks: [requirement],
    killedBy: { [`auth-update-${check}${credential}`]: 'accepted' },
    behaviour: openTo(
      (request) => isUpdate(request) && sentMembers(request).name !== 5 && isSo(request) && isGap(request),
    ),
  })),
);

const others: readonly Defect[] = named<Defect>({
  'update-key-taken-from-body: The server accepts the key in the member `apiKey` of an update.': {
    breaks: ['auth.header-only'],
    killedBy: { 'auth-update-key-in-body': 'accepted' },
    behaviour: openTo((request, key) => isUpdate(request) && sentMembers(request).apiKey === key),
  },
  'header-name-compared-with-case: The server finds the key only if the header name is written `Authorization`.': {
    breaks: ['auth.field-name-case'],
    killedBy: { 'auth-banners-field-name-case': 'not-found' },
    behaviour: {
      instead: ({ headers, fieldNames }, socket) => {
        if (headers.authorization === undefined || fieldNames.includes('Authorization')) return false;
        const body = { id: crypto.randomUUID(), name: 'AuthenticationRequired', message: 'There is no key.' };
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
  'key-repeated-in-user: A user shows the key with which it was updated.': {
    breaks: ['auth.key-not-shown'],
    killedBy: { 'auth-key-not-shown': 'key-shown' },
    behaviour: showing(
      ({ request, status }) => isUpdate(request) && status === 200,
      (body, { request }) => ({ ...(body as object), updatedWith: sentKey(request) }),
    ),
  },
});

/** Where and how a key is found. Source: Authentication, 1 and 2. */
export const keysDefects: readonly Defect[] = [...searches, ...gaps, ...others];
