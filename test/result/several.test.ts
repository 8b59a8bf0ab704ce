import { describe, expect, it } from 'vitest';
import { changesAgain, checksAgain, compareResults } from '../../conformance/result/compare.ts';
import type { Change } from '../../conformance/facts/result.ts';
import { readResult } from '../../conformance/result/read.ts';
import { judgedTarget, makeMatrix } from '../../conformance/report/matrix.ts';
import { comparisonNotes, comparisonWords } from '../../conformance/report/notes.ts';
import { checkOf, findingOf, resultOf, sample } from '../report/sample.ts';

const failing = checkOf('update-name', { outcome: 'failed' });
const race = checkOf('concurrent-puts', { level: 'should', outcome: 'failed' });
const raceFinding = findingOf('update.no-lost-update', {
  level: 'should',
  checks: ['concurrent-puts'],
  seen: { times: 2, of: 9, what: 'rounds' },
});
const open = checkOf('banner-ids', { outcome: 'inconclusive', reason: 'missing-input' });
const early = resultOf(
  [failing, race, open, checkOf('update-role')],
  [findingOf('update.success-is-200'), raceFinding],
);

const becameOf = (changes: readonly Change[]) => Object.fromEntries(changes.map(({ id, became }) => [id, became]));

describe('run --again', () => {
  it('runs what failed or was inconclusive; everything for a finding that rests on responses to any request', () => {
    expect(checksAgain(early)).toEqual({ ids: ['update-name', 'concurrent-puts', 'banner-ids'], requirements: [] });
    const ofResponses = findingOf('errors.body', { checks: [] });
    expect(checksAgain(resultOf([checkOf('update-name'), checkOf('update-role')], [ofResponses]))).toEqual({
      ids: ['update-name', 'update-role'],
      requirements: ['errors.body'],
    });
  });

  it('does not call fixed what it did not judge', () => {
    const ofResponses = resultOf([checkOf('update-name')], [findingOf('errors.body', { checks: [] })]);
    const changes = changesAgain(ofResponses, resultOf([checkOf('update-name')]), 'must');
    expect(becameOf(changes)).toEqual({ 'errors.body': 'still-there' });
  });
});

describe('a check that could not be judged in one of two results, and did not fail in the other', () => {
  const open = (id: string) => checkOf(id, { outcome: 'inconclusive', reason: 'blocked', blockedBy: 'update.answer' });
  const bad = resultOf([failing, open('name-long'), open('email-tag')], [findingOf('update.success-is-200')]);
  const good = resultOf([checkOf('update-name'), checkOf('name-long'), checkOf('email-tag')]);

  it.each([
    [good, bad, '1 new, 0 fixed, 0 still there.', '2 checks passed before, inconclusive now'],
    [bad, good, '0 new, 1 fixed, 0 still there.', '2 checks inconclusive before, passed now'],
    [bad, bad, '0 new, 0 fixed, 1 still there.', '2 checks still inconclusive'],
  ])('is only counted (%#)', (old, now, words, note) => {
    const comparison = compareResults(old, now);
    expect(comparisonWords(comparison)).toContain(words);
    expect(comparisonNotes(comparison).map(({ text }) => text)).toContain(note);
  });
});

describe('compare', () => {
  it('says by check what is fixed, new and still there, and run --again the same of what it runs', () => {
    const now = resultOf([checkOf('update-name'), checkOf('concurrent-puts'), open, { ...failing, id: 'update-role' }]);
    const { worse, changes } = compareResults(early, now);
    const again = { 'update-name': 'fixed', 'concurrent-puts': 'not-seen-again', 'banner-ids': 'still-there' };
    expect([worse, becameOf(changes)]).toEqual([true, { ...again, 'update-role': 'new' }]);
    expect(becameOf(changesAgain(early, now, 'must'))).toEqual(again);
  });

  it('tells a must from a should under one finding id', () => {
    const large = checkOf('path-id-large', { level: 'should', outcome: 'failed' });
    const finding = findingOf('status.400-is-500', { level: 'should', checks: ['path-id-large'] });
    const after = resultOf(
      [checkOf('path-id-large', { level: 'should' }), checkOf('name-null', { outcome: 'failed' })],
      [{ ...finding, level: 'must', checks: ['name-null'] }],
    );
    const { changes } = compareResults(resultOf([large, checkOf('name-null')], [finding]), after);
    expect(becameOf(changes)).toEqual({ 'path-id-large': 'fixed', 'name-null': 'new' });
  });

  it('is not worse for what does not count', () => {
    const before = resultOf([checkOf('concurrent-puts', { level: 'should' })]);
    expect(compareResults(before, resultOf([race], [raceFinding])).worse).toBe(false);
  });

  it('refuses results of different contracts', () => {
    const other = resultOf([], [], { contract: { title: 'A', version: '2.0.0', digest: 'b' } });
    expect(() => compareResults(early, other)).toThrow(/different contracts \(1\.1\.0 and 2\.0\.0\)/);
  });
});

it('a matrix has the worst verdict, and the requirements that a target did not meet, what is broken first', () => {
  const requirements = sample.requirements.map((each) => {
    return { ...each, id: `not-seen.${each.id}`, outcome: 'inconclusive' } as const;
  });
  const unreached = resultOf([open], [], { verdict: 'inconclusive', requirements });
  const results = [resultOf([checkOf('update-name')]), sample, unreached];
  const { verdict, unmet } = makeMatrix(results.map((each, index) => judgedTarget(`target-${index}`, each)));
  expect(verdict).toBe('failed');
  const broken = ['update.success-is-200', 'update.unsent-fields-keep', 'errors.body'];
  expect(unmet.map(({ id }) => id)).toEqual([...broken, 'banner.id']);
});

describe('a result file', () => {
  it('is read back, whatever a later version adds', () => {
    const text = JSON.stringify({ ...sample, later: true });
    expect(readResult('a.json', text)).toEqual(JSON.parse(JSON.stringify(sample)));
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', '{', /^a\.json: it is not JSON\.$/],
    [
      'an older version',
      '{"schemaVersion":1}',
      /^a\.json: its schemaVersion is 1, and this version reads 3; run the suite again\.$/,
    ],
    ['a wrong member', JSON.stringify({ ...sample, verdict: 'good' }), /^a\.json: verdict: Invalid option: .*$/],
  ])('that is %s is refused', (_what, text, message) => {
    expect(() => readResult('a.json', text)).toThrow(message);
  });
});
