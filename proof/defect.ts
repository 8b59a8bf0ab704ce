import type { Inputs } from '../conformance/target/inputs.ts';
import type { Behaviour } from './behaviour.ts';

/** A broken server: the reference server with one fault. */
export interface Defect {
  /** Named by the fault. */
  readonly id: string;
  /** What this server does wrong, as one sentence about it. */
  readonly title: string;
  /** The requirements that the fault breaks. */
  readonly breaks: readonly string[];
  /** The checks that must fail, each with the failure mode that is the right reason. */
  readonly killedBy: Readonly<Record<string, string>>;
  readonly behaviour: Behaviour;
  /** What the operator says otherwise than by default. */
  readonly inputs?: Partial<Inputs>;
}
