import { type RequestSpec, sentBody } from '../http/exchange.ts';
import type { ResourceId } from './resource.ts';

interface Judged {
  readonly requirement: string;
  readonly check: string;
}

/** What an operation writes that is not the update by which a resource is read and restored. */
export interface Writes {
  /** Every member that it may change; all others must stay. */
  readonly members: readonly string[];
  /** A partial update: a request leaves those of its members alone that it does not send. */
  readonly isPartial?: true;
  /** The values that an accepted request must have stored. */
  readonly sets: (request: RequestSpec) => Readonly<Record<string, unknown>>;
  /** What is contradicted where they are not stored, and where another member changes. */
  readonly stored: Judged;
  readonly kept: Judged;
  /** The body that gives its members the values back that they had; undefined if none does. */
  readonly putBack: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined;
}

/** The members that a request may change. */
export function membersChangedBy({ members, isPartial }: Writes, request: RequestSpec): readonly string[] {
  return isPartial ? members.filter((member) => Object.hasOwn(sentBody(request) ?? {}, member)) : members;
}

/** What an operation does to the resource that it addresses. */
export interface Effect {
  /** Which one its `{id}` names; the request guard refuses an id of anything else. */
  readonly resource: ResourceId;
  /** A body with which it leaves the resource as it is. Undefined: the contract has none. */
  readonly neutral?: string;
  /** Of an operation that writes: what a refused request contradicts that changes something, and the members that show it. */
  readonly refused?: { readonly requirement: string; readonly parts: readonly string[] };
  /** Undefined: it only reads, or is the update that the sessions of the resource send. */
  readonly writes?: Writes;
}
