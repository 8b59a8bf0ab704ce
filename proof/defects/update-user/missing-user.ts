import { replacing } from '../../behaviour.ts';
import type { ApiResponse } from '../../../reference-server/rules.ts';
import type { Defect } from '../../defect.ts';
import { alike } from '../../table.ts';
import {
  type Around,
  type Refusal,
  type WhichRefusal,
  answeredWith,
  apiRequest,
  noContentFor,
  refusedWith,
  sentId,
  sentMembers,
} from '../requests.ts';
import { deliverPlain } from '../../wire/wire-server.ts';
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

const accepted = alike(BREAKS, { [CHECK]: 'accepted' })({
  'missing-user-created: An update of a user that does not exist creates the user.': answeredWith(missing, create),
  'missing-user-created-201: An update of a user that does not exist creates the user and gets a 201 response.':
    answeredWith(missing, (refusal) => ({ ...create(refusal), status: 201 })),
  'missing-user-is-200-with-null: The server responds 200 with null to an update of a user that does not exist.':
    answeredWith(missing, () => ({ status: 200, body: null })),
});

const otherStatuses = alike(BREAKS, { [CHECK]: 'wrong-status' })({
  'missing-user-is-200-with-error: The error about a missing user has the status 200.': refusedWith(missing, 200),
  'missing-user-is-400: The server treats an update of a user that does not exist as invalid: it responds 400.':
    refusedWith(missing, 400),
  'missing-user-is-500: The server fails on an update of a user that does not exist.': refusedWith(missing, 500),
});

const leftBehind = alike(['missing-user.not-created'], { 'missing-user-stays-missing': 'wrong-status' })({
  'missing-user-conflicts-with-its-remains: An update of a user that does not exist leaves an incomplete user, and the next update conflicts with it.':
    fromTheSecond((which) => refusedWith(which, 409)),
});

/** Source: Endpoints, PUT user, 404; Errors, 404. */
export const missingUserDefects: readonly Defect[] = [
  ...accepted,
  ...otherStatuses,
  ...leftBehind,
  ...alike(BREAKS, { [CHECK]: 'no-answer' })({
    'missing-user-kills-the-worker: The server panics on an update of a user that does not exist, and the connection is closed.':
      {
        deliver: (delivery) => {
          const isMissing = delivery.answer.status === 404 && isUpdate(apiRequest(delivery.request));
          if (isMissing) delivery.socket.destroy();
          else return deliverPlain(delivery);
        },
      },
  }),
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
  ...alike(['request-body.name-type'], { 'missing-user-invalid-body': 'wrong-status' })({
    'missing-user-and-invalid-body-crashes: The server fails on an invalid body for a user that does not exist, because the validation needs the user.':
      refusedWith(invalidAndMissing, 500),
  }),
  ...alike(['request-body.name-type'], { 'missing-user-invalid-body': 'accepted' })({
    'missing-user-and-invalid-body-pass: The server responds 200 to an invalid body for a user that does not exist, and changes no user.':
      answeredWith(invalidAndMissing, ({ request }) => ({ status: 200, body: { id: Number(sentId(request)) } })),
  }),
];
