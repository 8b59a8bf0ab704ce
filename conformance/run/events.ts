import type { Level, OperationId } from '../../contract/document.ts';
import type { Exchange, RequestSpec } from '../http/exchange.ts';
import type { Limits } from '../http/policy/limits.ts';
import type { Route } from '../http/transport/route.ts';
import type { Transport } from '../http/transport/transport.ts';
import type { Check } from '../model/check.ts';
import type { Recording } from '../model/recording/recording.ts';
import type { EarlierFinding } from '../result/again.ts';
import type { ExchangeRecord } from '../result/result.ts';
import type { BaselineEntry } from '../result/verdict.ts';
import type { ExploreOptions } from '../traffic/explore-options.ts';
import type { Restoration } from '../traffic/keeping/restoration.ts';

/** The first event of a run: the checks are selected, nothing was sent yet. */
export interface PlannedEvent {
  readonly type: 'planned';
  /** The number of checks that were selected. */
  readonly checks: number;
  /** About how many requests there will be; a target that has to be read in several ways gets more. */
  readonly requests: number;
}

/** The journal was written, from which the users can be restored if the process is killed. It comes before the first update. */
export interface JournalEvent {
  readonly type: 'journal';
  /** The file, for `admin-api-conformance restore`. */
  readonly path: string;
}

/** The run does something else from here on. */
export interface StageEvent {
  readonly type: 'stage';
  /** The operation whose requests are sent, or `restore` while the users are restored. */
  readonly operation: OperationId | 'restore';
  /** What is done now, in a few words for a person. */
  readonly text: string;
}

/** The target, which responded before, accepts no connection any more. It is waited for. */
export interface AwayEvent {
  /** Tells this event from the others. */
  readonly type: 'away';
  /** Why no connection could be made, in words. */
  readonly why: string;
}

/** The last event of a run: the users were restored, as far as possible. */
export interface RestoredEvent {
  readonly type: 'restored';
  /** What came of it; the same object is part of the result. */
  readonly restoration: Restoration;
}

/** What happens during a run, for whoever shows it. */
export type RunEvent =
  | PlannedEvent
  | JournalEvent
  | StageEvent
  | AwayEvent
  | RestoredEvent
  /** `record` shows it without keys. */
  | {
      readonly type: 'exchange';
      readonly exchange: Exchange;
      readonly record: () => ExchangeRecord;
      readonly count: number;
    }
  /** A request that is sent only if a target gives cause to; `when` completes "only if". */
  | { readonly type: 'conditional'; readonly request: RequestSpec; readonly when: string }
  /** The run has ended; `text` makes the file from which it can be judged again. */
  | { readonly type: 'recorded'; readonly text: () => string }
  /** Nothing more is sent: these checks judge this evidence now. */
  | { readonly type: 'judging'; readonly checks: readonly Check[]; readonly recording: Recording };

/** How a run is made. */
export interface RunOptions {
  /** Ids or globs (`*`) of checks, requirements, areas; or operations by id or tag. Empty: all checks. */
  readonly only?: readonly string[];
  /** What is left out of that, named in the same way. */
  readonly skip?: readonly string[];
  /** Findings of an earlier result: what shows them is sent in place of `only`, and the result says what became of each. */
  readonly again?: readonly EarlierFinding[] | undefined;
  /** The lowest level whose failure fails the run; default `must`. */
  readonly failOn?: Level;
  /** Known failures. An entry that does not hold (any more) makes the verdict `failed`. */
  readonly baseline?: readonly BaselineEntry[];
  /** Bounds of the HTTP client that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<Limits>;
  /**
   * Whether to go on although another run holds the lock of the users, or left its values in them; these then count as the
   * users' own.
   */
  readonly takeOver?: boolean;
  /** ms to wait before the users are read for the last time, for targets that store, or refuse, only later; default 0. */
  readonly settle?: number;
  /** How the target is reached; by default directly, with the certificates that Node trusts. */
  readonly route?: Route;
  /** Takes the requests in place of the network; `route` then means nothing. */
  readonly transport?: Transport | undefined;
  /** An integer. It decides the order in which the traffic of the checks is sent; the default is the order of the catalogue. */
  readonly orderSeed?: number;
  /** Also tries random sequences of updates; default none. */
  readonly explore?: ExploreOptions;
  /**
   * The path of the journal, in a folder that exists; by default a file in the system's directory for temporary files. With
   * `false` the run keeps no journal and locks no users: they end with its process, and no other run can reach them.
   */
  readonly journal?: string | false;
  /** Ends the run early: it sends nothing more than what restores the users, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal;
  /** Texts that are withheld beside the keys of the target, such as the keys of other targets. */
  readonly secrets?: readonly string[];
  /** Receives what happens, while it happens. */
  readonly onEvent?: (event: RunEvent) => void;
}
