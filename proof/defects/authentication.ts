import type { ApiRequest, ApiResponse, Rules, Store } from '../../reference-server/rules.ts';
import type { Defect } from '../defect.ts';
import {
  answeredWith,
  hungUpOn,
  isUpdate,
  parsed,
  refusedWith,
  sentId,
  sentKey,
  type WhichRefusal,
} from './requests.ts';

const OPERATIONS = [
  { id: 'update', method: 'PUT', where: 'On an update' },
  { id: 'banners', method: 'GET', where: 'On a request for the banners' },
] as const;

type OperationName = (typeof OPERATIONS)[number]['id'];

/** Whether the server treats a request as sent with the key. */
type Opens = (sent: string, key: string, request: ApiRequest) => boolean;

function openedBy(opens: Opens, methods: readonly string[]) {
  return {
    replace: (rules: Rules): Partial<Rules> => ({
      authenticate: (request, store) =>
        methods.includes(request.method) &&
        sentKey(request) !== store.keys.restricted &&
        opens(sentKey(request), store.keys.admin, request)
          ? 'admin'
          : rules.authenticate(request, store),
    }),
  };
}

function formOf(key: string): string {
  return key.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
}

function hasHeader(request: ApiRequest): boolean {
  return request.headers.authorization !== undefined;
}

interface Way {
  readonly fault: string;
  /** Completes "On an update, …". */
  readonly title: string;
  /** The requirement and the bad credentials that reveal the fault, as in the ids of the checks. */
  readonly breaks: string;
  readonly seenWith: readonly string[];
  readonly opens: Opens;
}

/** Each on one operation only. */
const ways: readonly Way[] = [
  {
    fault: 'open-without-key',
    title: 'the server accepts a request without the Authorization header',
    breaks: 'auth.key-required',
    seenWith: ['no-header'],
    opens: (_sent, _key, request) => !hasHeader(request),
  },
  {
    fault: 'open-with-empty-key',
    title: 'the server requires the Authorization header, but accepts an empty one',
    breaks: 'auth.key-required',
    seenWith: ['empty-header', 'blank-header'],
    opens: (sent, _key, request) => hasHeader(request) && sent.trim() === '',
  },
  {
    fault: 'trusts-keys-of-unknown-form',
    title: 'the server takes a value that does not look like a key for a session token and does not verify it',
    breaks: 'auth.key-valid',
    seenWith: ['unknown-key'],
    opens: (sent) => sent !== '' && !/^[^-]+-[^-]+-[^-]{3}-/.test(sent),
  },
  {
    fault: 'checks-form-of-key',
    title: 'the server accepts any key of the right form, unless it ends like a known key',
    breaks: 'auth.key-valid',
    seenWith: ['look-alike-key'],
    opens: (sent, key) => formOf(sent) === formOf(key) && !sent.endsWith(key.slice(key.indexOf('-'))),
  },
  {
    fault: 'takes-start-of-key',
    title: 'the server accepts the beginning of a key',
    breaks: 'auth.key-valid',
    seenWith: ['shortened-key'],
    opens: (sent, key) => sent.length >= 8 && key.startsWith(sent),
  },
  {
    fault: 'cuts-key-to-length',
    title: 'the server cuts off what follows a key before it compares the key',
    breaks: 'auth.key-valid',
    seenWith: ['lengthened-key'],
    opens: (sent, key) => sent.startsWith(key),
  },
  {
    fault: 'compares-end-of-key',
    title: 'the server compares only the last eight characters of a key',
    breaks: 'auth.key-valid',
    seenWith: ['other-start-key'],
    opens: (sent, key) => sent.slice(-8) === key.slice(-8),
  },
  {
    fault: 'ignores-case-of-key',
    title: 'the server ignores the letter case of a key',
    breaks: 'auth.key-valid',
    seenWith: ['other-case-key'],
    opens: (sent, key) => sent.toLowerCase() === key.toLowerCase(),
  },
  {
    fault: 'takes-key-from-query',
    title: 'the server accepts the key as `access_token` in the query',
    breaks: 'auth.header-only',
    seenWith: ['key-in-query'],
    opens: (_sent, key, { query }) => new URLSearchParams(query).get('access_token') === key,
  },
  {
    fault: 'takes-key-from-x-api-key',
    title: 'the server accepts the key in the header `X-API-Key`',
    breaks: 'auth.header-only',
    seenWith: ['key-in-other-header'],
    opens: (_sent, key, { headers }) => headers['x-api-key'] === key,
  },
  {
    fault: 'takes-key-from-cookie',
    title: 'the server accepts the key in the cookie `session`',
    breaks: 'auth.header-only',
    seenWith: ['key-in-cookie'],
    opens: (_sent, key, { headers }) => String(headers.cookie ?? '').includes(`session=${key}`),
  },
];

const wrongWays: readonly Defect[] = OPERATIONS.flatMap(({ id, method, where }) =>
  ways.map(({ fault, title, breaks, seenWith, opens }) => ({
    id: `${id}-${fault}`,
    title: `${where}, ${title}.`,
    breaks: [breaks],
    killedBy: Object.fromEntries(seenWith.map((bad) => [`auth-${id}-${bad}`, 'accepted'])),
    behaviour: openedBy(opens, [method]),
  })),
);

interface Everywhere extends Omit<Way, 'breaks'> {
  readonly breaks: readonly string[];
}

/** On both operations, and in several ways at once. */
const everywhere: readonly Everywhere[] = [
  {
    fault: 'any-key-passes',
    title: 'The server accepts any non-empty key as the key of an administrator',
    breaks: ['auth.key-valid'],
    seenWith: ['unknown-key', 'look-alike-key', 'shortened-key', 'lengthened-key', 'other-start-key', 'other-case-key'],
    opens: (sent) => sent !== '',
  },
  {
    fault: 'no-key-needed',
    title: 'No operation requires a key',
    breaks: ['auth.key-required', 'auth.key-valid', 'auth.header-only'],
    seenWith: ['no-header', 'unknown-key', 'key-in-cookie'],
    opens: (sent, key) => sent !== key,
  },
  {
    fault: 'key-found-by-prefix-search',
    title: 'The server searches for keys by prefix and so accepts every beginning of a key, even the empty one',
    breaks: ['auth.key-valid', 'auth.key-required'],
    seenWith: ['shortened-key', 'empty-header', 'no-header'],
    opens: (sent, key) => key.startsWith(sent),
  },
  {
    fault: 'key-compared-by-first-characters',
    title: 'The server compares only the first sixteen characters of a key',
    breaks: ['auth.key-valid'],
    seenWith: ['shortened-key', 'lengthened-key'],
    opens: (sent, key) => sent.slice(0, 16) === key.slice(0, 16),
  },
  {
    fault: 'key-checked-by-form',
    title: 'The server checks only the form of a key',
    breaks: ['auth.key-valid'],
    seenWith: ['look-alike-key', 'other-start-key'],
    opens: (sent, key) => formOf(sent) === formOf(key),
  },
  {
    fault: 'key-searched-within-header',
    title: 'The server searches for a key anywhere in the header',
    breaks: ['auth.key-valid'],
    seenWith: ['lengthened-key'],
    opens: (sent, key) => sent.includes(key),
  },
  {
    fault: 'blank-key-counts-as-none-configured',
    title: 'A blank key matches a role that has no key configured',
    breaks: ['auth.key-required'],
    seenWith: ['no-header', 'empty-header', 'blank-header'],
    opens: (sent) => sent.trim() === '',
  },
  {
    fault: 'key-taken-from-any-place',
    title: 'The server accepts the key in the query, in another header or in a cookie',
    breaks: ['auth.header-only'],
    seenWith: ['key-in-query', 'key-in-other-header', 'key-in-cookie'],
    opens: (_sent, key, { query, headers }) => {
      const places = [query, headers['x-auth-token'], headers['x-authorization'], headers.cookie];
      return places.some((place) => String(place ?? '').includes(key));
    },
  },
];

const wrongEverywhere: readonly Defect[] = everywhere.map(({ fault, title, breaks, seenWith, opens }) => ({
  id: fault,
  title: `${title}.`,
  breaks,
  killedBy: Object.fromEntries(
    OPERATIONS.flatMap(({ id }) => seenWith.map((bad) => [`auth-${id}-${bad}`, 'accepted'])),
  ),
  behaviour: openedBy(
    opens,
    OPERATIONS.map(({ method }) => method),
  ),
}));

const CALLERS = {
  'missing-key': { check: 'no-header', breaks: 'auth.key-required', sent: (key: string) => key === '' },
  'unknown-key': { check: 'unknown-key', breaks: 'auth.key-valid', sent: (key: string) => key !== '' },
} as const;

/** Matches refusals by one operation of one kind of caller. */
function refusalsTo(operation: OperationName, caller: keyof typeof CALLERS): WhichRefusal {
  return ({ request, status }) =>
    status === 401 && isUpdate(request) === (operation === 'update') && CALLERS[caller].sent(sentKey(request));
}

function otherAnswer(
  operation: OperationName,
  caller: keyof typeof CALLERS,
  fault: string,
  title: string,
  mode: string,
  make: (which: WhichRefusal) => Defect['behaviour'],
): Defect {
  const { check, breaks } = CALLERS[caller];
  return {
    id: `${operation}-${caller}-${fault}`,
    title,
    breaks: [breaks],
    killedBy: { [`auth-${operation}-${check}`]: mode },
    behaviour: make(refusalsTo(operation, caller)),
  };
}

const otherStatuses: readonly Defect[] = (
  [
    ['update', 'missing-key', 403, 'The server responds to an update without a key as if the permission were missing.'],
    ['banners', 'missing-key', 403, 'The server responds 403 to a request for the banners without a key.'],
    ['update', 'unknown-key', 403, 'The server treats an unknown key as a key without the permission.'],
    ['banners', 'unknown-key', 404, 'The server hides the list of banners from unknown keys: it responds 404.'],
    ['update', 'unknown-key', 404, 'The server hides users from unknown keys: it responds 404.'],
    ['update', 'missing-key', 400, 'The server treats a missing key as a missing parameter of the update.'],
    [
      'banners',
      'unknown-key',
      400,
      'The server treats a request for the banners with a key that it cannot parse as invalid.',
    ],
    ['update', 'unknown-key', 500, 'The server fails when an update has an unknown key.'],
    ['banners', 'missing-key', 500, 'The server fails when a request for the banners has no key.'],
    ['update', 'missing-key', 407, 'A gateway asks for a proxy key when an update has no key.'],
  ] as const
).map(([operation, caller, status, title]) =>
  otherAnswer(operation, caller, `is-${status}`, title, 'wrong-status', (which) => refusedWith(which, status)),
);

function otherName(operation: OperationName, caller: keyof typeof CALLERS, name: string): Defect {
  const where = operation === 'update' ? 'an update' : 'a request for the banners';
  const title = `The 401 response to ${where} with ${caller === 'missing-key' ? 'no key' : 'an unknown key'} has the error name ${name}.`;
  const made = otherAnswer(operation, caller, 'named-otherwise', title, 'wrong-error-name', (which) =>
    refusedWith(which, 401, name),
  );
  return {
    ...made,
    breaks: [...made.breaks, 'errors.name'],
    killedBy: { ...made.killedBy, 'error-name-401': 'wrong-error-name' },
  };
}

const otherAnswers: readonly Defect[] = [
  otherAnswer(
    'banners',
    'missing-key',
    'redirects-to-login',
    'A request for the banners without a key is redirected to a login page.',
    'wrong-status',
    (which) => answeredWith(which, (): ApiResponse => ({ status: 302, body: {}, headers: { location: '/login' } })),
  ),
  otherAnswer(
    'update',
    'missing-key',
    'is-200-with-error',
    'The server refuses an update without a key, but with the status 200.',
    'accepted',
    (which) => refusedWith(which, 200),
  ),
  otherAnswer(
    'banners',
    'unknown-key',
    'gets-empty-list',
    'The server responds to an unknown key with an empty list of banners.',
    'accepted',
    (which) => answeredWith(which, () => ({ status: 200, body: { banners: [] } })),
  ),
  otherName('update', 'missing-key', 'Unauthorized'),
  otherName('update', 'unknown-key', 'InvalidTokenError'),
  otherName('banners', 'missing-key', 'authenticationRequired'),
  otherName('banners', 'unknown-key', 'InvalidTokenError'),
  {
    id: 'update-without-key-hung-up-on',
    title: 'The server closes the connection instead of responding to an update without a key.',
    breaks: ['auth.key-required'],
    killedBy: { 'auth-update-no-header': 'no-answer' },
    behaviour: hungUpOn(({ method, headers }) => method === 'PUT' && headers.authorization === undefined),
  },
  {
    id: 'caller-remembered-by-address',
    title: 'A client that has sent a valid key once need not send it again.',
    breaks: ['auth.key-required', 'auth.key-valid'],
    killedBy: { 'auth-update-no-header': 'accepted', 'auth-update-unknown-key': 'accepted' },
    behaviour: {
      replace: (rules) => {
        let known = false;
        return {
          authenticate: (request, store) => {
            if (isUpdate(request) && sentKey(request) === store.keys.admin) known = true;
            else if (isUpdate(request) && known && sentKey(request) !== store.keys.restricted) return 'admin';
            return rules.authenticate(request, store);
          },
        };
      },
    },
  },
];

function isMalformed(request: ApiRequest): boolean {
  return isUpdate(request) && parsed(request.body.toString('utf8')) === undefined;
}

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

const ORDER_ROWS: readonly OrderRow[] = [
  [
    'body-validated-before-key',
    'The server validates the body before it checks the key.',
    'auth-before-validation',
    validate,
  ],
  [
    'user-looked-up-before-key',
    'The server looks up the user before it checks the key.',
    'auth-before-existence',
    lookUp,
  ],
  [
    'key-verified-after-validation',
    'The server checks at once that a key is present, but verifies it only after it has validated the body.',
    'auth-before-validation',
    withKeyAlone(validate),
  ],
  [
    'key-verified-after-user-lookup',
    'The server checks at once that a key is present, but verifies it only after it has found the user.',
    'auth-before-existence',
    withKeyAlone(lookUp),
  ],
];

const wrongOrder: readonly Defect[] = [
  ...ORDER_ROWS.map(([id, title, check, step]) => ({
    id,
    title,
    breaks: ['auth.comes-first'],
    killedBy: { [check]: 'wrong-status' },
    behaviour: {
      replace: (rules: Rules): Partial<Rules> => ({
        authenticate: (request, store) => {
          if (isUpdate(request)) step(request, rules, store);
          return rules.authenticate(request, store);
        },
      }),
    },
  })),
  ...(
    [
      [500, 'crashes-without-key', 'The server fails when the body is not JSON and the key is missing or unknown.'],
      [
        415,
        'unsupported-without-key',
        'The server responds 415 when the body is not JSON and the key is missing or unknown.',
      ],
      [
        404,
        'not-found-without-key',
        'The server responds 404 when the body is not JSON and the key is missing or unknown.',
      ],
    ] as const
  ).map(([status, fault, title]) => ({
    id: `malformed-body-${fault}`,
    title,
    breaks: ['auth.comes-first'],
    killedBy: { 'auth-malformed-body': 'wrong-status' },
    behaviour: refusedWith((refusal) => refusal.status === 401 && isMalformed(refusal.request), status),
  })),
  {
    id: 'malformed-body-skips-key',
    title: 'When the body cannot be read, the server responds 200 before it checks the key.',
    breaks: ['auth.comes-first'],
    killedBy: { 'auth-malformed-body': 'accepted' },
    behaviour: answeredWith(
      ({ request, status }) => status === 401 && isMalformed(request),
      () => ({ status: 200, body: {} }),
    ),
  },
];

/** Where the server offers the update instead of at the path of the contract; the list of banners is at its own path. */
type MisplacedRow = readonly [id: string, title: string, isUpdateThere: (request: ApiRequest) => boolean];

const MISPLACED_ROWS: readonly MisplacedRow[] = [
  [
    'update-under-other-path',
    'The server offers the update at `/api/admin/users/{id}`.',
    ({ method, path }) => method === 'PUT' && path.includes('/users/'),
  ],
  [
    'update-without-prefix',
    'The server offers the update at `/user-admin/{id}`, without the prefix.',
    ({ method, path }) => method === 'PUT' && path.startsWith('/user-admin/'),
  ],
  [
    'update-by-patch-only',
    'The server offers the update only as PATCH; for PUT the path does not exist.',
    ({ method }) => method === 'PATCH',
  ],
];

const misplaced: readonly Defect[] = MISPLACED_ROWS.map(([id, title, isUpdateThere]) => ({
  id,
  title,
  breaks: ['auth.operations-exist'],
  killedBy: { 'auth-update-operation-exists': 'unknown-path' },
  behaviour: {
    around: (handle, _store, rules) => (request) => {
      if (isUpdateThere(request)) {
        return handle({ ...request, method: 'PUT', path: `/api/admin/user-admin/${sentId(request)}` });
      }
      return isUpdate(request) ? rules.refuse(404, `There is nothing at ${request.path}.`) : handle(request);
    },
  },
}));

/** Source: Authentication, 1 and 2; Errors, 401. */
export const authenticationDefects: readonly Defect[] = [
  ...wrongWays,
  ...wrongEverywhere,
  ...otherStatuses,
  ...otherAnswers,
  ...wrongOrder,
  ...misplaced,
];
