import type { InconclusiveReason } from '../conformance/judging/reasons.ts';
import type { Limits } from '../conformance/http/limits.ts';
import type { Inputs } from '../conformance/target/inputs.ts';
import type { Behaviour } from './behaviour.ts';

/** A lawful server that differs from the reference server where the contract is open, or where HTTP allows it. */
export interface Variant {
  readonly id: string;
  /** What this server does otherwise, as one sentence about it. */
  readonly title: string;
  /** The requirements and open points whose freedom it uses. */
  readonly about: readonly string[];
  /** The checks that were inconclusive there, each with the reason; ids or globs. All others pass or do not apply. */
  readonly inconclusive?: Readonly<Record<string, InconclusiveReason>>;
  /** What is not shown cannot be put back: the users are not as they were afterwards. */
  readonly notPutBack?: true;
  readonly behaviour: Behaviour;
  /** What the operator says otherwise than by default. */
  readonly inputs?: Partial<Inputs>;
  readonly limits?: Partial<Limits>;
}
