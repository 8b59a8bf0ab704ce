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

const of = (id: string, reason = 'known since May'): BaselineEntry => ({ finding: id, reason });
const found = [finding('r.one', ['a'], ['b']), finding('r.two', ['d'])];
const broken = ['a failed', 'b inconclusive', 'c inconclusive', 'd failed should'];
const gone = ['a passed', 'b passed', 'c passed', 'd passed'];
const late = { ...of('r.one'), expires: '2026-06-14' };

type Row = [what: string, checks: string[], old: BaselineEntry[], findings?: readonly Finding[], failOn?: Level];
const ROWS: readonly Row[] = [
  ['a must that failed', ['a failed', 'b passed', 'd not-applicable', 'e error'], []],
  ['a must that was inconclusive', ['a inconclusive'], []],
  ['a should', ['a failed should', 'b inconclusive should'], []],
  ['a should whose failure fails the run', ['a failed should', 'b inconclusive should'], [], [], 'should'],
  ['what does not count', ['a failed unscored'], []],
  ['an entry that still holds', ['a failed'], [entry('a', 'failed', '2027-01-31')]],
  ['an entry of a should that failed', ['a failed should'], [entry('a')]],
  ['entries that are stale or unknown', ['a passed'], [entry('a'), entry('nope')]],
  ['another outcome', ['a inconclusive'], [entry('a')]],
  ['an expired entry of what still fails', ['a failed'], [entry('a', 'failed', '2026-06-14')]],
  ['the entry of a check that was not selected', ['a passed'], [entry('b')]],
  ['a finding that decides, and what is inconclusive without one', broken, [], found],
  ['entries of findings', broken, [of('r.two'), late, of('r.none')], found],
  ['findings that are gone', gone, [of('r.one'), of('r.two')]],
  ['a finding that was not selected', gone.slice(0, 1), [of('r.two')]],
  ['a finding whose checks have entries that hold', broken, [entry('a'), entry('b', 'inconclusive')], found],
];
const update = (
  checks: readonly string[],
  old: readonly BaselineEntry[],
  findings?: readonly Finding[],
  failOn?: Level,
) => updateBaseline(judged(made(...checks), failOn, findings), old, known, given, TODAY);

describe('updateBaseline', () => {
  it('keeps, adds, renews and drops entries as it was reviewed', async () => {
    const texts = ROWS.map(([what, ...row]) => {
      const { entries, ...ids } = update(...row);
      const changes = Object.entries(ids).flatMap(([verb, all]) =>
        all.length > 0 ? [`  ${verb} ${all.join(', ')}`] : [],
      );
      return [what, ...changes, ...entries.map((each) => `  - ${JSON.stringify(each)}`)].join('\n');
    });
    await expect(texts.join('\n')).toMatchFileSnapshot('golden/baselines.txt');
  });

  it('has entries for findings with which the run would have passed', () => {
    const { entries } = update(broken, [], found);
    const run = judged(made(...broken));
    const { knownFailures, problems } = applyBaseline(entries, run.checks, found, known, TODAY);
    const { checks } = markKnown(run, knownFailures);
    expect(decide(checks, { failOn: 'must', problems, interrupted: false })).toBe('passed');
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
