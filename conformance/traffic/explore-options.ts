import { RunRefused } from './run-refused.ts';

/** Which random sequences of updates a run tries. */
export interface ExploreOptions {
  /** How many sequences. */
  readonly sequences: number;
  /** The same seed gives the same sequences; default: a random one. */
  readonly seed?: number;
}

/** The optional peer dependency `fast-check`, which random sequences need, is not installed. */
export class ExplorerMissing extends RunRefused {}
