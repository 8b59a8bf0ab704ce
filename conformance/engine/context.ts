import type { Request, Response } from '../http/exchange.ts';
import type { Fresh } from './fresh.ts';
import type { Fault, Problem } from './outcome.ts';
import type { RunInputs, State, Target } from './target.ts';

/** How the users are read: for one check, or once for all that are sent together. */
export type Read = () => Promise<State>;

/** What a check may say of a problem, in place of the usual. */
export type Blame = Partial<Pick<Problem, 'requirement' | 'aspect' | 'seen' | 'absent'>>;

/** What a verb needs to know of the check that uses it. */
export interface Context {
  readonly target: Target;
  readonly inputs: RunInputs;
  readonly fresh: Fresh;
  /** The requirement of the check. */
  readonly requirement: string;
  /** Whether other requests are under way. */
  readonly isTogether: boolean;
  /** Reads the users. */
  readonly state: Read;
  /** Sends a request, and retries it if it is disturbed. */
  readonly send: (request: Request) => Promise<Response>;
  /** Reports a fault, by default of the requirement of the check. */
  readonly fail: (fault: Fault, blame?: Blame) => void;
}
