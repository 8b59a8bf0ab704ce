import type { Level, OperationId } from '../../contract/document.ts';

/**
 * What a request is due: a refusal; an acceptance; one of the two, and then nothing in between; or the contract says nothing of it.
 */
export type DueClass = 'refuse' | 'accept' | 'either' | 'unspecified';

/** What a request is for, where that decides how its effect is judged. */
export type Role =
  | 'reading'
  | 'unusual'
  | 'repetition'
  | 'partial-repetition'
  | 'concurrent'
  | 'unlisted'
  | 'keyless'
  | 'respelled'
  | 'snapshot';

/** The request without the defect that the target must accept in the same run, for a refusal to say anything. */
export interface ControlShape {
  readonly operation: OperationId;
  /** The members of its body, in any order; none for a request without a body. */
  readonly members: readonly string[];
}

/** How a target must treat a request, said where the request is built. */
export interface Due {
  readonly class: DueClass;
  /** The statuses that are right; any of them. */
  readonly statuses: readonly number[];
  /** The requirements that another outcome contradicts, the one that names it best first. */
  readonly requirements: readonly string[];
  readonly level: Level;
  /** The checks that judge the outcome. */
  readonly checks: readonly string[];
  readonly role?: Role;
  /** Of a refusal: the controls. */
  readonly controls?: readonly ControlShape[];
  /** The values that may be stored of each member if it is accepted; what was sent, unless it is here. */
  readonly stores?: Readonly<Record<string, readonly unknown[]>>;
  /** Of a request without a key: the check that its operation exists. */
  readonly exists?: string;
  /** Of requests that are sent at once: which round it is, from 0. */
  readonly round?: number;
  /** What an acceptance contradicts instead, once the resource was reported missing. */
  readonly onceMissing?: Pick<Due, 'requirements' | 'checks'>;
}

/** Any status that blames the request (RFC 9110, 15.5). */
export const CLIENT_ERRORS: readonly number[] = Array.from({ length: 100 }, (_each, index) => 400 + index);

/** Of a request of which the contract says nothing. */
export const UNSPECIFIED: Due = { class: 'unspecified', statuses: [], requirements: [], level: 'must', checks: [] };
