import { describe, expect, it } from 'vitest';
import type { Level } from '../../../contract/document.ts';
import {
  applyBaseline,
  decide,
  EXIT_CODES,
  OUTCOMES,
  USAGE_ERROR,
  VERDICTS,
  worst,
  type BaselineEntry,
  type BaselineProblem,
  type CheckEntry,
  type Deciding,
  type KnownFinding,
  type Outcome,
  type Verdict,
} from '../../../conformance/result/verdict.ts';

const LEVELS: readonly Level[] = ['must', 'should'];

const kinds: readonly Deciding[] = LEVELS.flatMap((level) =>
  OUTCOMES.flatMap((outcome) => [false, true].map((knownFailure) => ({ level, outcome, knownFailure }))),
);

/** Every multiset of up to `size` kinds. */
function multisets(size: number, from = 0): Deciding[][] {
  if (size === 0) return [[]];
  const longer = kinds
    .slice(from)
    .flatMap((kind, index) => multisets(size - 1, from + index).map((rest) => [kind, ...rest]));
  return [[], ...longer];
}

const stale: BaselineProblem = { id: 'c', kind: 'stale', message: 'c is now passed.' };

interface Circumstances {
  readonly failOn: Level;
  readonly interrupted: boolean;
  readonly problems: readonly BaselineProblem[];
}

const circumstances: readonly Circumstances[] = LEVELS.flatMap((failOn) =>
  [false, true].flatMap((interrupted) => [[], [stale]].map((problems) => ({ failOn, interrupted, problems }))),
);

/** What one check by itself makes of a run: an error of the suite always, a known failure nothing, a `should` only by `failOn`. */
function effectOf({ level, outcome, knownFailure }: Deciding, failOn: Level): Verdict {
  if (outcome === 'error') return 'error';
  if (outcome === 'failed' && !knownFailure) return level === 'must' || failOn === 'should' ? 'failed' : 'passed';
  return outcome === 'inconclusive' && !knownFailure && level === 'must' ? 'inconclusive' : 'passed';
}

/** The worst of what the checks, an interruption and the baseline make of a run; what was not observed has not passed. */
function expectedOf(run: readonly Deciding[], { failOn, interrupted, problems }: Circumstances): Verdict | undefined {
  const isSeen = run.some(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  const effects = [
    ...run.map((kind) => effectOf(kind, failOn)),
    ...(interrupted ? ['interrupted'] : []),
    ...(problems.length > 0 ? ['failed'] : []),
    isSeen ? 'passed' : 'inconclusive',
  ];
  const fromTheWorst = ['error', 'interrupted', 'failed', 'inconclusive', 'passed'] as const;
  return fromTheWorst.find((verdict) => effects.includes(verdict));
}

it('decide gives every run of up to three checks, in any order, the worst of what each part makes of it', () => {
  const runs = multisets(3);
  expect(runs).toHaveLength(1771);
  const wrong = runs.flatMap((run) =>
    circumstances.flatMap((given) => {
      const [expected, actual, backwards] = [
        expectedOf(run, given),
        ...[run, run.toReversed()].map((each) => decide(each, given)),
      ];
      return expected === actual && actual === backwards ? [] : [{ run, given, expected, actual, backwards }];
    }),
  );
  expect(wrong.slice(0, 3)).toEqual([]);
});

it('the verdicts have the exit codes that the outside relies on', () => {
  expect(EXIT_CODES).toEqual({ passed: 0, failed: 1, inconclusive: 3, error: 4, interrupted: 130 });
  expect(VERDICTS.toSorted()).toEqual(Object.keys(EXIT_CODES).sort());
  expect(USAGE_ERROR).toBe(2);
});

it('worst gives the worst of three outcomes, and of none inconclusive; what does not apply is no pass by itself', () => {
  const fromTheWorst: readonly Outcome[] = ['error', 'failed', 'inconclusive', 'passed', 'not-applicable'];
  expect(fromTheWorst.toSorted()).toEqual(OUTCOMES.toSorted());
  const triples = OUTCOMES.flatMap((a) => OUTCOMES.flatMap((b) => OUTCOMES.map((c) => [a, b, c])));
  for (const all of triples) expect(worst(all), all.join()).toBe(fromTheWorst.find((each) => all.includes(each)));
  expect(worst([])).toBe('inconclusive');
});

describe('applyBaseline', () => {
  const known = {
    ids: new Set(['a', 'b', 'c', 'update-name']),
    findings: { 'errors.name': ['a', 'b'], 'user.id': ['c'] },
    retired: { old: ['a'], split: ['a', 'b'], older: [] },
  };
  const TODAY = '2026-06-15';
  const NAME = 'errors.name.NotFoundError';
  /** An entry, written as `id outcome`, or as the id of a finding; a last day may follow. */
  const entry = (text: string): BaselineEntry => {
    const [id = '', outcome, expires] = text.replace(/^(\S+) (\d)/, '$1 - $2').split(' ');
    const terms = { reason: 'known', ...(expires === undefined ? {} : { expires }) };
    return outcome === undefined || outcome === '-'
      ? { finding: id, ...terms }
      : { check: id, outcome: outcome as CheckEntry['outcome'], ...terms };
  };
  const check = (text: string) => {
    const [id = '', outcome] = text.split(' ');
    return { id, outcome: outcome as Outcome };
  };
  const found: KnownFinding = { id: NAME, checks: ['a'], consequences: ['b'] };
  const apply = (entries: readonly string[], checks: readonly string[], findings: readonly KnownFinding[] = []) =>
    applyBaseline(entries.map(entry), checks.map(check), findings, known, TODAY);

  type Row = [
    what: string,
    holds: string,
    problems: string[],
    entries: string[],
    checks: string[],
    of?: KnownFinding[],
  ];
  it.each<Row>([
    ...['failed', 'inconclusive'].flatMap((expected) =>
      OUTCOMES.map((outcome): Row => {
        const [holds, what] = [outcome === expected, `an entry for ${expected} of a check that is ${outcome}`];
        return [what, holds ? 'a' : '', holds ? [] : ['a stale'], [`a ${expected}`], [`a ${outcome}`]];
      }),
    ),
    ['an entry on its last day', 'a', [], [`a failed ${TODAY}`], ['a failed']],
    ['an entry a day late', '', ['a expired'], ['a failed 2026-06-14'], ['a failed']],
    ['an entry of a check that was not selected', '', [], ['b failed'], ['a passed']],
    [
      'several, in the order of the file',
      'c',
      ['x unknown', 'a stale'],
      ['x failed', 'a failed', 'c failed'],
      ['a passed', 'c failed'],
    ],
    ['a finding, with its consequences', 'a,b', [], [NAME], ['a failed', 'b inconclusive', 'c failed'], [found]],
    ['a finding that is gone', '', [`${NAME} stale`], [NAME], ['a passed', 'b passed']],
    ['a finding of which not every check was selected', '', [], [NAME], ['a passed']],
    ['a finding that is late', '', [`${NAME} expired`], [`${NAME} 2026-06-14`], ['a failed'], [found]],
  ])('of %s', (_what, holds, problems, entries, checks, findings) => {
    const result = apply(entries, checks, findings);
    expect([...result.knownFailures].join()).toBe(holds);
    expect(result.problems.map(({ id, kind }) => `${id} ${kind}`)).toEqual(problems);
  });

  it.each([
    ['a is now passed, not failed; remove the entry.', 'a failed'],
    [`The entry for a expired on 2026-06-14; fix the target, or set a later date.`, 'a failed 2026-06-14'],
    ['There is no check update-nam. Did you mean update-name?', 'update-nam failed'],
    ['There is no check quite-something-else. Remove the entry.', 'quite-something-else failed'],
    ['There is no check constructor. Remove the entry.', 'constructor failed'],
    ['The check old was retired; use a instead.', 'old failed'],
    ['The check split was retired; use a and b instead.', 'split failed'],
    ['The check older was retired; remove the entry.', 'older failed'],
    [`The finding ${NAME} is gone; remove the entry.`, NAME],
    ['There is no finding user.idd. Did you mean user.id?', 'user.idd'],
    ['There is no finding user. Did you mean user.id?', 'user'],
    ['The finding split was retired; use a and b instead.', 'split'],
  ])('says "%s"', (message, given) => {
    const { problems } = apply([given], ['a passed', 'b passed']);
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });
});
