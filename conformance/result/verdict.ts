import type { Level } from '../../contract/document.ts';
import { hint } from '../../common/nearest.ts';

/** All outcomes. */
export const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'inconclusive', 'not-applicable', 'error'];
/**
 * Of a check, and of a requirement. `inconclusive`: it could not be observed whether it holds. `not-applicable`: the target may
 * lack what is judged, and does. `error`: the suite itself failed; that says nothing about the target.
 */
export type Outcome = 'passed' | 'failed' | 'inconclusive' | 'not-applicable' | 'error';

/** All verdicts. */
export const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'inconclusive', 'interrupted', 'error'];
/**
 * Of a run. `passed`: every selected `must` was seen to hold, or is a known failure. `failed`: some `must` failed (with
 * `failOn: 'should'`, or some `should`), or a baseline entry no longer holds. `inconclusive`: nothing failed, but some `must`
 * was inconclusive. `interrupted`: the run was aborted. `error`: the suite itself failed; that says nothing about the target.
 */
export type Verdict = 'passed' | 'failed' | 'inconclusive' | 'interrupted' | 'error';

/** The exit code of `admin-api-conformance run` for each verdict. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  passed: 0,
  failed: 1,
  inconclusive: 3,
  error: 4,
  interrupted: 130,
};
/** Exit code of a usage or configuration error, an empty selection, an unreadable file. */
export const USAGE_ERROR = 2;

/** The order in which an outcome outweighs others. */
export const WORST_FIRST: readonly Outcome[] = ['error', 'failed', 'inconclusive', 'passed', 'not-applicable'];

/**
 * The outcome of a requirement: the worst of its checks. What does not apply leaves the others to decide.
 *
 * @param outcomes of its checks; none gives `inconclusive`, since nothing was observed
 */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'inconclusive';
}

/** The order in which a verdict outweighs others. */
export const WORST_VERDICT_FIRST: readonly Verdict[] = ['error', 'interrupted', 'failed', 'inconclusive', 'passed'];

/** The verdict on several targets: the worst of theirs, in the order in which `decide` weighs them; undefined of none. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  return WORST_VERDICT_FIRST.find((verdict) => verdicts.includes(verdict));
}

interface EntryTerms {
  /** Why it is a known failure, for people. */
  readonly reason: string;
  /** The last day (`YYYY-MM-DD`, UTC) on which the entry holds. */
  readonly expires?: string;
}

/** An entry of a baseline file for a check that is known not to pass. */
export interface CheckEntry extends EntryTerms {
  /** The id of the check. */
  readonly check: string;
  /** The known outcome. */
  readonly outcome: 'failed' | 'inconclusive';
  /** Absent: the entry names a check. */
  readonly finding?: never;
}

/** An entry of a baseline file for a known finding: its checks and its consequences are known failures. */
export interface FindingEntry extends EntryTerms {
  /** The id of the finding. */
  readonly finding: string;
  /** Absent: the entry names a finding. */
  readonly check?: never;
}

/** An entry of a baseline file: what is known to be wrong, the reason, and when the entry expires. */
export type BaselineEntry = CheckEntry | FindingEntry;

/** A baseline entry that no longer holds. */
export interface BaselineProblem {
  /** The id of the check or the finding in the entry. */
  readonly id: string;
  /** stale: the check has another outcome now, or the finding is gone; unknown: there is no such check or finding. */
  readonly kind: 'stale' | 'expired' | 'unknown';
  /** The problem and what to do about it, in a sentence. */
  readonly message: string;
}

/** What of a finding a baseline reads. */
export interface KnownFinding {
  readonly id: string;
  readonly checks: readonly string[];
  readonly consequences: readonly string[];
}

/** The ids that a baseline may name, and those that earlier versions knew. */
export interface KnownIds {
  /** The ids of all checks of the suite. */
  readonly ids: ReadonlySet<string>;
  /** What the id of a finding begins with, each with the ids of the checks that can show such a finding. */
  readonly findings: Readonly<Record<string, readonly string[]>>;
  /** Retired ids, each with its successors. */
  readonly retired: Readonly<Record<string, readonly string[]>>;
}

/** The checks that can show a finding with this id; none: there is no such finding. */
export function canShow(finding: string, { findings }: KnownIds): readonly string[] {
  const starts = Object.entries(findings).filter(([start]) => `${finding}.`.startsWith(`${start}.`));
  return starts.flatMap(([, checks]) => checks);
}

function unknownMessage(entry: BaselineEntry, { ids, findings, retired }: KnownIds): string {
  const [what, id, known] =
    entry.check === undefined
      ? (['finding', entry.finding, Object.keys(findings)] as const)
      : (['check', entry.check, [...ids]] as const);
  const successors = Object.hasOwn(retired, id) ? retired[id] : undefined;
  if (!successors) return `There is no ${what} ${id}.${hint(id, known) || ' Remove the entry.'}`;
  return successors.length > 0
    ? `The ${what} ${id} was retired; use ${successors.join(' and ')} instead.`
    : `The ${what} ${id} was retired; remove the entry.`;
}

/** What a run says of an entry: the checks that are known failures because of it, or why it is stale. */
function heldBy(
  entry: BaselineEntry,
  outcomes: ReadonlyMap<string, Outcome>,
  findings: readonly KnownFinding[],
  known: KnownIds,
): readonly string[] | string {
  if (entry.check !== undefined) {
    const { check: id, outcome } = entry;
    const now = outcomes.get(id);
    if (now === undefined || now === outcome) return now === undefined ? [] : [id];
    return `${id} is now ${now}, not ${outcome}; remove the entry.`;
  }
  const { finding: id } = entry;
  const finding = findings.find((each) => each.id === id);
  if (finding) return [...finding.checks, ...finding.consequences];
  const wasSought = canShow(id, known).every((check) => outcomes.has(check));
  return wasSought ? `The finding ${id} is gone; remove the entry.` : [];
}

/**
 * The ids of the checks that are known failures, and which entries of the baseline no longer hold.
 *
 * @param findings of the run
 * @param known entries of checks that were not selected, or do not count, are ignored; so are those of findings that are gone
 *   if not every check that can show them was selected
 * @param today `YYYY-MM-DD`
 */
export function applyBaseline(
  entries: readonly BaselineEntry[],
  checks: readonly { readonly id: string; readonly outcome: Outcome }[],
  findings: readonly KnownFinding[],
  known: KnownIds,
  today: string,
): { readonly knownFailures: ReadonlySet<string>; readonly problems: readonly BaselineProblem[] } {
  const knownFailures = new Set<string>();
  const problems: BaselineProblem[] = [];
  const outcomes = new Map(checks.map(({ id, outcome }) => [id, outcome]));
  for (const entry of entries) {
    const { check, finding, expires } = entry;
    const id = check ?? finding;
    const isKnown = check === undefined ? canShow(id, known).length > 0 : known.ids.has(id);
    const held = heldBy(entry, outcomes, findings, known);
    const problem = (kind: BaselineProblem['kind'], message: string): void => {
      problems.push({ id, kind, message });
    };
    if (!isKnown) problem('unknown', unknownMessage(entry, known));
    else if (expires !== undefined && expires < today)
      problem('expired', `The entry for ${id} expired on ${expires}; fix the target, or set a later date.`);
    else if (typeof held === 'string') problem('stale', held);
    else for (const each of held) knownFailures.add(each);
  }
  return { knownFailures, problems };
}

/** What of a check says whether it decides. Absent members are as in results of 0.1.0: it is scored. */
export interface Deciding {
  readonly level: Level;
  readonly outcome: Outcome;
  readonly knownFailure: boolean;
  readonly scored?: boolean;
}

/** Whether a failure of this check fails a run with this `failOn`: it is scored, no known failure, and at a level that decides. */
export function decides({ level, knownFailure, scored = true }: Deciding, failOn: Level): boolean {
  return scored && !knownFailure && (level === 'must' || failOn === 'should');
}

/** Whether this check keeps a run from passing: it failed and decides, or it is a `must` that decides and was inconclusive. */
export function preventsPass(check: Deciding, failOn: Level): boolean {
  const { outcome } = check;
  return (outcome === 'failed' && decides(check, failOn)) || (outcome === 'inconclusive' && decides(check, 'must'));
}

export interface VerdictOptions {
  /** The least level whose failure fails the run. */
  readonly failOn: Level;
  /** The baseline entries that no longer hold. */
  readonly problems: readonly BaselineProblem[];
  readonly interrupted: boolean;
  /** Whether the run must not pass, whatever the checks say: another run disturbed it, or the target was given up, or gone at its end. */
  readonly inDoubt?: boolean;
}

/**
 * The verdict of a run. An error of the suite outweighs everything, since nothing can be trusted then. A failure outweighs what
 * was inconclusive, and what is in doubt. `passed` needs every `must` to be seen to hold (or to be a known failure), and something to be seen at all; a
 * `should` decides only with `failOn: 'should'`, and only by failing.
 *
 * @param checks those that are scored
 */
export function decide(
  checks: readonly Deciding[],
  { failOn, problems, interrupted, inDoubt = false }: VerdictOptions,
): Verdict {
  if (checks.some(({ outcome }) => outcome === 'error')) return 'error';
  if (interrupted) return 'interrupted';
  const obstacles = checks.filter((check) => preventsPass(check, failOn));
  if (problems.length > 0 || obstacles.some(({ outcome }) => outcome === 'failed')) return 'failed';
  const nothingSeen = checks.every(({ outcome }) => outcome !== 'passed' && outcome !== 'failed');
  return obstacles.length > 0 || nothingSeen || inDoubt ? 'inconclusive' : 'passed';
}
