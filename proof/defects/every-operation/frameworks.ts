import { authenticationChecks } from '../../../conformance/checks/authentication.ts';
import { permissionChecks } from '../../../conformance/checks/permission.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { requirements } from '../../../contract/document.ts';
import type { ApiResponse, Rules, Store } from '../../../reference-server/rules.ts';
import { replacing } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { named } from '../../table.ts';
import { type Around, anError, answered, any, sentKey, toKey } from '../requests.ts';
import { answering, refusedWith, textsAs } from '../responses.ts';

/** Handles a request without a valid key, and then carries it out with another key: a handler without a `return`. */
function goingOn(
  key: keyof Store['keys'],
  respond: (refusal: ApiResponse, next: ApiResponse, rules: Rules) => ApiResponse,
): Around {
  return {
    around: (handle, store, rules) => (request) => {
      const refusal = handle(request);
      return refusal.status === 401 ? respond(refusal, handle(toKey(request, store.keys[key])), rules) : refusal;
    },
  };
}

/** The response to the request that went on, with the status that was set before. */
const underStatus = (_refusal: ApiResponse, next: ApiResponse): ApiResponse =>
  next.status === 200 ? { ...next, status: 401 } : next;

/** The requirements that say with which status a request is refused, but for these groups. */
function refusals(...right: readonly string[]): string[] {
  const groups = operations.flatMap(({ negativeChecks = {} }) => Object.entries(negativeChecks));
  const negative = groups.flatMap(([group, own]) => (right.includes(group) ? [] : own.checks));
  const all = [...authenticationChecks, ...permissionChecks, ...negative];
  return [...new Set(all.flatMap((check) => ('wrong-status' in check.failureModes ? check.requirements : [])))];
}

const endingIn = (end: string): string[] => requirements.map(({ id }) => id).filter((id) => id.endsWith(end));
const SUCCESSES = endingIn('.success-is-200');
const NOT_FOUND = endingIn('.not-found');
/** What a request contradicts that is refused, and carried out. */
const CHANGES_NOTHING = operations.flatMap(({ effect }) => effect?.refused?.requirement ?? []);

/** One line of a framework's set-up that concerns every operation: one fault, which many requirements see. */
export const frameworksDefects: readonly WrittenDefect[] = named<WrittenDefect>({
  'refusals-are-200: responds to every request that it refuses with 200 and the error body': {
    breaks: refusals(),
    behaviour: answering(anError, (response) => ({ ...response, status: 200 })),
  },
  'refusals-are-400: responds to every request that it refuses with 400': {
    breaks: ['auth.key-required', 'auth.key-valid', 'permission.refused', ...NOT_FOUND],
    behaviour: refusedWith(any, 400),
  },
  'goes-on-after-401: sets the status 401, and goes on: the body is that of the success, and a later error counts instead':
    {
      breaks: ['errors.body', ...CHANGES_NOTHING, 'auth.comes-first'],
      behaviour: goingOn('admin', underStatus),
    },
  'goes-on-after-401-body: writes the error, and goes on: the body of the success follows': {
    breaks: ['bodies.json', ...CHANGES_NOTHING],
    behaviour: {
      ...textsAs('application/json; charset=utf-8'),
      ...goingOn('admin', (refusal, next, rules) => ({
        ...refusal,
        body: [refusal, next].map(({ body }) => rules.serialize(body).content).join(''),
      })),
    },
  },
  'goes-on-after-401-to-403: sets the status 401, and goes on: where a permission is needed, it responds 403': {
    breaks: ['errors.body', 'auth.key-required', 'auth.key-valid'],
    behaviour: goingOn('restricted', underStatus),
  },
  'takes-any-key: requires a key, but takes any for the key of the admin': {
    breaks: ['auth.key-valid', 'permission.refused'],
    behaviour: replacing(
      'authenticate',
      (authenticate) => (request, store) => (sentKey(request).trim() === '' ? authenticate(request, store) : 'admin'),
    ),
  },
  'key-only-for-permissions: looks at the key only where a permission is needed; without a valid one it responds 403 there':
    {
      breaks: ['auth.key-required', 'auth.key-valid'],
      behaviour: replacing('authenticate', (authenticate) => (request, store) => {
        try {
          return authenticate(request, store);
        } catch {
          return 'restricted';
        }
      }),
    },
  'paths-end-with-slash: redirects every accepted request to a path with a slash at the end': {
    breaks: SUCCESSES,
    behaviour: answering(answered(200), () => ({ status: 301, body: {} })),
  },
});
