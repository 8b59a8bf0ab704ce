import { describe, expect, it } from 'vitest';
import type { Level } from '../../../contract/document.ts';
import { knownIds, markKnown, updateBaseline, type BaselineUpdate } from '../../../conformance/result/baseline.ts';
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

/** Checks, each written as `id outcome`; a level or whether it is scored may follow. */
const made = (...checks: readonly string[]): Made[] =>
  checks.map((text) => {
    const [id, outcome, more] = text.split(' ');
    return { id, outcome, level: more === 'should' ? more : 'must', scored: more !== 'unscored' } as Made;
  });

const judged = (checks: readonly Made[], failOn: Level = 'must', findings: readonly Finding[] = []): Result =>
  resultOf(checks.map(checkResult), { selection: { only: [], skip: [], failOn }, findings });

const finding = (id: string, checks: readonly string[], consequences: readonly string[] = []): Finding => ({
  ...findingOf(checkResult({ id })),
  ...{ id, checks, consequences },
});

const entry = (check: string, outcome: CheckEntry['outcome'] = 'failed', expires?: string): BaselineEntry => ({
  ...{ check, outcome, reason: 'known since May' },
  ...(expires === undefined ? {} : { expires }),
});

describe('updateBaseline', () => {
  type Row = [what: string, checks: string[], old: BaselineEntry[], change: Partial<BaselineUpdate>, failOn?: 'should'];
  it.each<Row>([
    ['a must that failed', ['a failed', 'b passed', 'd not-applicable', 'e error'], [], { added: ['a'] }],
    ['a must that was inconclusive', ['a inconclusive'], [], { added: ['a'] }],
    ['no should', ['a failed should', 'b inconclusive should'], [], {}],
    [
      'a should whose failure fails the run',
      ['a failed should', 'b inconclusive should'],
      [],
      { added: ['a'] },
      'should',
    ],
    ['nothing that does not count', ['a failed unscored'], [], {}],
    ['an entry that still holds', ['a failed'], [entry('a', 'failed', '2027-01-31')], { kept: ['a'] }],
    ['an entry of a should that failed', ['a failed should'], [entry('a')], { kept: ['a'] }],
    ['no entry that is stale or unknown', ['a passed'], [entry('a'), entry('nope')], { dropped: ['a', 'nope'] }],
    ['another outcome', ['a inconclusive'], [entry('a')], { added: ['a'], dropped: ['a'] }],
    ['an expired entry of what still fails', ['a failed'], [entry('a', 'failed', '2026-06-14')], { renewed: ['a'] }],
    ['the entry of a check that was not selected', ['a passed'], [entry('b')], { kept: ['b'] }],
  ])('has %s', (_what, checks, old, { added = [], kept = [], renewed = [], dropped = [] }, failOn) => {
    const update = updateBaseline(judged(made(...checks), failOn), old, known, given, TODAY);
    expect(update).toMatchObject({ added, kept, renewed, dropped });
    const fresh = [...added, ...renewed].map((id) => {
      return { check: id, outcome: made(...checks).find((each) => each.id === id)?.outcome, reason: 'ticket 17' };
    });
    expect(update.entries).toEqual([...old.filter(({ check = '' }) => kept.includes(check)), ...fresh]);
  });

  const of = (id: string, reason: string): BaselineEntry => ({ finding: id, reason });
  const broken = made('a failed', 'b inconclusive', 'c inconclusive', 'd failed should');
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

  it('gives a baseline with which the run would have passed', () => {
    const checks = made('a failed', 'b inconclusive', 'c passed', 'd failed should');
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
