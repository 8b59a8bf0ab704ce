import type { ContractDocument, Level, OperationId, Requirement } from '../../contract/document.ts';
import type { Observation } from '../checks/observations.ts';
import type { Exchange, ResponseRecord, TransportError } from '../http/exchange.ts';
import { figure } from '../../common/text.ts';
import { MOST_SENT, type Redact, redactedStart, redactedText } from '../http/redact.ts';
import type { CheckDescription } from '../model/check.ts';
import type { InconclusiveReason } from '../model/reasons.ts';
import type { IdInput } from '../resources/inputs.ts';
import type { Restoration } from '../traffic/keeping/restoration.ts';
import type { Hint } from './hints/hints.ts';
import type { BaselineProblem, Outcome, Verdict } from './verdict.ts';

export { transportErrorText } from '../http/exchange.ts';

/** The version of the result format; it rises when a member changes its meaning or is removed. */
export const SCHEMA_VERSION = 1;

/** An exchange as a report shows it: without keys, and with bodies cut to a readable length. */
export interface ExchangeRecord {
  /** The purpose of the request, in a few words. */
  readonly purpose: string;
  /** Which key it carried and how, in words. */
  readonly credential: string;
  /** What was sent. */
  readonly request: {
    /** In upper case. */
    readonly method: string;
    /** The complete URL. */
    readonly url: string;
    /** Without the header that carries the key. */
    readonly headers: Readonly<Record<string, string>>;
    /** The body as text; absent if none was sent. */
    readonly body?: string;
  };
  /** What was received; absent if there was no readable response. */
  readonly response?: {
    /** The HTTP status. */
    readonly status: number;
    /** Names in lower case; repeated fields are joined with a comma. */
    readonly headers: Readonly<Record<string, string>>;
    /** The start of the body as text, after content decoding. */
    readonly body: string;
    /** How many characters of the body were cut off. */
    readonly cut?: number;
  };
  /** Why there was no readable response; absent if there was one. */
  readonly transportError?: {
    /** The kind of transport error. */
    readonly kind: TransportError;
    /** Details, in words. */
    readonly detail: string;
  };
  /** How often the target asked for a pause (429 or 503) before; absent if it never did. */
  readonly pauses?: number;
  /** How many attempts to send it got no response before; each may have been carried out. Absent if there was none. */
  readonly lost?: number;
  /** When it was sent: since the start of the run; ms, with one decimal. Absent in results of 0.1.0. */
  readonly startedMs?: number;
  /** From sending to the last byte of the response; ms, with one decimal. */
  readonly durationMs: number;
}

/** What is wrong: expected and actual. */
export interface Failure {
  /** The stable name of a way to fail. */
  readonly mode: string;
  /** What the contract asks for: a JSON value, or words that describe it; where a pointer says what it is, in parentheses: `(string or null)`. */
  readonly expected: unknown;
  /** What the target did, in the same form. */
  readonly actual: unknown;
  /** JSON pointer into the body that was judged. */
  readonly pointer?: string;
  /** What was wrong in this case, as a sentence for the report. */
  readonly message: string;
  /** The requirements that it contradicts, if not all that the check judges. */
  readonly requirements?: readonly string[];
}

/** The result of one check. */
export interface CheckResult extends Pick<CheckDescription, 'id' | 'area' | 'title'> {
  /** The level in the scored set; a level that changed since counts from the next version of the contract on. */
  readonly level: Level;
  /** Ids of the requirements that it judges, sorted. */
  readonly requirements: readonly string[];
  /** The outcome. */
  readonly outcome: Outcome;
  /** Why it is inconclusive; present with that outcome only. */
  readonly reason?: InconclusiveReason;
  /** The reason in words, or why the check does not apply. */
  readonly detail?: string;
  /** What is wrong; present with the outcome `failed` only. */
  readonly failure?: Failure & {
    /** How to fix it. */
    readonly advice: string;
  };
  /** Whether the baseline lists it as a known failure. */
  readonly knownFailure: boolean;
  /**
   * Whether it counts in the verdict, the summary, and the outcome of its requirements. A check that is newer than the scored
   * set of this contract version is reported, but does not count. Absent in results of 0.1.0, where every check counts.
   */
  readonly scored?: boolean;
  /** The exchanges on which the judgement rests, at most four. */
  readonly exchanges: readonly ExchangeRecord[];
  /** Curl lines that repeat the decisive request, or the sequence of requests that shows the failure; one per line. */
  readonly curl?: string;
  /** The total time of its exchanges; ms. */
  readonly durationMs: number;
}

/** One deviation of the target from the contract, with all that shows it and all that follows from it. */
export interface Finding extends Pick<Failure, 'expected' | 'actual' | 'pointer'> {
  /** A stable name, made from the requirement and from what tells several deviations from one requirement apart. */
  readonly id: string;
  /** `must` if one of its checks is. */
  readonly level: Level;
  /** The id of the requirement that describes it best. */
  readonly requirement: string;
  /** Ids of all requirements that it contradicts. */
  readonly requirements: readonly string[];
  /** What the target does, in one sentence. */
  readonly title: string;
  /** Ids of the failed checks that show it, the most telling one first. */
  readonly checks: readonly string[];
  /** How many requests of the run show it. */
  readonly seen: number;
  /** `true` if it comes now and then: the same request, sent again, was treated as it must be. Absent otherwise. */
  readonly sporadic?: boolean;
  /** The requests that show it once more if they are sent in this order, with their responses. */
  readonly exchanges: readonly ExchangeRecord[];
  /** These requests as curl lines, one per line. */
  readonly curl: string;
  /** How to fix it. */
  readonly fix: string;
  /** Ids of the checks that are inconclusive because of it. */
  readonly consequences: readonly string[];
  /** Whether the baseline lists it, or each of its checks, as a known failure. */
  readonly knownFailure: boolean;
  /** Whether one of its checks is scored. */
  readonly scored: boolean;
}

/** What became of a finding of an earlier result. The title of one that is still there says how it shows now. */
export interface Again extends Pick<Finding, 'id' | 'level' | 'title' | 'sporadic'> {
  /**
   * `fixed`: all its checks were seen to hold. `not-seen-again`: that proves nothing, since some of them are inconclusive, or it
   * came now and then.
   */
  readonly outcome: 'fixed' | 'still-there' | 'not-seen-again';
  /** How many requests were sent that its checks judge. */
  readonly requests: number;
}

/** The result of one requirement. */
export interface RequirementResult extends Omit<Requirement, 'pointer'> {
  /** The worst outcome of its checks. */
  readonly outcome: Outcome;
  /** Ids of the scored checks of this run that judge it, sorted. */
  readonly checks: readonly string[];
}

/** How much of the contract was checked. */
export interface Scope {
  /** The operations that were checked, at least in part, in the order of the contract. */
  readonly operations: readonly OperationId[];
  /** The operations that were deselected: nothing was sent to them. */
  readonly leftOut: readonly OperationId[];
  /** The number of selected scored checks. */
  readonly checks: number;
  /** The number of all scored checks. */
  readonly of: number;
}

/** The number of checks by outcome; `knownFailures` are counted under their outcome too, `total` is that of all selected checks. */
export type Counts = Readonly<
  Record<'passed' | 'failed' | 'inconclusive' | 'notApplicable' | 'error' | 'knownFailures' | 'total', number>
>;

/** The result of a run; every report is made from it. Arrays are sorted, so that two results diff cleanly. */
export interface Result {
  /** The version of this format. */
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** The tool that wrote the result. */
  readonly tool: {
    /** The name of the package. */
    readonly name: string;
    /** The version of the package. */
    readonly version: string;
    /** The command that judged the target, without what selects checks and writes reports; absent if no command did. */
    readonly command?: string;
  };
  /** The contract that the target was checked against. */
  readonly contract: ContractDocument['info'] & {
    /** SHA-256 of the contract as JSON, in hexadecimal. */
    readonly digest: string;
    /** SHA-256 of the ids and levels of the complete scored set of this version, whatever was selected; in hexadecimal. */
    readonly scoredSetDigest: string;
  };
  /** What the operator declared about the target; of the keys, only whether they were given. */
  readonly target: Readonly<Partial<Record<IdInput, string>>> & {
    /** Without a trailing slash. */
    readonly baseUrl: string;
    /** The values that may be sent as `rootRole`. */
    readonly roleIds?: readonly unknown[];
    /** The ids of all configured banners. */
    readonly bannerIds?: readonly unknown[];
    /** Whether the admin key was given. */
    readonly adminKey: boolean;
    /** Whether the restricted key was given: one that may not update users. */
    readonly restrictedKey: boolean;
    /** The domain of the e-mail addresses that were sent. */
    readonly emailDomain: string;
  };
  /** Which checks were selected and which levels decide. */
  readonly selection: {
    /** The values of `--only`; empty: all checks. */
    readonly only: readonly string[];
    /** The values of `--skip`. */
    readonly skip: readonly string[];
    /** The least level whose failure fails the run. */
    readonly failOn: Level;
    /** How much of the contract that selects. Absent in results of 0.1.0. */
    readonly scope?: Scope;
  };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The duration of the run; whole ms. */
  readonly durationMs: number;
  /** The verdict on the target. */
  readonly verdict: Verdict;
  /** The counts. */
  readonly summary: {
    /** Of the `must` checks. */
    readonly must: Counts;
    /** Of the `should` checks. */
    readonly should: Counts;
    /** The number of requests that were sent, including those that restored the users. */
    readonly requests: number;
    /** Why there were more requests than planned, in one sentence; absent if there were not. */
    readonly moreRequests?: string;
    /** The baseline entries that no longer hold. */
    readonly baselineProblems: readonly BaselineProblem[];
  };
  /** What became of each finding of an earlier result, in its order; absent unless they were looked for (`--again`). */
  readonly again?: readonly Again[];
  /** What the target does wrong: `must` first, then what explains most. */
  readonly findings: readonly Finding[];
  /** What came of each requirement that a selected check judges, sorted by id. */
  readonly requirements: readonly RequirementResult[];
  /** The result of each selected check, sorted by id. */
  readonly checks: readonly CheckResult[];
  /** What the target does where the contract is silent. */
  readonly observations: readonly Observation[];
  /** How far the users were restored. */
  readonly restoration: Restoration;
  /** What looks wrong with the address, the keys or the ids, the likeliest first. Absent in results of earlier versions. */
  readonly hints?: readonly Hint[];
}

/** ms, with one decimal. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Characters of a header that are shown. */
const MOST_OF_HEADER = 8_000;

/** Header fields without secrets; of a large header, the start. */
function presentHeaders(headers: Readonly<Record<string, string>>, redact: Redact): Record<string, string> {
  const shown: Record<string, string> = {};
  let left = MOST_OF_HEADER;
  for (const [name, value] of Object.entries(headers)) {
    if (left <= 0) break;
    const field = redactedStart(name, redact).text.slice(0, left);
    left -= field.length;
    const { text, cut } = redactedStart(value, redact);
    const start = text.slice(0, Math.max(0, left));
    left -= start.length;
    const more = cut + text.length - start.length;
    shown[field] = more === 0 ? start : `${start}… (${figure(more)} more characters)`;
  }
  return shown;
}

function presentResponse(
  { status, headers, text, cut: whole }: ResponseRecord,
  redact: Redact,
): NonNullable<ExchangeRecord['response']> {
  const { text: body, cut } = redactedStart(text, redact);
  const more = cut + (whole === undefined ? 0 : whole.length - text.length);
  return { status, headers: presentHeaders(headers, redact), body, ...(more > 0 && { cut: more }) };
}

/** The one place through which an exchange leaves the run: bounded, and without keys. */
export function toExchangeRecord(exchange: Exchange, baseUrl: string, redact: Redact): ExchangeRecord {
  const { request, response, transportError, startedAt, duration, pauses, lost = 0 } = exchange;
  return {
    purpose: request.purpose,
    credential: request.credential.label,
    request: {
      method: request.method,
      url: `${baseUrl}${request.path}`,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: redactedText(request.body, redact, MOST_SENT) }),
    },
    ...(response && { response: presentResponse(response, redact) }),
    ...(transportError && {
      transportError: { ...transportError, detail: redactedText(transportError.detail, redact) },
    }),
    ...(pauses > 0 && { pauses }),
    ...(lost > 0 && { lost }),
    startedMs: tenths(startedAt),
    durationMs: tenths(duration),
  };
}

/** Whether a check is in the scored set: only then it counts. */
export function isScored({ scored = true }: Pick<CheckResult, 'scored'>): boolean {
  return scored;
}

/** The number of checks by outcome. */
export function countOutcomes(checks: readonly Pick<CheckResult, 'outcome' | 'knownFailure'>[]): Counts {
  const count = (outcome: Outcome): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
    error: count('error'),
    knownFailures: checks.filter(({ knownFailure }) => knownFailure).length,
    total: checks.length,
  };
}
