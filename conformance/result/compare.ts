import { UsageError } from '../../common/process/args.ts';
import type { Level } from '../../contract/document.ts';
import type { Outcome, Result, Verdict } from './result.ts';
import { decides, type Item, itemsOf, WORST_VERDICT_FIRST } from './verdict.ts';

/** A check that failed or was inconclusive in one of two results. */
export interface Change {
  readonly id: string;
  /** What the later result says of it if it fails there, else what the earlier one said. */
  readonly title: string;
  readonly level: Level;
  readonly from: Outcome;
  readonly to: Outcome;
  /** Whether it fails the later run, or keeps it from passing. */
  readonly counts: boolean;
  /** The broken requirement that blocks it, or no longer does; absent if it failed in one of the results. */
  readonly blockedBy?: string;
}

/** What changed from one result to another. Each list is in the order of the checks. */
export interface Comparison {
  /** Whether something that counts is new, or the verdict is worse. */
  readonly worse: boolean;
  readonly verdict: { readonly from: Verdict; readonly to: Verdict };
  /** It failed, or could not be judged, and passes now. */
  readonly fixed: readonly Change[];
  /** It came now and then, and passes now: one pass proves nothing. */
  readonly notSeenAgain: readonly Change[];
  /** It fails now and did not, or breaks a `must` now and broke a `should`, or can no longer be judged. */
  readonly new: readonly Change[];
  /** It is as bad as before, or was not seen to be fixed. */
  readonly still: readonly Change[];
  /** The ids of checks that only one of the results has. */
  readonly onlyOld: readonly string[];
  readonly onlyNew: readonly string[];
}

/** From what holds to what is broken. */
const RANKS: Readonly<Record<Outcome, number>> = {
  passed: 0,
  'not-applicable': 0,
  inconclusive: 1,
  error: 1,
  failed: 2,
};

function rankOf({ outcome, level }: Item): number {
  return RANKS[outcome] + (outcome === 'failed' && level === 'must' ? 1 : 0);
}

/** What a result says of an id: a finding that rests on no check is judged where its requirement is. */
function itemIn(result: Result, items: readonly Item[], id: string): Item | undefined {
  const found = items.find((item) => item.id === id);
  const requirement = found ? undefined : result.requirements.find((each) => each.id === id);
  return found ?? (requirement && { ...requirement, title: requirement.text, knownFailure: false, nowAndThen: false });
}

function changeOf(from: Item, to: Item, now: Result): Change {
  const { title, level } = to.outcome === 'failed' ? to : from;
  const hasFailed = [from, to].some(({ outcome }) => outcome === 'failed');
  const blockedBy = hasFailed ? undefined : (to.blockedBy ?? from.blockedBy);
  return {
    ...{ id: to.id, title, level, from: from.outcome, to: to.outcome },
    counts: rankOf(to) > 0 && decides(to, now.selection.failOn),
    ...(blockedBy !== undefined && { blockedBy }),
  };
}

/**
 * What was fixed, what is new and what is still there, by check.
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
  const [before, after] = [itemsOf(old), itemsOf(now)];
  const ids = [...new Set([...after, ...before].map(({ id }) => id))];
  const pairs = ids.flatMap((id) => {
    const [from, to] = [itemIn(old, before, id), itemIn(now, after, id)];
    return from && to ? [{ from, to }] : [];
  });
  const changes = (wanted: (from: Item, to: Item) => boolean): Change[] =>
    pairs.filter(({ from, to }) => wanted(from, to)).map(({ from, to }) => changeOf(from, to, now));
  const isGone = (from: Item, to: Item): boolean => rankOf(from) > 0 && rankOf(to) === 0;
  const appeared = changes((from, to) => rankOf(to) > rankOf(from));
  const isVerdictWorse = WORST_VERDICT_FIRST.indexOf(now.verdict) < WORST_VERDICT_FIRST.indexOf(old.verdict);
  const without = (own: readonly Item[], other: Result, others: readonly Item[]): string[] =>
    own.map(({ id }) => id).filter((id) => itemIn(other, others, id) === undefined);
  return {
    worse: isVerdictWorse || appeared.some(({ counts }) => counts),
    verdict: { from: old.verdict, to: now.verdict },
    fixed: changes((from, to) => isGone(from, to) && !from.nowAndThen),
    notSeenAgain: changes((from, to) => isGone(from, to) && from.nowAndThen),
    new: appeared,
    still: changes((from, to) => rankOf(to) > 0 && rankOf(to) <= rankOf(from)),
    onlyOld: without(before, now, after),
    onlyNew: without(after, old, before),
  };
}
