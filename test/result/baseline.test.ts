import { describe, expect, it } from 'vitest';
import { UsageError } from '../../common/process/args.ts';
import { type BaselineEntry, parseBaseline, updateBaseline, withBaseline } from '../../conformance/result/baseline.ts';
import type { CheckResult, Finding, RequirementResult } from '../../conformance/facts/result.ts';
import { decide } from '../../conformance/result/verdict.ts';
import type { Level } from '../../contract/document.ts';
import { checkOf, findingOf, resultOf } from '../report/sample.ts';

const TODAY = '2026-11-26';
const IDS = new Set(['path-id-large', 'name-null', 'name-long', 'banner-ids', 'errors.body']);

function entry(check: string, own: Partial<BaselineEntry> = {}): BaselineEntry {
  return { check, level: 'should', outcome: 'failed', reason: 'We know.', ...own };
}

const known = (entries: BaselineEntry[]) => ({ entries, today: TODAY, ids: IDS, file: 'known.json' });

function failedAt(level: Level, id: string): [CheckResult, Finding] {
  return [
    checkOf(id, { level, outcome: 'failed' }),
    findingOf('status.400-is-500', { level, checks: [id], requirement: 'path-id.no-server-error' }),
  ];
}

/** What is known of what was judged, and which entries do not hold. */
function marked(
  entries: BaselineEntry[],
  checks: CheckResult[],
  findings: Finding[] = [],
  requirements: RequirementResult[] = [],
) {
  const judged = withBaseline(known(entries), { checks, findings, requirements });
  return {
    checks: judged.checks.filter(({ knownFailure }) => knownFailure).map(({ id }) => id),
    findings: judged.findings.map(({ knownFailure }) => knownFailure),
    problems: judged.baselineProblems,
  };
}

describe('a baseline', () => {
  it('hides the check that it names, and no other one under the same finding', () => {
    const [large, finding] = failedAt('should', 'path-id-large');
    const [nothing] = failedAt('should', 'name-null');
    const both = { ...finding, checks: ['name-null', 'path-id-large'] };
    expect(marked([entry('path-id-large')], [large, nothing], [finding, both])).toEqual({
      checks: ['path-id-large'],
      findings: [true, false],
      problems: [],
    });
  });

  it('of a should does not hide a must of the same check', () => {
    const [check, finding] = failedAt('should', 'path-id-large');
    expect(marked([entry('path-id-large')], [check], [{ ...finding, level: 'must' }])).toEqual({
      checks: [],
      findings: [false],
      problems: ['path-id-large is now a must, not a should; look at it, and change the entry.'],
    });
  });

  it('hides a finding of responses by its requirement', () => {
    const finding = findingOf('errors.body', { checks: [] });
    expect(marked([entry('errors.body', { level: 'must' })], [], [finding]).findings).toEqual([true]);
  });

  it.each<[string, BaselineEntry[], CheckResult[], string]>([
    [
      'that is fixed',
      [entry('name-long')],
      [checkOf('name-long', { level: 'should' })],
      '1 entry does not fail any more (name-long). To drop it: baseline write RESULT.json --output known.json',
    ],
    [
      'that is fixed beside another one',
      [entry('name-long'), entry('name-null')],
      ['name-long', 'name-null'].map((id) => checkOf(id, { level: 'should' })),
      '2 entries do not fail any more (name-long, name-null). To drop them: baseline write RESULT.json --output known.json',
    ],
    [
      'that has expired',
      [entry('name-long', { expires: '2026-11-25' })],
      [checkOf('name-long', { level: 'should', outcome: 'failed' })],
      'The entry for name-long expired on 2026-11-25; fix your server, or set a later date.',
    ],
    ['of an unknown check', [entry('name-lnog')], [], 'There is no check name-lnog. Did you mean name-long?'],
  ])('fails by name for an entry %s', (_what, given, checks, message) => {
    expect(marked(given, checks)).toEqual({ checks: [], findings: [], problems: [message] });
  });

  it('says nothing of a check that was not selected', () => {
    expect(marked([entry('name-long')], [])).toEqual({ checks: [], findings: [], problems: [] });
  });
});

describe('a failure that comes now and then', () => {
  const seen = { times: 2, of: 600, what: 'requests' } as const;
  const racing = entry('errors.body', { level: 'must', outcome: 'inconclusive', intermittent: true });
  const requirement = (own: Partial<RequirementResult>): RequirementResult => {
    return { id: 'errors.body', level: 'must', text: 'It holds.', outcome: 'passed', checks: [], ...own };
  };
  const once = requirement({ outcome: 'inconclusive', seenOnce: true, seenIn: 'name-null' });
  const unsteady = checkOf('name-null', { outcome: 'inconclusive', reason: 'unsteady' });
  const often = findingOf('errors.body', { checks: ['name-long', 'name-null'], seen });

  it.each<[string, CheckResult[], Finding[], RequirementResult]>([
    ['does not show', [checkOf('name-null')], [], requirement({})],
    ['shows once', [unsteady], [], once],
    ['shows again, in whatever checks', [unsteady], [often], requirement({ outcome: 'failed' })],
  ])('is known whether it %s', (_what, checks, findings, given) => {
    const { problems, findings: areKnown } = marked([racing], checks, findings, [given]);
    expect(problems).toEqual([]);
    expect(areKnown).toEqual(findings.map(() => true));
    expect(marked([racing], [unsteady], findings, [given]).checks).toEqual(
      given.outcome === 'passed' ? [] : ['name-null'],
    );
  });

  it('is no longer known if it comes every time', () => {
    const steady = findingOf('errors.body', { checks: ['name-null'] });
    expect(marked([racing], [], [steady], [requirement({ outcome: 'failed' })])).toMatchObject({
      findings: [false],
      problems: ['errors.body fails every time now, not now and then; look at it.'],
    });
  });

  it('is written by its requirement, with which the same run passes', () => {
    const judged = { checks: [unsteady, checkOf('name-long')], findings: [], requirements: [once] };
    const own = { requirements: [once], verdict: 'inconclusive' as const };
    const result = resultOf(judged.checks, [], own);
    const entries = updateBaseline(result, known([]), { reason: 'A race.' });
    expect(entries).toEqual([{ ...racing, reason: 'A race.' }]);
    const again = withBaseline(known(entries), judged);
    const grounds = { ...again, failOn: 'must', restoration: result.restoration, interrupted: false } as const;
    expect(decide(grounds)).toBe('passed');
  });
});

describe('baseline write', () => {
  it('adds what keeps the run from passing, keeps what holds, and removes what does not', () => {
    const [large, finding] = failedAt('must', 'path-id-large');
    const open = checkOf('banner-ids', { outcome: 'inconclusive', reason: 'missing-input' });
    const result = resultOf([large, open, checkOf('name-long')], [finding]);
    const old = [
      entry('name-long', { level: 'must' }),
      entry('banner-ids', { level: 'must', outcome: 'inconclusive', reason: 'No banners.' }),
      entry('name-null'),
      entry('gone'),
    ];
    expect(updateBaseline(result, known(old), { reason: 'New.' })).toEqual([
      { check: 'banner-ids', level: 'must', outcome: 'inconclusive', reason: 'No banners.' },
      { check: 'name-null', level: 'should', outcome: 'failed', reason: 'We know.' },
      { check: 'path-id-large', level: 'must', outcome: 'failed', reason: 'New.' },
    ]);
  });

  it('renews an expired entry that is still needed', () => {
    const [large, finding] = failedAt('must', 'path-id-large');
    const old = [entry('path-id-large', { level: 'must', expires: '2026-01-01' })];
    const entries = updateBaseline(resultOf([large], [finding]), known(old), { reason: 'Later.' });
    expect(entries.map(({ reason }) => reason)).toEqual(['Later.']);
  });
});

describe('a baseline file', () => {
  const GOOD = { check: 'name-long', level: 'should', outcome: 'failed', reason: 'We know.' };

  it('is JSON or YAML', () => {
    expect(parseBaseline('known.json', JSON.stringify({ entries: [GOOD] }))).toEqual([GOOD]);
    const yaml = 'entries:\n  - { check: name-long, level: should, outcome: failed, reason: We know. }\n';
    expect(parseBaseline('known.yaml', yaml)).toEqual([GOOD]);
  });

  it.each<[string, unknown, string]>([
    [
      'an unknown member',
      { entries: [{ ...GOOD, chek: 1 }] },
      'known.json:1:90: entries/0/chek: an entry has "check", "level", "outcome", "reason" and, if need be, "intermittent" and "expires"; nothing else.',
    ],
    [
      'another level',
      { entries: [{ ...GOOD, level: 'mus' }] },
      'known.json:1:34: entries/0/level: give must or should.',
    ],
    [
      'no reason',
      { entries: [{ ...GOOD, reason: ' ' }] },
      'known.json:1:70: entries/0/reason: give a text that says why this is known.',
    ],
    [
      'no date',
      { entries: [{ ...GOOD, expires: '2027-02-30' }] },
      'known.json:1:90: entries/0/expires: give a date such as 2027-01-31.',
    ],
    ['a second entry', { entries: [GOOD, GOOD] }, 'known.json:1:92: entries/1/check: another entry is for it, too.'],
  ])('with %s is refused in one line', (_what, value, message) => {
    expect(() => parseBaseline('known.json', JSON.stringify(value))).toThrow(new UsageError(message));
  });
});
