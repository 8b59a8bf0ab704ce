import type { Level, OperationId } from '../../contract/document.ts';
import type { Exchange, RequestSpec } from '../http/exchange.ts';
import type { Limits } from '../http/limits.ts';
import type { Check } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import type { ExchangeRecord } from '../result/result.ts';
import type { BaselineEntry } from '../result/verdict.ts';
import type { ExploreOptions } from '../traffic/explore.ts';
import type { Restoration } from '../traffic/restoration.ts';

/** What happens during a run, for whoever shows it. */
export type RunEvent =
  /** `requests`: about how many there will be; a target that has to be read in several ways gets more. */
  | { readonly type: 'planned'; readonly checks: number; readonly requests: number }
  | { readonly type: 'journal'; readonly path: string }
  | { readonly type: 'stage'; readonly operation: OperationId | 'restore'; readonly text: string }
  /** `record` shows it without keys. */
  | {
      readonly type: 'exchange';
      readonly exchange: Exchange;
      readonly record: () => ExchangeRecord;
      readonly count: number;
    }
  /** A request that is sent only if a target gives cause to; `when` completes "only if". */
  | { readonly type: 'conditional'; readonly request: RequestSpec; readonly when: string }
  | { readonly type: 'restored'; readonly restoration: Restoration }
  /** Nothing more is sent: these checks judge this evidence now. */
  | { readonly type: 'judging'; readonly checks: readonly Check[]; readonly evidence: Evidence };

/** How a run is made. */
export interface RunOptions {
  /** Ids or globs (`*`) of checks, requirements, areas; or operations by id or tag. Empty: all checks. */
  readonly only?: readonly string[];
  /** What is taken away from that, named in the same way. */
  readonly skip?: readonly string[];
  /** The lowest level whose failure fails the run; default `must`. */
  readonly failOn?: Level;
  /** Known failures. An entry that does not hold (any more) makes the verdict `failed`. */
  readonly baseline?: readonly BaselineEntry[];
  /** Bounds of the HTTP client that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<Limits>;
  /** An integer. It decides the order in which the traffic of the checks is sent; the default is the order of the catalogue. */
  readonly orderSeed?: number;
  /** Also tries random sequences of updates; default none. */
  readonly explore?: ExploreOptions;
  /** The path of the journal, in a folder that exists; by default a file in the system's directory for temporary files. */
  readonly journal?: string;
  /** Ends the run early: it sends nothing more than what restores the users, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal;
  /** Receives what happens, while it happens. */
  readonly onEvent?: (event: RunEvent) => void;
}
