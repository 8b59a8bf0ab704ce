import type { OperationId } from '../../../contract/document.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Inputs } from '../../resources/inputs.ts';
import type { InconclusiveReason } from '../reasons.ts';

/** Why an operation was given up before its traffic: the target did not accept its first request with the admin key. */
export interface Blocked {
  readonly reason: InconclusiveReason;
  readonly detail: string;
  readonly exchange?: Exchange;
}

/** What an exploration with random sequences found. */
export interface Exploration {
  readonly seed: number;
  /** How many sequences were tried before it ended, without those that only shorten a finding. */
  readonly sequences: number;
  readonly requests: number;
  /** Some responses that showed a value which an earlier update had sent. */
  readonly witnesses: readonly Exchange[];
  /** The shortest sequence found that goes wrong, from the first update that resets the users; undefined if none does. */
  readonly finding?: ExplorationFinding;
  /** Why nothing could be tried. */
  readonly obstacle?: string;
}

/** What the target did wrong at the end of a random sequence. */
export interface ExplorationFinding {
  readonly mode: 'refused' | 'not-kept' | 'not-stored' | 'other-user-changed';
  readonly message: string;
  readonly member?: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly exchanges: readonly Exchange[];
}

/** Why more requests were sent than a conforming target gets. */
export type MoreTraffic = 'refusals-again' | 'side-effects';

/** What a run leaves: everything that was sent, what came of it, and what was given. Everything is judged from nothing else. */
export interface Recording {
  readonly inputs: Inputs;
  /** Ids of items that do not exist for these inputs. */
  readonly notBuildable: ReadonlySet<string>;
  /** What the suite threw while it sent an item, by its id. */
  readonly errors: ReadonlyMap<string, Error>;
  readonly more: ReadonlySet<MoreTraffic>;
  /** Only if sequences were explored. */
  readonly exploration?: Exploration;
  /** Every exchange of the run, in the order of completion; not those that restored the users. */
  readonly exchanges: readonly Exchange[];
  /** The last reading of each user that can be read, before they were restored. */
  readonly lastReadings: readonly Exchange[];
  /** The exchanges that restored the users, after all others. */
  readonly restoring: readonly Exchange[];
  readonly blocked: Readonly<Partial<Record<OperationId, Blocked>>>;
  /** That another run changed the users during this one, or that the target was away, in words; then no failure of an update proves anything. */
  readonly disturbed?: string | undefined;
  /** Whether the deadline or the operator ended the run. */
  readonly stopped: boolean;
  /** Why the rest was not sent: the target was given up. */
  readonly givenUp?: Omit<Blocked, 'exchange'> | undefined;
}
