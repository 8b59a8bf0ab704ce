import type { ApiResponse, Store } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named } from '../../table.ts';
import { sentKey, withKey } from '../requests.ts';

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

/** The bodies of two responses, written one after the other. */
class Written {
  readonly bodies: readonly unknown[];

  constructor(...bodies: readonly unknown[]) {
    this.bodies = bodies;
  }
}

/** Refuses a request without a valid key, and then carries it out with another key: a handler without a `return`. */
function goingOn(
  key: keyof Store['keys'],
  respond: (refusal: ApiResponse, next: ApiResponse) => ApiResponse,
): Behaviour {
  return {
    replace: (rules) => ({
      serialize: (body) => {
        const parts = (body instanceof Written ? body.bodies : [body]).map((part) => rules.serialize(part));
        return {
          content: parts.map(({ content }) => content.toString()).join(''),
          contentType: parts[0]?.contentType ?? '',
        };
      },
    }),
    around: (handle, store) => (request) => {
      const refusal = handle(request);
      return refusal.status === 401 ? respond(refusal, handle(withKey(request, store.keys[key]))) : refusal;
    },
  };
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
  'goes-on-after-401: The server sets the status 401, and goes on: the body is that of the success, and a later error counts instead.':
    {
      breaks: ['errors.body', 'update.refused-changes-nothing', 'auth.comes-first'],
      killedBy: {
        'error-body-401': 'wrong-error-body',
        'refused-401-changes-nothing': 'changed-user',
        'auth-before-existence': 'wrong-status',
      },
      behaviour: goingOn('admin', (_refusal, next) => (next.status === 200 ? { ...next, status: 401 } : next)),
    },
  'goes-on-after-401-body: The server writes the error, and goes on: the body of the success follows.': {
    breaks: ['bodies.json', 'update.refused-changes-nothing'],
    killedBy: { 'json-error': 'not-json', 'refused-401-changes-nothing': 'changed-user' },
    behaviour: goingOn('admin', (refusal, next) => ({ ...refusal, body: new Written(refusal.body, next.body) })),
  },
  'goes-on-after-401-to-403: The server sets the status 401, and goes on: where a permission is needed, it responds 403.':
    {
      breaks: ['errors.body', 'auth.key-required', 'auth.key-valid'],
      killedBy: {
        'error-body-401': 'wrong-error-body',
        'auth-update-no-header': 'wrong-status',
        'auth-update-unknown-key': 'wrong-status',
      },
      behaviour: goingOn('restricted', (_refusal, next) => (next.status === 200 ? { ...next, status: 401 } : next)),
    },
  'takes-any-key: The server requires a key, but takes any for the key of the admin.': {
    breaks: ['auth.key-valid', 'permission.refused'],
    killedBy: { 'auth-update-unknown-key': 'accepted', 'permission-name': 'accepted' },
    behaviour: replacing(
      'authenticate',
      (authenticate) => (request, store) => (sentKey(request).trim() === '' ? authenticate(request, store) : 'admin'),
    ),
  },
  'key-only-for-permissions: The server looks at the key only where a permission is needed; without a valid one it responds 403 there.':
    {
      breaks: ['auth.key-required', 'auth.key-valid'],
      killedBy: {
        'auth-update-no-header': 'wrong-status',
        'auth-update-unknown-key': 'wrong-status',
        'auth-banners-no-header': 'accepted',
      },
      behaviour: replacing('authenticate', (authenticate) => (request, store) => {
        try {
          return authenticate(request, store);
        } catch {
          return 'restricted';
        }
      }),
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
