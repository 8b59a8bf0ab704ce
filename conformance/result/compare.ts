import { UsageError } from '../../common/process/args.ts';
import type { Level } from '../../contract/document.ts';
import type { Change, Result, Verdict } from '../facts/result.ts';
import { decides, isOpen, type Item, itemIn, itemsOf, type Judged, WORST_VERDICT_FIRST } from './verdict.ts';

/** How bad an outcome is: what holds, what is not known, a broken `should`, a broken `must`. */
function rankOf({ outcome, level }: Item): number {
  if (outcome === 'failed') return level === 'must' ? 3 : 2;
  return outcome === 'inconclusive' || outcome === 'error' ? 1 : 0;
}

/** How an outcome changed; undefined if there is nothing to tell. */
function changeOf(from: Item, to: Item, failOn: Level): Change | undefined {
  const [before, after] = [rankOf(from), rankOf(to)];
  if (before === 0 && after === 0) return undefined;
  const isIntermittent = from.reason === 'unsteady' || from.findings.some(({ seen }) => seen !== undefined);
  const gone = isIntermittent ? 'not-seen-again' : 'fixed';
  const stays = after === 0 ? gone : 'still-there';
  const { title, level, findings } = to.outcome === 'failed' ? to : from;
  return {
    id: to.id,
    title: findings[0]?.title ?? title,
    level,
    from: from.outcome,
    to: to.outcome,
    became: after > before ? 'new' : stays,
    counts: decides({ level, knownFailure: to.knownFailure }, failOn),
  };
}

/** The checks that `run --again` runs. */
export interface ChecksAgain {
  readonly ids: readonly string[];
  /** The requirements for which it runs all checks of the earlier run: responses to any request broke them. */
  readonly requirements: readonly string[];
}

/**
 * The checks that `run --again` runs: those that failed or were inconclusive. If a finding rests on no check but on responses to any
 * request, they are all checks of the earlier run.
 */
export function checksAgain(earlier: Result): ChecksAgain {
  const all = earlier.checks.map(({ id }) => id);
  const open = itemsOf(earlier).filter(isOpen);
  const ids = open.map(({ id }) => id).filter((id) => all.includes(id));
  const shownInCheck = earlier.requirements.filter(({ seenIn }) => seenIn !== undefined).map(({ id }) => id);
  const requirements = open
    .filter(({ id, outcome, reason }) => !all.includes(id) && (outcome === 'failed' || reason === 'unsteady'))
    .map(({ id }) => id)
    .filter((id) => !shownInCheck.includes(id));
  return { ids: requirements.length === 0 ? ids : all, requirements };
}

/**
 * What became of each check that failed or was inconclusive in an earlier result.
 *
 * @param earlier may be of another target; only its checks are looked at
 */
export function changesAgain(earlier: Judged, now: Judged, failOn: Level): Change[] {
  return itemsOf(earlier)
    .filter(isOpen)
    .flatMap((from) => changeOf(from, itemIn(now, from.id) ?? { ...from, outcome: 'inconclusive' }, failOn) ?? []);
}

/** What changed from one result to another. */
export interface Comparison {
  /** Whether something that counts is new, or the verdict is worse. */
  readonly worse: boolean;
  readonly verdict: { readonly from: Verdict; readonly to: Verdict };
  /** In the order of the checks. */
  readonly changes: readonly Change[];
  /** The ids of checks that only one of the results has. */
  readonly onlyInOne: readonly string[];
}

/**
 * What is fixed, what is new and what is still there, by check.
 *
 * @param old the earlier result
 * @param now the later one; its baseline and its `failOn` decide what counts
 * @throws UsageError if the results were judged by different contracts: their checks do not mean the same
 */
export function compareResults(old: Result, now: Result): Comparison {
  if (old.contract.digest !== now.contract.digest)
    throw new UsageError(
      `The results were judged by different contracts (${old.contract.version} and ${now.contract.version}); run both with one version of the suite.`,
    );
  const ids = [...new Set([...itemsOf(now), ...itemsOf(old)].map(({ id }) => id))];
  const pairs = ids.map((id) => ({ id, from: itemIn(old, id), to: itemIn(now, id) }));
  const changes = pairs.flatMap(({ from, to }) => (from && to && changeOf(from, to, now.selection.failOn)) ?? []);
  const isVerdictWorse = WORST_VERDICT_FIRST.indexOf(now.verdict) < WORST_VERDICT_FIRST.indexOf(old.verdict);
  return {
    worse: isVerdictWorse || changes.some(({ became, counts }) => became === 'new' && counts),
    verdict: { from: old.verdict, to: now.verdict },
    changes,
    onlyInOne: pairs.filter(({ from, to }) => !from || !to).map(({ id }) => id),
  };
}
