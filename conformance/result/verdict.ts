import type { Level } from '../../contract/document.ts';
import { hint } from '../../common/nearest.ts';

/** All outcomes. */
export const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'inconclusive', 'not-applicable', 'error'];
/**
 * Of a check, and of a requirement. `inconclusive`: it was not seen whether it holds. `not-applicable`: the target lawfully
 * lacks what is judged. `error`: the suite itself went wrong; that says nothing of the target.
 */
export type Outcome = 'passed' | 'failed' | 'inconclusive' | 'not-applicable' | 'error';

/** All verdicts. */
export const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'inconclusive', 'interrupted', 'error'];
/**
 * Of a run. `passed`: every selected `must` was seen to hold, or is excused. `failed`: some `must` is broken (with
 * `failOn: 'should'`, or some `should`), or a baseline entry does not hold. `inconclusive`: nothing failed, but some `must` could
 * not be seen. `interrupted`: it was aborted. `error`: the suite itself went wrong; that says nothing of the target.
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

const WORST_FIRST: readonly Outcome[] = ['error', 'failed', 'inconclusive', 'passed', 'not-applicable'];

/**
 * The outcome of a requirement: the worst of its checks. What does not apply leaves the others to decide.
 *
 * @param outcomes of its checks; none gives `inconclusive`, since nothing was seen
 */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'inconclusive';
}

/** What a verdict is made from. */
export interface ScoredCheck {
  readonly id: string;
  readonly level: Level;
  readonly outcome: Outcome;
}

/** An entry of a baseline file: a check that is known not to pass, why, and until when. */
export interface BaselineEntry {
  /** The id of the check. */
  readonly check: string;
  /** The outcome that it is known to have. */
  readonly outcome: 'failed' | 'inconclusive';
  /** Why it is excused, for people. */
  readonly reason: string;
  /** A date, `YYYY-MM-DD`; the entry holds up to and including this day (UTC). */
  readonly expires?: string;
}

/** An entry of a baseline that does not hold. */
export interface BaselineProblem {
  /** The id that the entry names. */
  readonly check: string;
  /** stale: the outcome is another by now; unknown: there is no such check. */
  readonly kind: 'stale' | 'expired' | 'unknown';
  /** The same in a sentence, with what to do. */
  readonly message: string;
}

export interface BaselineResult {
  /** Ids of the checks that the baseline excuses. */
  readonly knownFailure: ReadonlySet<string>;
  readonly problems: readonly BaselineProblem[];
}

/** The ids that a baseline may name, and those that it might have named once. */
export interface KnownChecks {
  /** The ids of all checks of the suite. */
  readonly ids: ReadonlySet<string>;
  /** Ids that are gone, each with those that say the same now. */
  readonly retired: Readonly<Record<string, readonly string[]>>;
}

function unknownMessage(id: string, { ids, retired }: KnownChecks): string {
  const successors = Object.hasOwn(retired, id) ? retired[id] : undefined;
  if (!successors) return `There is no check ${id}.${hint(id, [...ids]) || ' Take the entry out.'}`;
  return successors.length > 0
    ? `The check ${id} was retired; look at ${successors.join(' and ')} instead.`
    : `The check ${id} was retired; take the entry out.`;
}

/**
 * Which checks a baseline excuses, and which of its entries do not hold (any more).
 *
 * @param known entries of checks that were not selected, or do not count, are passed over
 * @param today `YYYY-MM-DD`
 */
export function applyBaseline(
  entries: readonly BaselineEntry[],
  checks: readonly ScoredCheck[],
  known: KnownChecks,
  today: string,
): BaselineResult {
  const knownFailure = new Set<string>();
  const problems: BaselineProblem[] = [];
  for (const { check: id, outcome, expires } of entries) {
    const check = checks.find((each) => each.id === id);
    if (!known.ids.has(id)) {
      problems.push({ check: id, kind: 'unknown', message: unknownMessage(id, known) });
    } else if (expires !== undefined && expires < today) {
      problems.push({
        check: id,
        kind: 'expired',
        message: `The entry for ${id} expired on ${expires}; mend the target, or set a later day.`,
      });
    } else if (check && check.outcome !== outcome) {
      const message = `${id} is ${check.outcome} by now, not ${outcome}; take the entry out.`;
      problems.push({ check: id, kind: 'stale', message });
    } else if (check) {
      knownFailure.add(id);
    }
  }
  return { knownFailure, problems };
}

export interface VerdictOptions {
  /** The least level whose failure fails the run. */
  readonly failOn: Level;
  readonly baseline: BaselineResult;
  readonly interrupted: boolean;
}

/**
 * The verdict of a run. A fault of the suite outweighs all, since nothing can be trusted then. A failure outweighs what could not
 * run. `passed` needs every `must` to be seen (or excused), and something to be seen at all; a `should` decides only with `failOn: 'should'`, and only by failing.
 */
export function decide(checks: readonly ScoredCheck[], { failOn, baseline, interrupted }: VerdictOptions): Verdict {
  if (checks.some(({ outcome }) => outcome === 'error')) return 'error';
  if (interrupted) return 'interrupted';
  const counted = checks.filter(({ id }) => !baseline.knownFailure.has(id));
  const decisive = counted.filter(({ level }) => level === 'must' || failOn === 'should');
  if (baseline.problems.length > 0 || decisive.some(({ outcome }) => outcome === 'failed')) return 'failed';
  const unseen = counted.some(({ level, outcome }) => level === 'must' && outcome === 'inconclusive');
  const nothingSeen = checks.every(({ outcome }) => outcome !== 'passed' && outcome !== 'failed');
  return unseen || nothingSeen ? 'inconclusive' : 'passed';
}
