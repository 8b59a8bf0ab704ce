import type { ApiResponse } from '../../../reference-server/rules.ts';
import type { WrittenDefect } from '../../defect.ts';
import { breaking } from '../../table.ts';
import {
  type Answered,
  type Around,
  type WhichRequest,
  all,
  allowing,
  answered,
  not,
  sendsOnly,
  sendsText,
  sentId,
  sentMembers,
  withId,
} from '../requests.ts';
import { answeredWith, refusedWith } from '../responses.ts';
import { isUpdate } from './updates.ts';

const allowingUpdates = (which: WhichRequest): Around => allowing(all(isUpdate, which));

/** The response that shows the user as it is. */
function unchanged({ request, store }: Answered): ApiResponse {
  return { status: 200, body: store.users.get(Number(sentId(request))) };
}

const denied = answered(403);
/** The account that the restricted key belongs to. */
const own = withId(/^1$/);
const invalid: WhichRequest = ({ request }) => typeof sentMembers(request).name === 'number';

/** Source: Authentication, 3; Errors, 403. */
export const updatePermissionDefects: readonly WrittenDefect[] = breaking('permission.refused', {
  'restricted-key-changes-own-name: A key without the permission may change the name of its own account.':
    allowingUpdates(all(sendsOnly('name'), own)),
  'restricted-key-changes-email: A key without the permission may change an e-mail address if nothing else is sent.':
    allowingUpdates(sendsOnly('email')),
  'restricted-key-changes-several-members: checks the permission only for single members; it accepts a body with both name and e-mail address':
    allowingUpdates(sendsOnly('name', 'email')),
  'restricted-key-changes-role: A key without the permission may change a root role.': allowingUpdates(
    sendsOnly('rootRole'),
  ),
  'restricted-key-changes-other-accounts: checks the permission only for the account that the key belongs to':
    allowingUpdates(not(own)),
  'missing-permission-is-400: responds 400 when the permission is missing, as if the request were invalid': refusedWith(
    denied,
    400,
  ),
  'other-user-hidden-without-permission: A key without the permission sees only its own account.': refusedWith(
    all(denied, not(own)),
    404,
  ),
  'restricted-key-and-invalid-body-crash: The permission check reads the name as a string and fails on a number.':
    refusedWith(all(denied, invalid), 500),
  'restricted-key-and-invalid-body-pass: responds 200 to a body without a valid member, because that needs no permission':
    answeredWith(all(denied, invalid), unchanged),
  'restricted-key-may-update-all-at-once: The restricted key may update name, e-mail address and role together.':
    allowingUpdates(sendsOnly('name', 'email', 'rootRole')),
  'restricted-key-sees-user-by-empty-body: shows the user to the restricted key if it sends `{}`': answeredWith(
    all(denied, sendsText(/^\{\}$/)),
    unchanged,
  ),
});
