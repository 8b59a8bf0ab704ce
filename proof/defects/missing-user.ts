import type { Answer } from '../../reference-server/rules.ts';
import type { Defect } from '../defect.ts';
import {
  type Around,
  answeredWith,
  noContentFor,
  isUpdate,
  refusedWith,
  sentId,
  sentMembers,
  type Refusal,
  type WhichRefusal,
} from './requests.ts';

/** An update with a valid body of a user that does not exist. */
const missing: WhichRefusal = ({ request, status }) => status === 404 && isUpdate(request);

const invalidAndMissing: WhichRefusal = ({ request, status, store }) =>
  status === 400 && isUpdate(request) && /^\d+$/.test(sentId(request)) && !store.users.has(Number(sentId(request)));

const BREAKS = ['missing-user.not-found'] as const;
const CHECK = 'missing-user-refused';

function create({ request, store }: Refusal): Answer {
  const user = { ...sentMembers(request), id: Number(sentId(request)) };
  store.users.set(user.id, user);
  return { status: 200, body: user };
}

/** Refuses the first update that sends something, and is at fault with every later one of the same user. */
function fromTheSecond(fault: (which: WhichRefusal) => Around): Around {
  return {
    around: (handle, store, rules) => {
      const known = new Set<string>();
      const which: WhichRefusal = (refusal) => {
        if (!missing(refusal) || Object.keys(sentMembers(refusal.request)).length === 0) return false;
        const isKnown = known.has(sentId(refusal.request));
        known.add(sentId(refusal.request));
        return isKnown;
      };
      return fault(which).around(handle, store, rules);
    },
  };
}

type AcceptedRow = readonly [fault: string, title: string, give: (refusal: Refusal) => Answer];

const ACCEPTED_ROWS: readonly AcceptedRow[] = [
  ['created', 'An update of a user that does not exist creates it.', create],
  [
    'created-201',
    'An update of a user that does not exist creates it, with 201.',
    (refusal) => ({ ...create(refusal), status: 201 }),
  ],
  [
    'counts-as-updated',
    'An update that matches no user counts as done, with the members that were sent.',
    ({ request }) => ({ status: 200, body: { ...sentMembers(request), id: Number(sentId(request)) } }),
  ],
  [
    'is-200-with-null',
    'An update of a user that does not exist is answered 200 with null.',
    () => ({ status: 200, body: null }),
  ],
  ['is-202', 'An update is taken on before the user is looked up, with 202.', () => ({ status: 202, body: {} })],
  [
    'is-200-with-error',
    'The error about a missing user has the status 200.',
    () => ({ status: 200, body: { id: 'e-1', name: 'NotFoundError', message: 'There is no such user.' } }),
  ],
];

const accepted: readonly Defect[] = ACCEPTED_ROWS.map(([fault, title, give]) => ({
  id: `missing-user-${fault}`,
  title,
  breaks: BREAKS,
  killedBy: { [CHECK]: 'accepted' },
  behaviour: answeredWith(missing, give),
}));

const otherStatuses: readonly Defect[] = (
  [
    [400, 'A user that does not exist makes the request an invalid one.'],
    [403, 'Nobody has the permission for a user that does not exist.'],
    [410, 'A user that does not exist is said to be gone.'],
    [422, 'A user that does not exist cannot be processed.'],
    [500, 'The server fails on a user that does not exist.'],
  ] as const
).map(([status, title]) => ({
  id: `missing-user-is-${status}`,
  title,
  breaks: BREAKS,
  killedBy: { [CHECK]: 'wrong-status' },
  behaviour: refusedWith(missing, status),
}));

const otherNames: readonly Defect[] = ['UserNotFoundError', 'NotFound', 'ValidationError'].map((name) => ({
  id: `missing-user-named-${name.toLowerCase()}`,
  title: `The 404 has the error name ${name}.`,
  breaks: [...BREAKS, 'errors.name'],
  killedBy: { [CHECK]: 'wrong-error-name', 'error-name-404': 'wrong-error-name' },
  behaviour: refusedWith(missing, 404, name),
}));

/** The first update is answered as it should be; the next one shows that something was left behind. */
const leftBehind: readonly Defect[] = (
  [
    [
      'conflicts-with-its-remains',
      409,
      'An update of a user that does not exist leaves half a user, with which the next one conflicts.',
    ],
    [
      'crashes-on-its-remains',
      500,
      'An update of a user that does not exist leaves half a user, on which the next one fails.',
    ],
    ['gone-after-first-update', 410, 'An update of a user that does not exist leaves a mark that it was deleted.'],
    [
      'invalid-after-first-update',
      400,
      'An update of a user that does not exist leaves a user without an e-mail address, which cannot be updated.',
    ],
  ] as const
).map(([fault, status, title]) => ({
  id: `missing-user-${fault}`,
  title,
  breaks: ['missing-user.not-created'],
  killedBy: { 'missing-user-stays-missing': 'wrong-status' },
  behaviour: fromTheSecond((which) => refusedWith(which, status)),
}));

/** Source: Endpoints, PUT user, 404; Errors, 404. */
export const missingUserDefects: readonly Defect[] = [
  ...accepted,
  ...otherStatuses,
  ...otherNames,
  ...leftBehind,
  {
    id: 'missing-user-is-first-user',
    title: 'In place of a user that does not exist the first one is updated.',
    breaks: BREAKS,
    killedBy: { [CHECK]: 'accepted' },
    behaviour: {
      replace: (rules) => ({
        findUser: (store, id) => store.users.get(id) ?? rules.findUser(store, 1),
      }),
    },
  },
  {
    id: 'missing-user-is-204',
    title: 'An update that matches no user is answered 204.',
    breaks: BREAKS,
    killedBy: { [CHECK]: 'accepted' },
    behaviour: noContentFor(404),
  },
  {
    id: 'missing-user-created-at-second-update',
    title: 'The second update of a user that does not exist creates it.',
    breaks: BREAKS,
    killedBy: { [CHECK]: 'accepted' },
    behaviour: fromTheSecond((which) => answeredWith(which, create)),
  },
  {
    id: 'missing-user-created-by-empty-update',
    title: 'An update with `{}` of a user that does not exist is answered 200; there is nothing to look up.',
    breaks: BREAKS,
    killedBy: { [CHECK]: 'accepted' },
    behaviour: answeredWith(
      (refusal) => missing(refusal) && Object.keys(sentMembers(refusal.request)).length === 0,
      ({ request }) => ({ status: 200, body: { id: Number(sentId(request)) } }),
    ),
  },
  ...(
    [
      [500, 'crashes', 'The validation of the body asks the user that is not there.'],
      [422, 'is-422', 'An invalid body for a user that does not exist is answered 422.'],
      [409, 'conflicts', 'An invalid body for a user that does not exist is answered 409.'],
    ] as const
  ).map(([status, fault, title]) => ({
    id: `missing-user-and-invalid-body-${fault}`,
    title,
    breaks: BREAKS,
    killedBy: { 'missing-user-invalid-body': 'wrong-status' },
    behaviour: refusedWith(invalidAndMissing, status),
  })),
  {
    id: 'missing-user-and-invalid-body-pass',
    title: 'An invalid body for a user that does not exist updates nobody, and is answered 200.',
    breaks: BREAKS,
    killedBy: { 'missing-user-invalid-body': 'accepted' },
    behaviour: answeredWith(invalidAndMissing, ({ request }) => ({
      status: 200,
      body: { id: Number(sentId(request)) },
    })),
  },
];
