import type { Limits } from '../conformance/http/policy/limits.ts';
import type { Inputs } from '../conformance/resources/inputs.ts';
import type { Behaviour } from './servers/behaviour.ts';

/** A conforming server that differs from the reference server where the contract or HTTP leaves a choice, as it is written. */
export interface WrittenVariant {
  readonly id: string;
  /** One sentence on how this server differs. */
  readonly title: string;
  /** The requirements and open points that leave it this choice. */
  readonly about: readonly string[];
  /** Members that are not shown cannot be restored: after the run, the users differ from what they were. */
  readonly notRestored?: true;
  readonly behaviour: Behaviour;
  /** Inputs of the operator that differ from the defaults. */
  readonly inputs?: Partial<Inputs>;
  readonly limits?: Partial<Limits>;
}

/** A conforming server, and the checks that are inconclusive on it. */
export interface Variant extends WrittenVariant {
  /** Each with its reason (`recorded.json`). All others pass or do not apply. */
  readonly inconclusive?: Readonly<Record<string, string>>;
}
