import { route } from '../../contract/document.ts';
import { type Exchange, isSafe, type RequestSpec } from '../http/exchange.ts';
import { INPUT_HELP, namedId, type Subject, writableOf } from '../resources/inputs.ts';
import { hasPathId, type RequestBuilder } from '../resources/requests.ts';
import type { Operation } from './operation.ts';

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
 * or has a body that leaves what it addresses as it is.
 *
 * @param operations that the run addresses
 * @returns undefined if there is no key, if the key already has a scheme, or if no operation fits
 */
export function bearerProbe(requests: RequestBuilder, operations: readonly Operation[]): RequestSpec | undefined {
  const { inputs } = requests;
  const { adminKey } = inputs;
  if (adminKey === undefined || adminKey.includes(' ')) return undefined;
  const credential = {
    label: 'the admin key after "Bearer"',
    shell: `${BEARER}$${INPUT_HELP.adminKey.variable}`,
    header: BEARER + adminKey,
  };
  const ways = operations.flatMap(({ id, effect }) => {
    const subject: Subject = (effect && writableOf(effect.resource)[0]) ?? 'none';
    const body = isSafe(route(id)) ? undefined : effect?.neutral;
    const isAddressable = !hasPathId(id) || namedId(inputs, subject) !== undefined;
    return isAddressable && (isSafe(route(id)) || body !== undefined) ? [{ id, subject, body }] : [];
  });
  const way = ways.find(({ body }) => body === undefined) ?? ways[0];
  const purpose = 'Finding out whether the key needs "Bearer" before it';
  return (
    way &&
    requests.build(way.id, { purpose, credential, subject: hasPathId(way.id) ? way.subject : 'none', body: way.body })
  );
}
