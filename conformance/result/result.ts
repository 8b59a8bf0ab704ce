import type { Level, OperationId } from '../../contract/document.ts';
import type { Observation } from '../checks/observations.ts';
import type { Exchange, TransportError } from '../http/exchange.ts';
import { mapStrings } from '../../common/text.ts';
import { redactedStart } from '../http/redact.ts';
import type { Failure } from '../judging/check.ts';
import type { InconclusiveReason } from '../judging/reasons.ts';
import type { Restoration } from '../traffic/restoration.ts';
import type { Hint } from './hints.ts';
import type { BaselineProblem, Outcome, Verdict } from './verdict.ts';

/** The version of the shape of a result; it rises when a member changes its meaning or goes. */
export const SCHEMA_VERSION = 1;

/** An exchange as a report shows it: without keys, and with bodies cut to a readable length. */
export interface ExchangeRecord {
  /** What the request was for, in a few words. */
  readonly purpose: string;
  /** Whose key it carried, and how, in words. */
  readonly credential: string;
  /** What was sent. */
  readonly request: {
    /** In capitals. */
    readonly method: string;
    /** The whole address. */
    readonly url: string;
    /** Without the header that carries the key. */
    readonly headers: Readonly<Record<string, string>>;
    /** As text; absent if none was sent. */
    readonly body?: string;
  };
  /** What was answered; absent if nothing was, or nothing readable. */
  readonly response?: {
    /** The HTTP status. */
    readonly status: number;
    /** Names in small letters; repeated ones joined by a comma. */
    readonly headers: Readonly<Record<string, string>>;
    /** The start of the body as text, after content decoding. */
    readonly body: string;
    /** The number of characters that were cut off the body. */
    readonly cut?: number;
  };
  /** Why there was no answer; absent if there was one. */
  readonly transportError?: {
    /** Its name. */
    readonly kind: TransportError;
    /** More of it, in words. */
    readonly detail: string;
  };
  /** From sending to the last byte of the answer; ms, with one decimal. */
  readonly durationMs: number;
}

/** What came of one check. */
export interface CheckResult {
  /** The id of the check. */
  readonly id: string;
  /** The part of the contract that it belongs to. */
  readonly area: string;
  /** As it is scored: a level that changed since the scored set was frozen counts from the next version of the contract on. */
  readonly level: Level;
  /** What holds for a conforming target. */
  readonly title: string;
  /** Ids of the requirements that it judges, sorted. */
  readonly requirements: readonly string[];
  /** What was found. */
  readonly outcome: Outcome;
  /** Why it was inconclusive; present with that outcome. */
  readonly reason?: InconclusiveReason;
  /** The reason in words, or why it does not apply. */
  readonly detail?: string;
  /** What was wrong; present if it failed. */
  readonly failure?: Failure & {
    /** What to mend. */
    readonly advice: string;
  };
  /** Whether the baseline excuses it. */
  readonly knownFailure: boolean;
  /**
   * Whether it counts: in the verdict, the summary, and the outcome of its requirements. A check that is newer than the
   * scored set of the contract's version is reported and does not count. Absent in results of 0.1.0, where all count.
   */
  readonly scored?: boolean;
  /** The exchanges that it was judged by, four at most. */
  readonly exchanges: readonly ExchangeRecord[];
  /** Sends the decisive request again; several, one in each line, where it takes a sequence to show the failure. */
  readonly curl?: string;
  /** Time that the exchanges of the check took, added up. */
  readonly durationMs: number;
}

/** What came of one requirement. */
export interface RequirementResult {
  /** The id of the requirement. */
  readonly id: string;
  /** How much it binds. */
  readonly level: Level;
  /** The sentence. */
  readonly text: string;
  /** Where in the source document it stands. */
  readonly source: string;
  /** The worst of its checks. */
  readonly outcome: Outcome;
  /** Ids of the scored checks of this run that judge it, sorted. */
  readonly checks: readonly string[];
}

/** What of the contract was looked at. */
export interface Scope {
  /** The operations that were judged, in part at least, in the order of the contract. */
  readonly operations: readonly OperationId[];
  /** The operations to which nothing was sent, because the operator left them out. */
  readonly leftOut: readonly OperationId[];
  /** The number of scored checks that were selected. */
  readonly checks: number;
  /** The number of all scored checks. */
  readonly of: number;
}

/** How many checks had which outcome. */
export interface Counts {
  /** Seen to hold. */
  readonly passed: number;
  /** Seen not to hold. */
  readonly failed: number;
  /** Not seen. */
  readonly inconclusive: number;
  /** Lawfully not there to be seen. */
  readonly notApplicable: number;
  /** Not judged, since the suite itself went wrong. */
  readonly suiteError: number;
  /** Those that the baseline excuses; they are counted under their outcome too. */
  readonly knownFailure: number;
  /** All that were selected. */
  readonly total: number;
}

/** The one result object of a run; every report is made from it. Arrays are sorted, so that two results diff cleanly. */
export interface Result {
  /** The version of this shape. */
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** What made the result. */
  readonly tool: {
    /** The name of the package. */
    readonly name: string;
    /** The version of the package. */
    readonly version: string;
  };
  /** What the target was judged by. */
  readonly contract: {
    /** The title of the contract. */
    readonly title: string;
    /** The version of the contract. */
    readonly version: string;
    /** SHA-256 of the contract as JSON; hexadecimal. */
    readonly digest: string;
    /** SHA-256 of the ids and levels of the whole scored set of this version, whatever was selected of it; hexadecimal. */
    readonly scoredSetDigest: string;
  };
  /** What was said of the target; of the keys, only whether they were given. */
  readonly target: {
    /** Without a slash at its end. */
    readonly baseUrl: string;
    /** The user that was changed. */
    readonly userId?: string;
    /** The second one. */
    readonly otherUserId?: string;
    /** The id that no user has. */
    readonly missingUserId?: string;
    /** The values that were sent as `rootRole`. */
    readonly roleIds?: readonly unknown[];
    /** The ids of all configured banners. */
    readonly bannerIds?: readonly unknown[];
    /** Whether the key that may do everything was given. */
    readonly adminKey: boolean;
    /** Whether the key that may not update users was given. */
    readonly restrictedKey: boolean;
    /** The domain of the addresses that were sent. */
    readonly emailDomain: string;
  };
  /** Which checks were selected, and which levels decide. */
  readonly selection: {
    /** As given; empty: all. */
    readonly only: readonly string[];
    /** As given. */
    readonly skip: readonly string[];
    /** The least level whose failure fails the run. */
    readonly failOn: Level;
    /** What of the contract that comes to. Absent in results of 0.1.0. */
    readonly scope?: Scope;
  };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** How long the run took; whole ms. */
  readonly durationMs: number;
  /** The verdict on the target. */
  readonly verdict: Verdict;
  /** Numbers. */
  readonly summary: {
    /** Of the checks of binding sentences. */
    readonly must: Counts;
    /** Of the other checks. */
    readonly should: Counts;
    /** How many requests were sent. */
    readonly requests: number;
    /** The entries of the baseline that do not hold. */
    readonly baselineProblems: readonly BaselineProblem[];
  };
  /** What came of each requirement that a selected check judges, sorted by id. */
  readonly requirements: readonly RequirementResult[];
  /** What came of each selected check, sorted by id. */
  readonly checks: readonly CheckResult[];
  /** What the target does where the contract is silent. */
  readonly observations: readonly Observation[];
  /** What came of restoring the users. */
  readonly restoration: Restoration;
  /** What looks wrong with the address, the keys or the ids, the likeliest first. Results of earlier versions have none. */
  readonly hints?: readonly Hint[];
}

function presentBody(text: string, redact: (text: string) => string): { body: string; cut?: number } {
  const { text: body, cut } = redactedStart(text, redact);
  return cut === 0 ? { body } : { body, cut };
}

/** The one place through which an exchange leaves the run: bounded, and without keys. */
export function toExchangeRecord(
  exchange: Exchange,
  baseUrl: string,
  redact: (text: string) => string,
): ExchangeRecord {
  const { request, response, transportError, duration } = exchange;
  const record: ExchangeRecord = {
    purpose: request.purpose,
    credential: request.credential.label,
    request: {
      method: request.method,
      url: `${baseUrl}${request.path}`,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: redact(request.body) }),
    },
    ...(response
      ? {
          response: {
            status: response.status,
            headers: mapStrings(response.headers, redact),
            ...presentBody(response.text, redact),
          },
        }
      : {}),
    ...(transportError ? { transportError: { kind: transportError.kind, detail: redact(transportError.detail) } } : {}),
    durationMs: Math.round(duration * 10) / 10,
  };
  return record;
}

/** Whether a check counts. */
export function isScored({ scored = true }: Pick<CheckResult, 'scored'>): boolean {
  return scored;
}

/** How many checks came to each outcome. */
export function countOutcomes(checks: readonly CheckResult[]): Counts {
  const count = (outcome: Outcome): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
    suiteError: count('error'),
    knownFailure: checks.filter(({ knownFailure }) => knownFailure).length,
    total: checks.length,
  };
}
