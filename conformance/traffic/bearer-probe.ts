import { type OperationId, route } from '../../contract/document.ts';
import { type Exchange, isSafe, type RequestSpec } from '../http/exchange.ts';
import { INPUT_HELP } from '../resources/inputs.ts';
import { hasPathId, type RequestBuilder } from '../resources/requests.ts';

const BEARER = 'Bearer ';

/** Whether an exchange carried the admin key where and how the contract says. */
export function carriesAdminKey({ request: { credential } }: Exchange): boolean {
  return credential.role === 'admin' && credential.fieldName === undefined;
}

/** Whether the admin key was used, and refused with 401 each time. */
export function isKeyRefused(exchanges: readonly Exchange[]): boolean {
  const responses = exchanges.filter((exchange) => carriesAdminKey(exchange) && exchange.response);
  return responses.length > 0 && responses.every(({ response }) => response?.status === 401);
}

/**
 * Whether the target may expect something before the admin key: it refused the key with 401 each time, or every request with it
 * with 400, also one that has nothing else to refuse.
 */
export function mayNeedScheme(exchanges: readonly Exchange[]): boolean {
  const responses = exchanges.filter((exchange) => carriesAdminKey(exchange) && exchange.response);
  const isBad = responses.every(({ response }) => response?.status === 400);
  return isKeyRefused(exchanges) || (isBad && responses.some(({ request }) => isSafe(request)));
}

/**
 * The one extra request of a run whose admin key was refused each time: `Bearer ` before the key. It changes nothing: it reads,
 * or updates the user with `{}`.
 *
 * @param operations that the run addresses
 * @returns undefined if there is no key, if the key already has a scheme, or if no operation fits
 */
export function bearerProbe(requests: RequestBuilder, operations: ReadonlySet<OperationId>): RequestSpec | undefined {
  const { adminKey, userId } = requests.inputs;
  if (adminKey === undefined || adminKey.includes(' ')) return undefined;
  const addressable = [...operations].filter((each) => !hasPathId(each) || userId !== undefined);
  const reading = addressable.find((each) => isSafe(route(each)));
  const operation =
    reading ?? addressable.find((each) => hasPathId(each) && ['PUT', 'PATCH'].includes(route(each).method));
  if (operation === undefined) return undefined;
  return requests.build(operation, {
    purpose: 'Finding out whether the key needs "Bearer" before it',
    credential: {
      label: 'the admin key after "Bearer"',
      shell: `${BEARER}$${INPUT_HELP.adminKey.variable}`,
      header: BEARER + adminKey,
    },
    ...(hasPathId(operation) ? { subject: 'user' } : {}),
    ...(reading === undefined ? { body: '{}' } : {}),
  });
}
