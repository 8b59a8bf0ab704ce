import type { Restoration } from '../../traffic/keeping/restoration.ts';
import { byText } from '../../../common/text.ts';
import { openPoints } from '../../../contract/document.ts';
import type { Observation } from '../../checks/observations.ts';
import { INPUT_HELP, type InputName } from '../../resources/inputs.ts';
import type { CheckResult, Finding, Result } from '../result.ts';
import { decides, type Outcome, type Verdict } from '../verdict.ts';

/** Where a change leads. `other`: neither worse nor better, such as a failure that is now inconclusive. */
export type Direction = 'worse' | 'better' | 'other';

/** What differs between two results, and which findings they share. Lists of checks are sorted by id; `observations` are in the order of the contract. */
export type Comparison = ReturnType<typeof compareResults>;

type Standing = 'good' | 'bad' | 'unknown';

function standingOf(value: Outcome | Verdict | Restoration['outcome']): Standing {
  if (['passed', 'not-applicable', 'none', 'complete'].includes(value)) return 'good';
  return value === 'failed' || value === 'partial' ? 'bad' : 'unknown';
}

/** A failure that can no longer be observed is not an improvement: the one change that is not symmetric. */
function directionOf(old: Parameters<typeof standingOf>[0], now: Parameters<typeof standingOf>[0]): Direction {
  const [from, to] = [standingOf(old), standingOf(now)];
  if (from === to || (from === 'bad' && to === 'unknown')) return 'other';
  return to === 'bad' || from === 'good' ? 'worse' : 'better';
}

const INPUTS = Object.keys(INPUT_HELP) as InputName[];

/** Whether an input was given. Its value does not matter: another server has other ids. */
function isGiven({ target }: Result, input: InputName): boolean {
  const value = target[input];
  return value !== undefined && value !== false;
}

function isMissingInput({ outcome, reason }: CheckResult): boolean {
  return outcome === 'inconclusive' && reason === 'missing-input';
}

/** A check that is in both results. */
type Pair = ReturnType<typeof pairsOf>[number];

function pairsOf(old: Result, now: Result) {
  const earlier = new Map(old.checks.map((check) => [check.id, check]));
  return now.checks
    .flatMap((to) => {
      const from = earlier.get(to.id);
      return from ? [{ from, to }] : [];
    })
    .sort((left, right) => byText(left.to.id, right.to.id));
}

/** The checks that only the first of the results has. */
function loneChecks(result: Result, other: Result) {
  const known = new Set(other.checks.map(({ id }) => id));
  return result.checks
    .filter(({ id }) => !known.has(id))
    .map(({ id, level, outcome }) => ({ id, level, outcome }))
    .sort((left, right) => byText(left.id, right.id));
}

/** A check that is in both results with different outcomes; level and title are as in the new result. */
export type OutcomeChange = ReturnType<typeof outcomeChange>;

function outcomeChange({ from, to }: Pair, { selection }: Result) {
  const { id, level, title, knownFailure } = to;
  const detail = to.failure?.message ?? to.detail;
  return {
    ...{ id, level, title, from: from.outcome, to: to.outcome },
    direction: directionOf(from.outcome, to.outcome),
    // Whether it decides in the new run: a failure would fail that run.
    counts: decides(to, selection.failOn),
    knownFailure,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** A check that fails in both results in different ways. */
function modeChange({ from, to }: Pair) {
  if (!from.failure || !to.failure || from.failure.mode === to.failure.mode) return [];
  return [{ id: to.id, level: to.level, from: from.failure.mode, to: to.failure.mode, detail: to.failure.message }];
}

/** `gone`: only the old result has it, but its checks did not all pass, so nothing shows that it is fixed. */
const FINDING_CHANGES = ['new', 'fixed', 'gone', 'still-there'] as const;

/** The findings of the new result, and those that only the old one has; each in the order of its result. */
function findingChanges(old: Result, now: Result) {
  const has = ({ findings }: Result, id: string): boolean => findings.some((each) => each.id === id);
  const good = new Set(now.checks.filter(({ outcome }) => standingOf(outcome) === 'good').map(({ id }) => id));
  const known = new Set(old.findings.filter(({ knownFailure }) => knownFailure).map(({ id }) => id));
  const told = ({ id, level, title, knownFailure }: Finding, change: (typeof FINDING_CHANGES)[number]) => {
    return { id, level, title, knownFailure, wasKnown: known.has(id), change };
  };
  const changes = [
    ...now.findings.map((finding) => told(finding, has(old, finding.id) ? 'still-there' : 'new')),
    ...old.findings
      .filter(({ id }) => !has(now, id))
      .map((finding) => told(finding, finding.checks.every((id) => good.has(id)) ? 'fixed' : 'gone')),
  ];
  const place = ({ change }: (typeof changes)[number]): number => FINDING_CHANGES.indexOf(change);
  return changes.sort((left, right) => place(left) - place(right));
}

/** The open points at which the target behaves differently; undefined: not seen in that run. */
function observationChanges(old: Result, now: Result) {
  const inOrder = openPoints.map(({ id }) => id);
  const others = [...old.observations, ...now.observations].map(({ id }) => id).sort();
  const same = (left: Observation | undefined, right: Observation | undefined): boolean =>
    left?.observed === right?.observed && JSON.stringify(left?.detail) === JSON.stringify(right?.detail);
  const seen = (result: Result, id: string): Observation | undefined =>
    result.observations.find((each) => each.id === id && each.observed !== undefined);
  return [...new Set([...inOrder, ...others])].flatMap((id) => {
    const from = seen(old, id);
    const to = seen(now, id);
    return same(from, to) ? [] : [{ id, from, to }];
  });
}

/** What was judged, and what it was judged by. */
function scopeOf(result: Result) {
  const { target, tool, contract, selection } = result;
  const list = (entries: readonly string[]): string => [...entries].sort().join(', ') || 'none';
  return {
    target: target.baseUrl,
    'tool-version': `${tool.name} ${tool.version}`,
    'contract-version': `${contract.title} ${contract.version}`,
    'contract-text': contract.digest,
    'scored-set': contract.scoredSetDigest,
    only: list(selection.only),
    skip: list(selection.skip),
    'fail-on': selection.failOn as string,
    inputs: INPUTS.filter((input) => isGiven(result, input)).join(', ') || 'none',
  };
}

/** The differences in what was judged or in what it was judged by. By themselves they say nothing about the target. */
function scopeChanges(old: Result, now: Result, pairs: readonly Pair[]) {
  const others = pairs.filter(({ from, to }) => from.level !== to.level);
  const levels = (side: keyof Pair): string => others.map((pair) => `${pair.to.id} ${pair[side].level}`).join(', ');
  const before = { ...scopeOf(old), levels: levels('from') };
  const after = { ...scopeOf(now), levels: levels('to') };
  const ids = Object.keys(before) as (keyof typeof before)[];
  return ids.filter((id) => before[id] !== after[id]).map((id) => ({ id, from: before[id], to: after[id] }));
}

/**
 * What got worse and what got better between two results, and separately what makes them hard to compare.
 *
 * Worse: what passed or did not apply and is now failed or inconclusive, and what was inconclusive and now fails.
 * A check that is inconclusive because of an input that only the other run was given belongs to the scope.
 *
 * @param old the earlier result
 * @param now the later one; its levels, its baseline and its `failOn` decide what counts
 */
export function compareResults(old: Result, now: Result) {
  const pairs = pairsOf(old, now);
  const sameInputs = INPUTS.every((input) => isGiven(old, input) === isGiven(now, input));
  const differing = pairs.filter(({ from, to }) => from.outcome !== to.outcome);
  const isByInputs = ({ from, to }: Pair): boolean => !sameInputs && isMissingInput(from) !== isMissingInput(to);
  const ofTarget = differing.filter((pair) => !isByInputs(pair)).map((pair) => outcomeChange(pair, now));
  const newlyFailing = ofTarget.filter(({ to }) => to === 'failed');
  const newlyPassing = ofTarget.filter(({ to, direction }) => to === 'passed' && direction === 'better');
  const listed = new Set([...newlyFailing, ...newlyPassing]);

  const verdictDirection = directionOf(old.verdict, now.verdict);
  const knownProblems = new Set(old.summary.baselineProblems.map(({ message }) => message));
  const [before, after] = [old.restoration.outcome, now.restoration.outcome];
  const counted = (direction: Direction): boolean =>
    verdictDirection === direction || ofTarget.some((change) => change.counts && change.direction === direction);
  return {
    // Whether the target got worse: some check that counts did, or the verdict.
    worse: counted('worse'),
    better: counted('better'),
    verdict: {
      from: old.verdict,
      to: now.verdict,
      ...(old.verdict === now.verdict ? {} : { direction: verdictDirection }),
    },
    findings: findingChanges(old, now),
    newlyFailing,
    newlyPassing,
    otherOutcomes: ofTarget.filter((change) => !listed.has(change)),
    otherModes: pairs.flatMap(modeChange),
    // Those that no longer hold, and did before.
    baselineProblems: now.summary.baselineProblems
      .map(({ message }) => message)
      .filter((message) => !knownProblems.has(message)),
    observations: observationChanges(old, now),
    ...((before === 'partial') === (after === 'partial')
      ? {}
      : { restoration: { from: before, to: after, direction: directionOf(before, after) } }),
    scope: {
      changes: scopeChanges(old, now, pairs),
      added: loneChecks(now, old),
      removed: loneChecks(old, now),
      // Those that are inconclusive in one result because of an input that only the other was given.
      byInputs: differing.filter(isByInputs).map((pair) => outcomeChange(pair, now)),
    },
  };
}
