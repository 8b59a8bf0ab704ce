import { breaking, type Defect } from '../server.ts';
import { type Behaviour, replacing } from '../servers/behaviour.ts';
import {
  type Which,
  all,
  answered,
  isUpdate,
  not,
  sendsText,
  sentId,
  sentMembers,
  takenAs,
  toId,
  withId,
} from '../servers/requests.ts';
import { followedBy, refusedAs, refusedWith } from '../servers/responses.ts';

/** Takes some path ids for others. */
function reaching(reached: (id: string) => string): Behaviour {
  return takenAs(isUpdate, (request) => toId(request, reached(sentId(request))));
}

const failingOn = (form: RegExp): Behaviour => refusedWith(all(isUpdate, withId(form)), 500);
/** Matches an update, with a valid body, of a user that does not exist. */
const missing: Which = all(answered(404), isUpdate);
const invalidAndMissing: Which = all(
  answered(400),
  isUpdate,
  ({ request, store }) => /^\d+$/.test(sentId(request)) && !store.users.has(Number(sentId(request))),
);

/** Source: Endpoints, PUT user, path parameter and 404; Errors, 404. */
export const pathIdDefects: readonly Defect[] = [
  ...breaking('path-id.integer', {
    'path-id-read-by-parse-int: It reads only the leading digits of an id: `4abc` and `4.5` are user 4': reaching(
      (id) => id.replace(/^0*(\d+).*$/, '$1'),
    ),
    'path-id-trailing-junk-is-500: It fails on an id with letters after it': refusedAs(500, withId(/^\d+-?[a-z]+$/)),
    'path-id-not-integer-is-422: It responds 422 to an id that is no integer': refusedAs(422, withId(/[a-z.]/)),
  }),
  ...breaking('path-id.exact', {
    'path-id-wraps-at-32-bits: It keeps ids in 32 bits, and so takes 4294967300 for user 4': reaching((id) =>
      /^\d{10,15}$/.test(id) ? String(BigInt.asIntN(32, BigInt(id))) : id,
    ),
    'path-id-fails-beyond-32-bits: It fails on an id beyond 32 bits': failingOn(/^\d{10,15}$/),
  }),
  ...breaking('path-id.no-server-error', {
    'path-id-undecodable-fails: It fails on an id that cannot be percent-decoded': failingOn(/%ff/),
    'path-id-lone-percent-fails: It fails on an id with a percent sign alone': failingOn(/%$/),
    'path-id-negative-taken-for-absolute: It ignores the sign of an id': reaching((id) => id.replace(/^-/, '')),
  }),
  ...breaking('missing-user.not-found', {
    'missing-user-created: An update of a missing user creates it': replacing(
      'findUser',
      () => (store, id) => store.users.get(id) ?? { id },
    ),
    'missing-user-with-role-is-500: It fails on a role for a missing user': refusedWith(
      all(missing, ({ request }) => 'rootRole' in sentMembers(request)),
      500,
    ),
    'missing-user-is-500: It fails on an update of a missing user': refusedWith(missing, 500),
  }),
  ...breaking('missing-user.not-created', {
    'missing-user-created-after-404: An update of a missing user gets 404, and creates it': followedBy(
      all(missing, not(sendsText(/^\{\}$/))),
      ({ request, store }) =>
        store.users.set(Number(sentId(request)), { ...sentMembers(request), id: Number(sentId(request)) }),
    ),
  }),
  ...breaking('request-body.name-type', {
    'missing-user-and-invalid-body-crashes: The validation needs the user, and fails': refusedWith(
      invalidAndMissing,
      500,
    ),
  }),
];
