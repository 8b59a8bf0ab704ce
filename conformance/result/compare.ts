import type { Restoration } from '../traffic/restoration.ts';
import { byText } from '../../common/text.ts';
import { openPoints } from '../../contract/document.ts';
import type { Observation } from '../checks/observations.ts';
import { INPUT_HELP, type InputName } from '../target/inputs.ts';
import type { CheckResult, Finding, Result } from './result.ts';
import { decides, type Outcome, type Verdict } from './verdict.ts';

/** Where a change leads. `other`: neither worse nor better, such as a failure that is now inconclusive. */
export type Direction = 'worse' | 'better' | 'other';

/** A check that is in both results with different outcomes; level and title are as in the new result. */
export interface OutcomeChange extends Pick<CheckResult, 'id' | 'level' | 'title' | 'knownFailure' | 'detail'> {
  readonly from: Outcome;
  readonly to: Outcome;
  readonly direction: Direction;
  /** Whether it decides in the new run: a failure would fail that run. */
  readonly counts: boolean;
}

/** A check that fails in both results in different ways. */
export type ModeChange = Pick<OutcomeChange, 'id' | 'level'> & Record<'from' | 'to' | 'detail', string>;

/** An open point at which the target behaves differently. */
export interface ObservationChange {
  /** Id of the open point. */
  readonly id: string;
  /** Undefined: not seen in that run. */
  readonly from: Observation | undefined;
  readonly to: Observation | undefined;
}

/** A difference in what was judged or in what it was judged by. By itself it says nothing about the target. */
export interface ScopeChange {
  readonly id: keyof ReturnType<typeof scopeOf> | 'levels';
  readonly from: string;
  readonly to: string;
}

/** A finding of the new result, or else of the old one. */
export interface FindingChange extends Pick<Finding, 'id' | 'level' | 'title' | 'knownFailure'> {
  /** `gone`: only the old result has it, but its checks did not all pass, so nothing shows that it is fixed. */
  readonly change: 'new' | 'fixed' | 'gone' | 'still-there';
}

/** A check that only one of the results has. */
export type LoneCheck = Pick<CheckResult, 'id' | 'level' | 'outcome'>;

/** What differs between two results, and which findings they share. Lists of checks are sorted by id; `observations` are in the order of the contract. */
export interface Comparison {
  /** Whether the target got worse: some check that counts did, or the verdict. */
  readonly worse: boolean;
  readonly better: boolean;
  readonly verdict: { readonly from: Verdict; readonly to: Verdict; readonly direction?: Direction };
  /** New, fixed, gone, and still there; each in the order of its result. */
  readonly findings: readonly FindingChange[];
  readonly newlyFailing: readonly OutcomeChange[];
  readonly newlyPassing: readonly OutcomeChange[];
  readonly otherOutcomes: readonly OutcomeChange[];
  readonly otherModes: readonly ModeChange[];
  /** Baseline entries that no longer hold, and did before. */
  readonly baselineProblems: readonly string[];
  readonly observations: readonly ObservationChange[];
  readonly restoration?: {
    readonly from: Restoration['outcome'];
    readonly to: Restoration['outcome'];
    readonly direction: Direction;
  };
  readonly scope: {
    readonly changes: readonly ScopeChange[];
    readonly added: readonly LoneCheck[];
    readonly removed: readonly LoneCheck[];
    /** Checks that are inconclusive in one result because of an input that only the other was given. */
    readonly byInputs: readonly OutcomeChange[];
  };
}

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

interface Pair {
  readonly from: CheckResult;
  readonly to: CheckResult;
}

function pairsOf(old: Result, now: Result): Pair[] {
  const earlier = new Map(old.checks.map((check) => [check.id, check]));
  return now.checks
    .flatMap((to) => {
      const from = earlier.get(to.id);
      return from ? [{ from, to }] : [];
    })
    .sort((left, right) => byText(left.to.id, right.to.id));
}

function loneChecks(result: Result, other: Result): LoneCheck[] {
  const known = new Set(other.checks.map(({ id }) => id));
  return result.checks
    .filter(({ id }) => !known.has(id))
    .map(({ id, level, outcome }) => ({ id, level, outcome }))
    .sort((left, right) => byText(left.id, right.id));
}

function outcomeChange({ from, to }: Pair, { selection }: Result): OutcomeChange {
  const detail = to.failure?.message ?? to.detail;
  return {
    id: to.id,
    level: to.level,
    title: to.title,
    from: from.outcome,
    to: to.outcome,
    direction: directionOf(from.outcome, to.outcome),
    counts: decides(to, selection.failOn),
    knownFailure: to.knownFailure,
    ...(detail === undefined ? {} : { detail }),
  };
}

function modeChange({ from, to }: Pair): ModeChange[] {
  if (!from.failure || !to.failure || from.failure.mode === to.failure.mode) return [];
  return [{ id: to.id, level: to.level, from: from.failure.mode, to: to.failure.mode, detail: to.failure.message }];
}

function findingChanges(old: Result, now: Result): FindingChange[] {
  const has = ({ findings }: Result, id: string): boolean => findings.some((each) => each.id === id);
  const good = new Set(now.checks.filter(({ outcome }) => standingOf(outcome) === 'good').map(({ id }) => id));
  const told = ({ id, level, title, knownFailure }: Finding, change: FindingChange['change']): FindingChange => {
    return { id, level, title, knownFailure, change };
  };
  const changes = [
    ...now.findings.map((finding) => told(finding, has(old, finding.id) ? 'still-there' : 'new')),
    ...old.findings
      .filter(({ id }) => !has(now, id))
      .map((finding) => told(finding, finding.checks.every((id) => good.has(id)) ? 'fixed' : 'gone')),
  ];
  const order = ['new', 'fixed', 'gone', 'still-there'];
  return changes.sort((left, right) => order.indexOf(left.change) - order.indexOf(right.change));
}

function observationChanges(old: Result, now: Result): ObservationChange[] {
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

function scopeChanges(old: Result, now: Result, pairs: readonly Pair[]): ScopeChange[] {
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
export function compareResults(old: Result, now: Result): Comparison {
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
      byInputs: differing.filter(isByInputs).map((pair) => outcomeChange(pair, now)),
    },
  };
}
