import type { Validators } from '../../../contract/validators.ts';
import { type Exchange, type RequestSpec, sentBody } from '../../http/exchange.ts';
import { isMissing } from '../../resources/inputs.ts';
import type { Recording } from './recording.ts';

/** A recording, as it is judged: without what was replaced, in the order of sending. */
export interface View extends Recording {
  readonly validators: Validators;
}

/** The status of a response; 0 without one. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

export function bodyOf(exchange: Exchange): Readonly<Record<string, unknown>> {
  return sentBody(exchange.request) ?? {};
}

/** All values that a request sends, as members of its body or in its query. */
export function valuesSent(exchange: Exchange): readonly unknown[] {
  const [, query] = exchange.request.path.split('?');
  return [...Object.values(bodyOf(exchange)), ...new URLSearchParams(query).values()];
}

export function endOf({ startedAt, duration }: Exchange): number {
  return startedAt + duration;
}

/** The members of a body, as a name for its shape. */
export function shapeOf(exchange: Exchange): string {
  return Object.keys(bodyOf(exchange)).sort().join();
}

/** What is wrong with a request besides what it asks for. */
export type Defect = 'key' | 'permission' | 'body' | 'id' | 'missing';

/** The defects of a request: what a conforming target refuses it for. */
export function defectsOf({ credential, meant, subject }: RequestSpec): readonly Defect[] {
  const found: Defect[] = [];
  if (credential.role === undefined) found.push('key');
  if (credential.role === 'restricted') found.push('permission');
  if (meant.body === 'invalid') found.push('body');
  // What is no id is the id of nobody.
  if (isMissing(subject) || meant.id !== 'valid') found.push('missing');
  if (meant.id !== 'valid') found.push('id');
  return found;
}

/** Whether a response speaks of the state of the target, not of the request (RFC 9110, 15.5.10 and 15.6; RFC 4918, 11.3). */
export function isOfState(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status === 409 || status === 423 || status >= 500;
}

/** The exchanges that a later one replaces: the target refused them for its state, and the same request was sent again by itself. */
export function superseded(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const again = new Set(
    exchanges.filter(({ request, response }) => request.again && response).map(({ request }) => request.item),
  );
  return new Set(exchanges.filter((each) => again.has(each.request.item) && !each.request.again && isOfState(each)));
}
