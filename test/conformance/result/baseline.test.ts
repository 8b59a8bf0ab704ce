import { describe, expect, it } from 'vitest';
import type { Level } from '../../../contract/document.ts';
import { knownIds, markKnown, updateBaseline } from '../../../conformance/result/baseline.ts';
import type { CheckResult, Finding, Result } from '../../../conformance/result/result.ts';
import {
  applyBaseline,
  decide,
  type BaselineEntry,
  type CheckEntry,
  type KnownIds,
} from '../../../conformance/result/verdict.ts';
import { checkResult, findingOf, resultOf } from '../../support/results.ts';

const TODAY = '2026-06-15';
const known: KnownIds = {
  ids: new Set(['a', 'b', 'c', 'd', 'e', 'f']),
  findings: { 'r.one': ['a', 'b'], 'r.two': ['c'] },
  retired: {},
};
const given = { reason: 'ticket 17' };

type Made = Partial<CheckResult>;

const judged = (checks: readonly Made[], failOn: Level = 'must', findings: readonly Finding[] = []): Result =>
  resultOf(checks.map(checkResult), { selection: { only: [], skip: [], failOn }, findings });

const finding = (id: string, checks: readonly string[], consequences: readonly string[] = []): Finding => ({
  ...findingOf(checkResult({ id })),
  ...{ id, checks, consequences },
});

const entry = (check: string, outcome: CheckEntry['outcome'] = 'failed', expires?: string): BaselineEntry => ({
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

  const of = (id: string, reason: string): BaselineEntry => ({ finding: id, reason });
  const broken: Made[] = [
    { id: 'a', outcome: 'failed' },
    { id: 'b', outcome: 'inconclusive' },
    { id: 'c', outcome: 'inconclusive' },
    { id: 'd', level: 'should', outcome: 'failed' },
  ];
  const found = [finding('r.one', ['a'], ['b']), finding('r.two', ['d'])];
  const updated = (old: readonly BaselineEntry[], findings = found, checks = broken) =>
    updateBaseline(judged(checks, 'must', findings), old, known, given, TODAY);

  it('has an entry for a finding that decides, and for what is inconclusive without one', () => {
    const { entries, added } = updated([]);
    expect(entries).toEqual([of('r.one', 'ticket 17'), { check: 'c', outcome: 'inconclusive', reason: 'ticket 17' }]);
    expect(added).toEqual(['r.one', 'c']);
    const { knownFailures, problems } = applyBaseline(entries, judged(broken).checks, found, known, TODAY);
    const { checks } = markKnown(judged(broken), knownFailures);
    expect(decide(checks, { failOn: 'must', problems, interrupted: false })).toBe('passed');
  });

  it('keeps, renews and removes entries of findings, and leaves alone what was not selected', () => {
    const two = of('r.two', 'known since May');
    const expired = { ...of('r.one', 'known since May'), expires: '2026-06-14' };
    const { entries, kept, renewed, dropped } = updated([two, expired, of('r.none', 'x')]);
    expect(entries.slice(0, 2)).toEqual([of('r.one', 'ticket 17'), two]);
    expect([kept, renewed, dropped]).toEqual([['r.two'], ['r.one'], ['r.none']]);
    const passed = broken.map(({ id = '' }) => ({ id }));
    expect(updated([of('r.one', 'x'), two], [], passed)).toMatchObject({ entries: [], dropped: ['r.one', 'r.two'] });
    expect(updated([two], [], passed.slice(0, 1)).entries).toEqual([two]);
  });

  it('has no entry for a finding whose checks have entries that hold', () => {
    const old = [entry('a'), entry('b', 'inconclusive')];
    expect(updated(old).entries.map(({ check }) => check)).toEqual(['a', 'b', 'c']);
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
        const { knownFailures, problems } = applyBaseline(entries, judged(checks).checks, [], known, TODAY);
        expect(problems).toEqual([]);
        const marked = markKnown(judged(checks), knownFailures);
        expect(decide(marked.checks, { failOn, problems, interrupted: false })).toBe('passed');
      }
    }
  });
});

it('knownIds names the checks that can show a finding of each requirement', () => {
  const { ids, findings } = knownIds((id) => id.startsWith('auth-'));
  expect(findings['auth.key-required']).toContain('auth-update-no-header');
  expect(findings['user.id']).toEqual([]);
  for (const shownBy of Object.values(findings)) expect(shownBy.every((id) => ids.has(id))).toBe(true);
});
