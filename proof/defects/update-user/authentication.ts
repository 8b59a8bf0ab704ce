import { parsedJson } from '../../../common/json.ts';
import { replacing } from '../../behaviour.ts';
import type { ApiRequest, Rules, Store } from '../../../reference-server/rules.ts';
import type { Defect } from '../../defect.ts';
import { alike, named, rows } from '../../table.ts';
import { openedBy } from '../every-operation/authentication.ts';
import { answeredWith, refusedWith, sentId, sentKey, sentMembers, type WhichRefusal } from '../requests.ts';
import { showing } from '../responses.ts';
import { anUpdate, isUpdate } from './updates.ts';

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
    behaviour: openedBy(
      (_sent, _key, request) => sentMembers(request).name !== 5 && isSo(request) && isGap(request),
      isUpdate,
    ),
  })),
);

const others: readonly Defect[] = named<Defect>({
  'caller-remembered-by-address: A client that has sent a valid key once need not send it again.': {
    breaks: ['auth.key-required', 'auth.key-valid'],
    killedBy: { 'auth-update-no-header': 'accepted', 'auth-update-unknown-key': 'accepted' },
    behaviour: replacing('authenticate', (authenticate) => {
      let known = false;
      return (request, store) => {
        if (isUpdate(request) && sentKey(request) === store.keys.admin) known = true;
        else if (isUpdate(request) && known && sentKey(request) !== store.keys.restricted) return 'admin';
        return authenticate(request, store);
      };
    }),
  },
  'update-key-taken-from-body: The server accepts the key in the member `apiKey` of an update.': {
    breaks: ['auth.header-only'],
    killedBy: { 'auth-update-key-in-body': 'accepted' },
    behaviour: openedBy((_sent, key, request) => sentMembers(request).apiKey === key, isUpdate),
  },
  'key-repeated-in-user: A user shows the key with which it was updated.': {
    breaks: ['auth.key-not-shown'],
    killedBy: { 'auth-key-not-shown': 'key-shown' },
    behaviour: showing(anUpdate, (body, { request }) => ({ ...(body as object), updatedWith: sentKey(request) })),
  },
});

/** Says whether there is a user before the key is checked. */
function telling(message: (isThere: boolean) => string): Defect['behaviour'] {
  return answeredWith(
    ({ request, status }) => status === 401 && isUpdate(request),
    ({ request, store }) => ({
      status: 401,
      body: {
        id: crypto.randomUUID(),
        name: 'AuthenticationRequired',
        message: message(store.users.has(Number(sentId(request)))),
      },
    }),
  );
}

const tellingUsers = alike(['auth.existence-hidden'], { 'auth-hides-users': 'told' })({
  'missing-user-told-without-key: Without a key, the 401 response says that the user does not exist.': telling(
    (isThere) => (isThere ? 'Send a valid key.' : 'Send a valid key. There is no such user.'),
  ),
});

const malformedWithoutKey: WhichRefusal = ({ request, status }) =>
  status === 401 && isUpdate(request) && parsedJson(request.body.toString('utf8')) === undefined;

type Step = (request: ApiRequest, rules: Rules, store: Store) => void;

const validate: Step = ({ body }, rules) => {
  rules.validateUpdate(rules.parseBody(body));
};
const lookUp: Step = (request, rules, store) => {
  rules.findUser(store, rules.parseUserId(sentId(request)));
};
/** Checks at once that a key is present, but only later that it is valid. */
const withKeyAlone =
  (step: Step): Step =>
  (request, rules, store) => {
    if (sentKey(request) !== '') step(request, rules, store);
  };

type OrderRow = readonly [id: string, title: string, check: string, step: Step];

const ORDER_ROWS: readonly OrderRow[] = rows({
  'body-validated-before-key: The server validates the body before it checks the key.': [
    'auth-before-validation',
    validate,
  ],
  'user-looked-up-before-key: The server looks up the user before it checks the key.': [
    'auth-before-existence',
    lookUp,
  ],
  'key-verified-after-validation: The server checks at once that a key is present, but verifies it only after it has validated the body.':
    ['auth-before-validation', withKeyAlone(validate)],
  'key-verified-after-user-lookup: The server checks at once that a key is present, but verifies it only after it has found the user.':
    ['auth-before-existence', withKeyAlone(lookUp)],
});

const wrongOrder: readonly Defect[] = [
  ...ORDER_ROWS.map(([id, title, check, step]) => ({
    id,
    title,
    breaks: ['auth.comes-first'],
    killedBy: { [check]: 'wrong-status' },
    behaviour: replacing('authenticate', (authenticate, _store, rules) => (request, store) => {
      if (isUpdate(request)) step(request, rules, store);
      return authenticate(request, store);
    }),
  })),
  ...alike(['auth.key-required', 'auth.key-valid'], { 'auth-malformed-body': 'wrong-status' })({
    'malformed-body-crashes-without-key: The server fails when the body is not JSON and the key is missing or unknown.':
      refusedWith(malformedWithoutKey, 500),
  }),
  ...named<Defect>({
    'malformed-body-skips-key: When the body cannot be read, the server responds 200 before it checks the key.': {
      breaks: ['auth.key-required', 'auth.key-valid'],
      killedBy: { 'auth-malformed-body': 'accepted' },
      behaviour: answeredWith(malformedWithoutKey, () => ({ status: 200, body: {} })),
    },
  }),
];

/** What authentication means for an update in particular. Source: Authentication, 1 and 2; Errors, 401. */
export const updateAuthenticationDefects: readonly Defect[] = [...gaps, ...others, ...tellingUsers, ...wrongOrder];
