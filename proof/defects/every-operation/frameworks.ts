import type { ApiResponse } from '../../../reference-server/rules.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named } from '../../table.ts';

/** Changes every response whose status is one of these. */
function responding(which: (status: number) => boolean, change: (response: ApiResponse) => ApiResponse): Behaviour {
  return {
    around: (handle) => (request) => {
      const response = handle(request);
      return which(response.status) ? change(response) : response;
    },
  };
}

function killedBy(...checks: readonly string[]): Defect['killedBy'] {
  return Object.fromEntries(checks.map((id) => [id, 'wrong-status']));
}

const isRefusal = (status: number): boolean => status >= 400;

/** One line of a framework's set-up that concerns every operation: one fault, which many requirements see. */
export const frameworksDefects: readonly Defect[] = named<Defect>({
  'refusals-are-200: The server responds to every request that it refuses with 200 and the error body.': {
    breaks: [
      ...['auth.key-required', 'auth.key-valid', 'permission.refused', 'missing-user.not-found', 'path-id.integer'],
      ...['object', 'name-type', 'email-type', 'root-role-type', 'required', 'well-formed'].map(
        (what) => `request-body.${what}`,
      ),
    ],
    killedBy: killedBy(
      ...[
        'auth-update-no-header',
        'auth-update-unknown-key',
        'permission-name',
        'missing-user-refused',
        'path-id-word',
      ],
      ...['is-array', 'name-number', 'email-number', 'role-null', 'absent', 'malformed'].map((what) => `body-${what}`),
    ),
    behaviour: responding(isRefusal, (response) => ({ ...response, status: 200 })),
  },
  'refusals-are-400: The server responds to every request that it refuses with 400.': {
    breaks: ['auth.key-required', 'auth.key-valid', 'permission.refused', 'missing-user.not-found'],
    killedBy: killedBy('auth-update-no-header', 'auth-update-unknown-key', 'permission-name', 'missing-user-refused'),
    behaviour: {
      around: (handle, _store, rules) => (request) => {
        const response = handle(request);
        return isRefusal(response.status) ? { ...rules.refuse(400, 'The request was refused.') } : response;
      },
    },
  },
  'paths-end-with-slash: The server redirects every accepted request to a path with a slash at the end.': {
    breaks: ['update.success-is-200', 'banners.success-is-200'],
    killedBy: { 'update-always-200': 'redirected', 'banners-accepted': 'wrong-status' },
    behaviour: responding(
      (status) => status === 200,
      () => ({ status: 301, body: {} }),
    ),
  },
});
