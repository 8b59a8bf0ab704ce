import type { OperationId } from '../../contract/document.ts';
import type { Validators } from '../../contract/validators.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Inputs } from '../target/inputs.ts';
import type { NamedUser, Updatable, UserHistory } from '../target/user.ts';
import type { InconclusiveReason } from './reasons.ts';

/** A member of a user that changed although the request between two readings must not touch it. */
export interface Change {
  readonly subject: NamedUser;
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly exchange: Exchange;
}

/** All probes of an operation that the target must refuse, sent concurrently between two readings of the state. */
export interface BatchEvidence {
  readonly operation: OperationId;
  /** The ids of the probes. */
  readonly probes: readonly string[];
  /** The readings after the probes: updates that send nothing, or what is stored already, and show the state. */
  readonly after: readonly Exchange[];
  /** How they differ from the readings before. */
  readonly changes: readonly Change[];
  /** Whether the target wrongly accepted one of the probes; that explains changes. */
  readonly acceptedSome: boolean;
  /** Whether one of the probes may leave a user that cannot be shown. */
  readonly mayBreakUser?: boolean;
  /** What each probe changed when it was sent again by itself; present only if something differed. */
  readonly culprits?: ReadonlyMap<string, readonly Change[]>;
}

/** One pass through the steps of a scenario, seen through one state probe. */
export interface Round {
  readonly updates: readonly Exchange[];
  readonly after: readonly Exchange[];
}

export interface ScenarioEvidence {
  readonly rounds: readonly Round[];
}

/** A request that changed what another operation shows, each time it was sent, and nothing changed where it was not. */
export interface SideEffect {
  readonly cause: Exchange;
  readonly before: Exchange;
  readonly after: Exchange;
}

/** What was found out where the snapshots of an operation that reads differ. */
export interface SideEffectEvidence {
  /** Consecutive snapshots, taken while nothing else was sent. */
  readonly quiet: readonly Exchange[];
  readonly found: readonly SideEffect[];
}

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
  readonly member?: Updatable;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly exchanges: readonly Exchange[];
}

/** What the traffic of one operation has shown. */
export interface TrafficEvidence {
  readonly probes: ReadonlyMap<string, readonly Exchange[]>;
  /** Ids of probes that do not exist for these inputs. */
  readonly notBuildable: ReadonlySet<string>;
  readonly scenarios: ReadonlyMap<string, ScenarioEvidence>;
  readonly batches: readonly BatchEvidence[];
  /** By the operation that shows the state; only if snapshots differ. */
  readonly sideEffects?: ReadonlyMap<OperationId, SideEffectEvidence>;
  readonly blocked?: Blocked;
  /** What the suite threw while it sent a probe or a scenario, by id. */
  readonly errors: ReadonlyMap<string, Error>;
  /** Only if sequences were explored. */
  readonly exploration?: Exploration;
}

/** Everything a run has seen. Checks judge from nothing else. */
export interface Evidence extends Omit<TrafficEvidence, 'blocked'> {
  readonly inputs: Inputs;
  readonly validators: Validators;
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
  /** What each named user showed over the run. */
  readonly history: (subject: NamedUser) => UserHistory;
}
