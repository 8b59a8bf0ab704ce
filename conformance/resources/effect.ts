import type { ResourceId } from '../http/exchange.ts';

/** What an operation does to the resource that it addresses. */
export interface Effect {
  /** Which one its `{id}` names; the request guard refuses an id of anything else. */
  readonly resource: ResourceId;
  /** A body with which it leaves the resource as it is. Undefined: the contract has none. */
  readonly neutral?: string;
}
