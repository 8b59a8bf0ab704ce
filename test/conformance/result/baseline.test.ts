import { describe, expect, it } from 'vitest';
import type { Level } from '../../../contract/document.ts';
import { updateBaseline } from '../../../conformance/result/baseline.ts';
import type { CheckResult, Result } from '../../../conformance/result/result.ts';
import { applyBaseline, decide, type BaselineEntry } from '../../../conformance/result/verdict.ts';
import { checkResult, resultOf } from '../../support/results.ts';

const TODAY = '2026-06-15';
const known = new Set(['a', 'b', 'c', 'd', 'e', 'f']);
const given = { reason: 'ticket 17' };

type Made = Partial<CheckResult>;

const judged = (checks: readonly Made[], failOn: Level = 'must'): Result =>
  resultOf(checks.map(checkResult), { selection: { only: [], skip: [], failOn } });

const entry = (check: string, outcome: BaselineEntry['outcome'] = 'failed', expires?: string): BaselineEntry => ({
  check,
  outcome,
  reason: 'known since May',
  ...(expires === undefined ? {} : { expires }),
});

const update = (checks: readonly Made[], old: readonly BaselineEntry[] = [], failOn?: 'should') =>
  updateBaseline(judged(checks, failOn), old, known, given, TODAY);

describe('updateBaseline', () => {
  it('has an entry for each must that failed or was inconclusive, sorted, with the reason that was given', () => {
    const { entries, added } = update([
      { id: 'c', outcome: 'failed' },
      { id: 'a', outcome: 'inconclusive' },
      { id: 'b', outcome: 'passed' },
      { id: 'd', outcome: 'not-applicable' },
      { id: 'e', outcome: 'error' },
    ]);
    expect(entries).toEqual([
      { check: 'a', outcome: 'inconclusive', reason: 'ticket 17' },
      { check: 'c', outcome: 'failed', reason: 'ticket 17' },
    ]);
    expect(added).toEqual(['c', 'a']);
  });

  it('has a should only where its failure fails the run, and nothing that does not count', () => {
    const checks: Made[] = [
      { id: 'a', level: 'should', outcome: 'failed' },
      { id: 'b', level: 'should', outcome: 'inconclusive' },
      { id: 'c', outcome: 'failed', scored: false },
    ];
    expect(update(checks).entries).toEqual([]);
    expect(update(checks, [], 'should').entries.map(({ check }) => check)).toEqual(['a']);
  });

  it('keeps the reason and the date of an entry that still holds', () => {
    const old = [entry('a', 'failed', '2027-01-31')];
    const { entries, kept, added } = update([{ id: 'a', outcome: 'failed' }], old);
    expect(entries).toEqual(old);
    expect([kept, added]).toEqual([['a'], []]);
  });

  it('keeps an entry of a should that failed, also where that does not fail the run', () => {
    expect(update([{ id: 'a', level: 'should', outcome: 'failed' }], [entry('a')]).kept).toEqual(['a']);
  });

  it('takes out what is stale or unknown, and gives a check with another outcome a new entry', () => {
    const { entries, dropped, added } = update(
      [
        { id: 'a', outcome: 'passed' },
        { id: 'b', outcome: 'inconclusive' },
      ],
      [entry('a'), entry('b'), entry('nope')],
    );
    expect(entries).toEqual([{ check: 'b', outcome: 'inconclusive', reason: 'ticket 17' }]);
    expect(dropped).toEqual(['a', 'b', 'nope']);
    expect(added).toEqual(['b']);
  });

  it('gives an expired entry of a check that still fails the new reason', () => {
    const { entries, renewed, added, dropped } = update(
      [{ id: 'a', outcome: 'failed' }],
      [entry('a', 'failed', '2026-06-14')],
    );
    expect(entries).toEqual([{ check: 'a', outcome: 'failed', reason: 'ticket 17' }]);
    expect([renewed, added, dropped]).toEqual([['a'], [], []]);
  });

  it('leaves entries of checks alone that were not selected', () => {
    const { entries, kept } = update([{ id: 'a', outcome: 'passed' }], [entry('b')]);
    expect(entries).toEqual([entry('b')]);
    expect(kept).toEqual(['b']);
  });

  it('gives a baseline with which the run would have passed', () => {
    const checks: Made[] = [
      { id: 'a', outcome: 'failed' },
      { id: 'b', outcome: 'inconclusive' },
      { id: 'c', outcome: 'passed' },
      { id: 'd', level: 'should', outcome: 'failed' },
    ];
    for (const failOn of ['must', 'should'] as const) {
      for (const old of [[], [entry('a'), entry('c'), entry('x')], [entry('b', 'inconclusive', '2020-01-01')]]) {
        const { entries } = updateBaseline(judged(checks, failOn), old, known, given, TODAY);
        const scored = judged(checks).checks;
        const baseline = applyBaseline(entries, scored, { ids: known, retired: {} }, TODAY);
        expect(baseline.problems).toEqual([]);
        expect(decide(scored, { failOn, baseline, interrupted: false })).toBe('passed');
      }
    }
  });
});
