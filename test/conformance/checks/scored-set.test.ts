import { describe, expect, it } from 'vitest';
import { type Level } from '../../../contract/document.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { digestOfScoredSet, scoredIds, scoredSet, type ScoredSet } from '../../../conformance/checks/scored-set.ts';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { inputsFor } from '../../../proof/servers/behaviour.ts';
import { updating, withAll } from '../../../proof/defects/update-user/updates.ts';
import { withTarget } from '../../support/target.ts';

const set = (...entries: [string, Level][]): ScoredSet => ({
  contractVersion: '1.0.0',
  checks: entries.map(([id, level]) => ({ id, level })),
});

it('digestOfScoredSet is the same whatever the order, and another for another check or level', () => {
  const digest = digestOfScoredSet(set(['a', 'must'], ['b', 'should']));
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOfScoredSet(set(['b', 'should'], ['a', 'must']))).toBe(digest);
  expect(digestOfScoredSet(set(['a', 'must'], ['b', 'must']))).not.toBe(digest);
  expect(digestOfScoredSet(set(['a', 'must']))).not.toBe(digest);
  expect(digestOfScoredSet(set(['a', 'must'], ['c', 'should']))).not.toBe(digest);
});

/** A server that stores no name, judged by checks of which some are newer than the set. */
function judgeBy(
  set: ScoredSet,
  only: readonly string[] = ['update-name-stored', 'update-email-stored'],
): Promise<Result> {
  const forgetsNames = updating(withAll('name'), ({ before }) => ({ name: before.name }));
  return withTarget(forgetsNames, ({ url, reach }) => judgeTarget(inputsFor(url), { ...reach, only }, set));
}

const without = (...ids: string[]): ScoredSet => ({
  ...scoredSet,
  checks: scoredSet.checks.filter(({ id }) => !ids.includes(id)),
});

describe('a run', () => {
  const [NAME, EMAIL] = ['update-name-stored', 'update-email-stored'];
  const asShould = scoredSet.checks.map((each) => (each.id === NAME ? { ...each, level: 'should' as const } : each));

  it.each<[what: string, verdict: string, checks: readonly string[], set: ScoredSet, only?: readonly string[]]>([
    ['fails by a check that is in the set', 'failed', ['must passed', 'must failed'], scoredSet],
    ['does not fail by a check that is newer', 'passed', ['must passed', 'must failed, unscored'], without(NAME)],
    ['is not passed where nothing counts', 'inconclusive', ['must passed, unscored'], without(EMAIL), [EMAIL]],
    ['scores a check as the set does', 'passed', ['must passed', 'should failed'], { ...scoredSet, checks: asShould }],
    ['has one digest of the set, whatever is selected of it', 'passed', ['must passed'], scoredSet, [EMAIL]],
  ])('%s', async (_what, verdict, shown, set, only) => {
    const { checks: judged, contract, ...result } = await judgeBy(set, only);
    expect(result.verdict).toBe(verdict);
    expect(judged.map(({ level, outcome, scored }) => `${level} ${outcome}${scored ? '' : ', unscored'}`)).toEqual(
      shown,
    );
    expect(contract.scoredSetDigest).toBe(digestOfScoredSet(set));
    expect(result.summary.should).toMatchObject(
      shown.includes('should failed') ? { total: 1, failed: 1 } : { total: 0 },
    );
  });

  it('reports a check that is newer than the set, and does not count it anywhere', async () => {
    const set = without('update-name-stored');
    const result = await judgeBy(set);
    expect(result.summary.must).toMatchObject({ total: 1, passed: 1, failed: 0 });
    expect(result.selection.scope).toMatchObject({ checks: 1, of: scoredIds(set).size });
    expect(result.requirements.flatMap((each) => each.checks)).not.toContain('update-name-stored');
    expect(result.requirements.map(({ outcome }) => outcome)).not.toContain('failed');
    const text = terminalText(resultDocument(result), { paint: plain, width: 80 });
    expect(text).toContain('PASSED');
    expect(text).not.toContain('Findings\n');
    expect(text.slice(text.indexOf('Findings that do not fail the run'))).toContain('--only update-name-stored');
  });
});
