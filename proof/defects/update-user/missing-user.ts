import { replacing } from '../../behaviour.ts';
import type { ApiResponse } from '../../../reference-server/rules.ts';
import type { Defect } from '../../defect.ts';
import { alike, named, rows } from '../../table.ts';
import {
  type Around,
  type Refusal,
  type WhichRefusal,
  answeredWith,
  noContentFor,
  refusedWith,
  sentId,
  sentMembers,
} from '../requests.ts';
import { isUpdate } from './updates.ts';

/** Matches an update, with a valid body, of a user that does not exist. */
const missing: WhichRefusal = ({ request, status }) => status === 404 && isUpdate(request);

const invalidAndMissing: WhichRefusal = ({ request, status, store }) =>
  status === 400 && isUpdate(request) && /^\d+$/.test(sentId(request)) && !store.users.has(Number(sentId(request)));

const BREAKS = ['missing-user.not-found'] as const;
const CHECK = 'missing-user-refused';

function create({ request, store }: Refusal): ApiResponse {
  const user = { ...sentMembers(request), id: Number(sentId(request)) };
  store.users.set(user.id, user);
  return { status: 200, body: user };
}

/** Refuses the first update that sends something correctly, and fails on every later one of the same user. */
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

type AcceptedRow = readonly [fault: string, title: string, give: (refusal: Refusal) => ApiResponse];

const ACCEPTED_ROWS: readonly AcceptedRow[] = rows({
  'created: An update of a user that does not exist creates the user.': create,
  'created-201: An update of a user that does not exist creates the user and gets a 201 response.': (refusal) => ({
    ...create(refusal),
    status: 201,
  }),
  'counts-as-updated: The server responds 200 to an update of a user that does not exist, with the members that were sent.':
    ({ request }) => ({ status: 200, body: { ...sentMembers(request), id: Number(sentId(request)) } }),
  'is-200-with-null: The server responds 200 with null to an update of a user that does not exist.': () => ({
    status: 200,
    body: null,
  }),
  'is-202: The server responds 202 to an update before it looks up the user.': () => ({ status: 202, body: {} }),
  'is-200-with-error: The error about a missing user has the status 200.': () => ({
    status: 200,
    body: { id: 'e-1', name: 'NotFoundError', message: 'There is no such user.' },
  }),
});

const accepted: readonly Defect[] = ACCEPTED_ROWS.map(([fault, title, give]) => ({
  id: `missing-user-${fault}`,
  title,
  breaks: BREAKS,
  killedBy: { [CHECK]: 'accepted' },
  behaviour: answeredWith(missing, give),
}));

const otherStatuses: readonly Defect[] = (
  [
    [400, 'The server treats an update of a user that does not exist as invalid: it responds 400.'],
    [403, 'The server responds 403 to an update of a user that does not exist, as if the permission were missing.'],
    [410, 'The server responds 410 to an update of a user that does not exist.'],
    [422, 'The server responds 422 to an update of a user that does not exist.'],
    [500, 'The server fails on an update of a user that does not exist.'],
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
  title: `The 404 response to an update of a missing user has the error name ${name}.`,
  breaks: ['errors.name'],
  killedBy: { 'error-name-404': 'wrong-error-name' },
  behaviour: refusedWith(missing, 404, name),
}));

/** The first update is refused correctly; the next one shows that it left something behind. */
const leftBehind: readonly Defect[] = (
  [
    [
      'conflicts-with-its-remains',
      409,
      'An update of a user that does not exist leaves an incomplete user, and the next update conflicts with it.',
    ],
    [
      'crashes-on-its-remains',
      500,
      'An update of a user that does not exist leaves an incomplete user, and the next update fails on it.',
    ],
    ['gone-after-first-update', 410, 'An update of a user that does not exist marks the user as deleted.'],
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
  ...alike(['missing-user.not-created'], { 'missing-user-stays-missing': 'accepted' })({
    'missing-user-created-at-second-update: The second update of a user that does not exist creates the user.':
      fromTheSecond((which) => answeredWith(which, create)),
  }),
  ...alike(BREAKS, { [CHECK]: 'accepted' })({
    'missing-user-is-first-user: An update of a user that does not exist changes the first user instead.': replacing(
      'findUser',
      (find) => (store, id) => store.users.get(id) ?? find(store, 1),
    ),
    'missing-user-is-204: The server responds 204 to an update of a user that does not exist.': noContentFor(404),
    'missing-user-created-by-empty-update: The server responds 200 to an update with `{}` of a user that does not exist, because it looks nothing up.':
      answeredWith(
        (refusal) => missing(refusal) && Object.keys(sentMembers(refusal.request)).length === 0,
        ({ request }) => ({ status: 200, body: { id: Number(sentId(request)) } }),
      ),
  }),
  ...(
    [
      [
        500,
        'crashes',
        'The server fails on an invalid body for a user that does not exist, because the validation needs the user.',
      ],
      [422, 'is-422', 'The server responds 422 to an invalid body for a user that does not exist.'],
      [409, 'conflicts', 'The server responds 409 to an invalid body for a user that does not exist.'],
    ] as const
  ).map(([status, fault, title]) => ({
    id: `missing-user-and-invalid-body-${fault}`,
    title,
    breaks: ['request-body.name-type'],
    killedBy: { 'missing-user-invalid-body': 'wrong-status' },
    behaviour: refusedWith(invalidAndMissing, status),
  })),
  ...named<Defect>({
    'missing-user-and-invalid-body-pass: The server responds 200 to an invalid body for a user that does not exist, and changes no user.':
      {
        breaks: ['request-body.name-type'],
        killedBy: { 'missing-user-invalid-body': 'accepted' },
        behaviour: answeredWith(invalidAndMissing, ({ request }) => ({
          status: 200,
          body: { id: Number(sentId(request)) },
        })),
      },
  }),
];
