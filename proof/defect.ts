import type { Inputs } from '../conformance/target/inputs.ts';
import type { Behaviour } from './behaviour.ts';

/** The reference server with one fault. */
export interface Defect {
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

/** A defect with what was recorded of it. */
export interface RecordedDefect extends Defect {
  /** The checks that must fail, each with the failure mode that it must report. */
  readonly killedBy: Readonly<Record<string, string>>;
}
