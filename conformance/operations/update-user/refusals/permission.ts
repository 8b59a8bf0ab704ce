import type { RequestBuilder, RequestOptions } from '../../../resources/requests.ts';
import type { PermissionRequest } from '../../../traffic/operation.ts';
import { CONTROLS, type UpdateControl } from '../scenarios.ts';

type Options = Partial<Pick<RequestOptions, 'subject' | 'meantBody'>> & Pick<PermissionRequest, 'needs' | 'refusals'>;

function request(
  id: string,
  what: string,
  control: UpdateControl,
  body: (requests: RequestBuilder) => Readonly<Record<string, unknown>>,
  { subject = 'user', meantBody = 'valid', ...options }: Options = {},
): PermissionRequest {
  return {
    id,
    what,
    control,
    ...options,
    build: (requests, given) =>
      requests.build('updateUser', { ...given, subject, body: JSON.stringify(body(requests)), meantBody }),
  };
}

const FORBIDDEN_OR_INVALID = [403, 400];

/** Source: Authentication, 3; Errors, 403. */
export const permissionRequests: readonly PermissionRequest[] = [
  request('name', 'An update with a name', CONTROLS.name, ({ fresh }) => ({ name: fresh.name() })),
  request('email', 'An update with an e-mail address', CONTROLS.email, ({ fresh }) => ({ email: fresh.email() })),
  request('name-email', 'An update with a name and an e-mail address', CONTROLS.nameAndEmail, ({ fresh }) => ({
    name: fresh.name(),
    email: fresh.email(),
  })),
  request('role', 'An update with a root role', CONTROLS.rootRole, (requests) => ({ rootRole: requests.otherRole() }), {
    needs: ['roleIds'],
  }),
  request(
    'all',
    'An update with a name, an e-mail address and a root role',
    CONTROLS.rootRole,
    ({ fresh, otherRole }) => ({ name: fresh.name(), email: fresh.email(), rootRole: otherRole() }),
    { needs: ['roleIds'] },
  ),
  request(
    'other-user',
    'An update of another user with a name',
    CONTROLS.name,
    ({ fresh }) => ({ name: fresh.name() }),
    { subject: 'other-user', needs: ['otherUserId'] },
  ),
  request(
    'stored',
    'An update with what is stored already',
    CONTROLS.nameAndEmail,
    ({ noChange }) => JSON.parse(noChange()) as Record<string, unknown>,
  ),
  // It may be refused because it is empty (open.empty-body), but must not show the user to a key without the permission.
  request('empty-body', 'An update with an empty object', CONTROLS.name, () => ({}), {
    refusals: FORBIDDEN_OR_INVALID,
  }),
  // Which of the two errors wins is open (open.permission-precedence); accepting the request is not.
  request('invalid-body', 'An update with a number as name', CONTROLS.name, () => ({ name: 5 }), {
    meantBody: 'invalid',
    refusals: FORBIDDEN_OR_INVALID,
  }),
];
