import type { ApiRequest, ApiResponse, Store } from '../../../reference-server/rules.ts';
import type { Defect } from '../../defect.ts';
import { breaking } from '../../table.ts';
import {
  type Refusal,
  type WhichRefusal,
  answeredWith,
  noContentFor,
  refusedWith,
  sentId,
  sentKey,
  sentMembers,
  takenAs,
  withKey,
} from '../requests.ts';
import { isUpdate } from './updates.ts';

function sendsExactly(request: ApiRequest, ...members: string[]): boolean {
  return Object.keys(sentMembers(request)).sort().join() === members.sort().join();
}

/** The first user of the seed, which is the account that the restricted key belongs to. */
const OWN_ID = '1';

function isValid(request: ApiRequest): boolean {
  return typeof sentMembers(request).name !== 'number';
}

type Allows = (request: ApiRequest) => boolean;

/** Treats the restricted key as the admin key if `allows` says so. */
export function allowing(allows: Allows) {
  return takenAs((request: ApiRequest, { keys }: Store) =>
    isUpdate(request) && sentKey(request) === keys.restricted && allows(request)
      ? withKey(request, keys.admin)
      : request,
  );
}

/** The checks that see that a key without the permission may do something. */
function accepted(...cases: readonly string[]): Defect['killedBy'] {
  return Object.fromEntries(cases.map((each) => [`permission-${each}`, 'accepted']));
}

const denied: WhichRefusal = ({ status }) => status === 403;
const deniedTo =
  (allows: Allows): WhichRefusal =>
  (refusal) =>
    denied(refusal) && allows(refusal.request);

/** The response that shows the user as it is. */
const unchanged = ({ request, store }: Refusal): ApiResponse => ({
  status: 200,
  body: store.users.get(Number(sentId(request))),
});

const INVALID: Allows = (request) => !isValid(request);

const refusedAs = (check: string): Defect['killedBy'] => ({ [`permission-${check}`]: 'wrong-status' });

/** Source: Authentication, 3; Errors, 403. */
export const updatePermissionDefects: readonly Defect[] = breaking(['permission.refused'])({
  'restricted-key-changes-own-name: A key without the permission may change the name of its own account.': [
    accepted('name'),
    allowing((request) => sendsExactly(request, 'name') && sentId(request) === OWN_ID),
  ],
  'restricted-key-changes-email: A key without the permission may change an e-mail address if nothing else is sent.': [
    accepted('email'),
    allowing((request) => sendsExactly(request, 'email')),
  ],
  'restricted-key-changes-several-members: The server checks the permission only for single members; it accepts a body with both name and e-mail address.':
    [accepted('name-email'), allowing((request) => sendsExactly(request, 'name', 'email'))],
  'restricted-key-changes-role: A key without the permission may change a root role.': [
    accepted('role'),
    allowing((request) => sendsExactly(request, 'rootRole')),
  ],
  'restricted-key-changes-other-accounts: The server checks the permission only for the account that the key belongs to.':
    [accepted('other-user'), allowing((request) => sentId(request) !== OWN_ID)],
  'restricted-key-changes-profile: The server treats name and e-mail address as a profile, which every valid key may change.':
    [
      accepted('name', 'email', 'name-email'),
      allowing((request) => !('rootRole' in sentMembers(request)) && isValid(request)),
    ],
  'missing-permission-is-401: The server responds 401 to a key without the permission, as if it were unknown.': [
    refusedAs('name'),
    refusedWith(denied, 401),
  ],
  'missing-permission-is-400: The server responds 400 when the permission is missing, as if the request were invalid.':
    [refusedAs('name'), refusedWith(denied, 400)],
  'missing-permission-is-204: The server responds 204 to an update without the permission.': [
    accepted('name'),
    noContentFor(403),
  ],
  'missing-role-permission-is-400: For a key without the permission, the server treats the root role as an unknown member of the body.':
    [
      refusedAs('role'),
      refusedWith(
        deniedTo((request) => 'rootRole' in sentMembers(request)),
        400,
      ),
    ],
  'other-user-hidden-without-permission: A key without the permission sees only its own account.': [
    refusedAs('other-user'),
    refusedWith(
      deniedTo((request) => sentId(request) !== OWN_ID),
      404,
    ),
  ],
  'missing-permission-ignored-silently: The server responds 200, with the unchanged user, to an update without the permission.':
    [accepted('name', 'role'), answeredWith(denied, unchanged)],
  'restricted-key-and-invalid-body-crash: The permission check reads the name as a string and fails on a number.': [
    refusedAs('invalid-body'),
    refusedWith(deniedTo(INVALID), 500),
  ],
  'restricted-key-and-invalid-body-pass: The server responds 200 to a body without a valid member, because that needs no permission.':
    [accepted('invalid-body'), answeredWith(deniedTo(INVALID), unchanged)],
});
