import type { ApiRequest } from '../../reference-server/rules.ts';
import type { Defect } from '../defect.ts';
import type { Behaviour } from '../behaviour.ts';
import { message } from '../wire/raw-server.ts';
import { anError, showing } from './answers.ts';
import { isUpdate, sentId, sentKey, sentMembers } from './requests.ts';

/** Takes a request for the admin's where it should not. */
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
  { id: 'banners', method: 'GET', where: 'On the list of banners' },
] as const;

/** Ways in which a key is searched for in the header, and the bad credential that shows it. */
const SEARCHES: readonly (readonly [
  fault: string,
  title: string,
  credential: string,
  finds: (sent: string, key: string) => boolean,
])[] = [
  [
    'last-word',
    'the last word of the header is taken for the key',
    'key-behind-word',
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ').at(-1) === key,
  ],
  [
    'first-word',
    'the first word of the header is taken for the key',
    'key-before-word',
    (sent, key) => sent.split(' ').length > 1 && sent.split(' ')[0] === key,
  ],
  [
    'list',
    'any key of a list in the header counts',
    'key-in-list',
    (sent, key) => sent.split(/\s*,\s*/).length > 1 && sent.split(/\s*,\s*/).includes(key),
  ],
  ['quotes', 'quotes around the key are taken away', 'key-in-quotes', (sent, key) => sent === `"${key}"`],
];

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

/** Bodies and users on which alone a key is not asked for. */
const GAPS: readonly (readonly [
  fault: string,
  title: string,
  check: string,
  isSo: (request: ApiRequest) => boolean,
])[] = [
  ['name-and-email', 'a name together with an e-mail address', '', (request) => membersOf(request) === 'email,name'],
  ['name-alone', 'a name alone', 'each-member-', (request) => membersOf(request) === 'name' && sentId(request) === '1'],
  ['email-alone', 'an e-mail address alone', 'each-member-', (request) => membersOf(request) === 'email'],
  ['nothing', 'an empty object', 'each-member-', ({ body }) => body.toString() === '{}'],
  ['the-other-user', 'another user than the first', 'other-user-', (request) => sentId(request) === '2'],
];

const gaps: readonly Defect[] = WITHOUT_KEY.flatMap(({ id, words, requirement, credential, isSo }) =>
  GAPS.map(([fault, title, check, isGap]) => ({
    id: `update-of-${fault}-${id}`,
    title: `An update of ${title} is accepted ${words}.`,
    breaks: [requirement],
    killedBy: { [`auth-update-${check}${credential}`]: 'accepted' },
    behaviour: openTo(
      (request) => isUpdate(request) && sentMembers(request).name !== 5 && isSo(request) && isGap(request),
    ),
  })),
);

const others: readonly Defect[] = [
  {
    id: 'update-key-taken-from-body',
    title: 'An update takes the key from the member `apiKey` of its body.',
    breaks: ['auth.header-only'],
    killedBy: { 'auth-update-key-in-body': 'accepted' },
    behaviour: openTo((request, key) => isUpdate(request) && sentMembers(request).apiKey === key),
  },
  {
    id: 'header-name-compared-with-case',
    title: 'The key is found only where the name of the header is written `Authorization`.',
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
  {
    id: 'key-repeated-in-errors',
    title: 'The message of an error repeats the key that was sent.',
    breaks: ['auth.key-not-shown'],
    killedBy: { 'auth-key-not-shown': 'key-shown' },
    behaviour: showing(anError, (body, { request }) => ({
      ...(body as object),
      message: `Refused for ${sentKey(request)}.`,
    })),
  },
  {
    id: 'key-repeated-in-user',
    title: 'A user shows the key with which it was updated.',
    breaks: ['auth.key-not-shown'],
    killedBy: { 'auth-key-not-shown': 'key-shown' },
    behaviour: showing(
      ({ request, status }) => isUpdate(request) && status === 200,
      (body, { request }) => ({ ...(body as object), updatedWith: sentKey(request) }),
    ),
  },
];

/** Where and how a key is found. Source: Authentication, 1 and 2. */
export const keysDefects: readonly Defect[] = [...searches, ...gaps, ...others];
