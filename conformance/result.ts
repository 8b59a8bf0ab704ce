import type { Level } from '../contract/document.ts';
import type { CouldNotRunReason, Failure } from './check.ts';
import type { Hint } from './diagnosis.ts';
import type { Exchange, TransportFault } from './exchange.ts';
import { mapStrings, redactedStart } from './redact.ts';
import type { Observation } from './observations.ts';
import type { UserRestoration } from './restore.ts';
import type { BaselineProblem, Outcome, Verdict } from './verdict.ts';

/** The version of the shape of a result; it rises when a member changes its meaning or goes. */
export const SCHEMA_VERSION = 1;

/** An exchange as a report shows it: without keys, and with bodies cut to a readable length. */
export interface ExchangeRecord {
  readonly purpose: string;
  readonly credential: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** The number of characters that were cut off the body. */
    readonly cut?: number;
  };
  readonly fault?: { readonly kind: TransportFault; readonly detail: string };
  readonly durationMs: number;
}

export interface CheckResult {
  readonly id: string;
  readonly area: string;
  readonly level: Level;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly outcome: Outcome;
  /** Why it could not run; present with that outcome. */
  readonly reason?: CouldNotRunReason;
  /** The reason in words, or why it does not apply. */
  readonly detail?: string;
  readonly failure?: Failure & { readonly advice: string };
  /** Whether the baseline excuses it. */
  readonly waived: boolean;
  readonly exchanges: readonly ExchangeRecord[];
  /** Sends the decisive request again; several, one in each line, where it takes a sequence to show the failure. */
  readonly curl?: string;
  /** Time that the exchanges of the check took, added up. */
  readonly durationMs: number;
}

export interface RequirementResult {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
  readonly source: string;
  /** The worst of its checks. */
  readonly outcome: Outcome;
  readonly checks: readonly string[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly couldNotRun: number;
  readonly notApplicable: number;
  readonly suiteFault: number;
  readonly waived: number;
  readonly total: number;
}

export interface Restoration {
  /** none: nothing was written. complete: every member that was written is as before. */
  readonly outcome: 'none' | 'complete' | 'partial';
  readonly users: readonly UserRestoration[];
  /** Where the journal was left, if something is not as before. */
  readonly journal?: string;
}

/** The one result object of a run; every report is made from it. Arrays are sorted, so that two results diff cleanly. */
export interface Result {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly tool: { readonly name: string; readonly version: string };
  readonly contract: {
    readonly title: string;
    readonly version: string;
    /** SHA-256 of the contract as JSON, and of the ids and levels of the checks that were scored. */
    readonly digest: string;
    readonly scoredSetDigest: string;
  };
  readonly target: {
    readonly baseUrl: string;
    readonly userId?: string;
    readonly otherUserId?: string;
    readonly missingUserId?: string;
    readonly roleIds?: readonly unknown[];
    readonly bannerIds?: readonly unknown[];
    readonly adminKey: boolean;
    readonly restrictedKey: boolean;
    readonly emailDomain: string;
  };
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[]; readonly failOn: Level };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict;
  readonly summary: {
    readonly must: Counts;
    readonly should: Counts;
    readonly requests: number;
    readonly baselineProblems: readonly BaselineProblem[];
  };
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
  readonly observations: readonly Observation[];
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
  const { request, response, fault, duration } = exchange;
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
    ...(fault ? { fault: { kind: fault.kind, detail: redact(fault.detail) } } : {}),
    durationMs: Math.round(duration * 10) / 10,
  };
  return record;
}

export function countOutcomes(checks: readonly CheckResult[]): Counts {
  const count = (outcome: Outcome): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    couldNotRun: count('could-not-run'),
    notApplicable: count('not-applicable'),
    suiteFault: count('suite-fault'),
    waived: checks.filter(({ waived }) => waived).length,
    total: checks.length,
  };
}
