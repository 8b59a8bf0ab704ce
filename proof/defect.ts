import type { Inputs } from '../conformance/resources/inputs.ts';
import type { Behaviour } from './servers/behaviour.ts';

/** The reference server with one fault, as it is written. */
export interface WrittenDefect {
  /** Names the fault. */
  readonly id: string;
  /** One sentence on what this server does wrong. */
  readonly title: string;
  /** The requirements that the fault breaks. */
  readonly breaks: readonly string[];
  readonly behaviour: Behaviour;
  /** Inputs of the operator that differ from the defaults. */
  readonly inputs?: Partial<Inputs>;
}

/** The reference server with one fault, and what kills it. */
export interface Defect extends WrittenDefect {
  /** The checks that must fail, each with the failure mode that it must report (`recorded.json`). */
  readonly killedBy: Readonly<Record<string, string>>;
}
