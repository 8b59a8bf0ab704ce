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
  const check = (id: string, outcome: Outcome) => ({ id, outcome });
  const terms = (expires?: string) => ({ reason: 'known', ...(expires === undefined ? {} : { expires }) });
  const entry = (id: string, outcome: CheckEntry['outcome'], expires?: string): BaselineEntry => {
    return { check: id, outcome, ...terms(expires) };
  };
  const named = (finding: string, expires?: string): BaselineEntry => ({ finding, ...terms(expires) });
  const found: KnownFinding = { id: NAME, checks: ['a'], consequences: ['b'] };
  const failing = [check('a', 'failed')];
  const apply = (
    entries: readonly BaselineEntry[],
    checks: readonly ReturnType<typeof check>[],
    findings: readonly KnownFinding[] = [],
  ) => applyBaseline(entries, checks, findings, known, TODAY);

  type Row = [
    what: string,
    holds: readonly string[],
    problems: readonly string[],
    entries: readonly BaselineEntry[],
    checks: readonly ReturnType<typeof check>[],
    findings?: readonly KnownFinding[],
  ];

  it.each<Row>([
    ...(['failed', 'inconclusive'] as const).flatMap((expected) =>
      OUTCOMES.map((outcome): Row => {
        const holds = outcome === expected;
        const what = `an entry for ${expected} of a check that is ${outcome}`;
        return [what, holds ? ['a'] : [], holds ? [] : ['a stale'], [entry('a', expected)], [check('a', outcome)]];
      }),
    ),
    ['an entry on its last day', ['a'], [], [entry('a', 'failed', TODAY)], failing],
    ['an entry a day late', [], ['a expired'], [entry('a', 'failed', '2026-06-14')], failing],
    ['an entry of a check that was not selected', [], [], [entry('b', 'failed', TODAY)], [check('a', 'passed')]],
    [
      'several entries, in the order of the file',
      ['c'],
      ['x unknown', 'a stale', 'b expired'],
      [entry('x', 'failed'), entry('a', 'failed'), entry('b', 'failed', '2020-01-01'), entry('c', 'inconclusive')],
      [check('a', 'passed'), check('b', 'failed'), check('c', 'inconclusive')],
    ],
    [
      'a finding, with its consequences',
      ['a', 'b'],
      [],
      [named(NAME)],
      [...failing, check('b', 'inconclusive'), check('c', 'failed')],
      [found],
    ],
    ['a finding that is gone', [], [`${NAME} stale`], [named(NAME)], [check('a', 'passed'), check('b', 'passed')]],
    ['a finding of which not every check was selected', [], [], [named(NAME)], [check('a', 'passed')]],
    ['a finding that is late', [], [`${NAME} expired`], [named(NAME, '2026-06-14')], failing, [found]],
  ])('of %s', (_what, holds, problems, entries, checks, findings) => {
    const result = apply(entries, checks, findings);
    expect([...result.knownFailures]).toEqual(holds);
    expect(result.problems.map(({ id, kind }) => `${id} ${kind}`)).toEqual(problems);
  });

  it.each<[message: string, entry: BaselineEntry]>([
    ['a is now passed, not failed; remove the entry.', entry('a', 'failed')],
    [`The entry for a expired on 2026-06-14; fix the target, or set a later date.`, entry('a', 'failed', '2026-06-14')],
    ['There is no check update-nam. Did you mean update-name?', entry('update-nam', 'failed')],
    ['There is no check quite-something-else. Remove the entry.', entry('quite-something-else', 'failed')],
    ['There is no check constructor. Remove the entry.', entry('constructor', 'failed')],
    ['The check old was retired; use a instead.', entry('old', 'failed')],
    ['The check split was retired; use a and b instead.', entry('split', 'failed')],
    ['The check older was retired; remove the entry.', entry('older', 'failed')],
    [`The finding ${NAME} is gone; remove the entry.`, named(NAME)],
    ['There is no finding user.idd. Did you mean user.id?', named('user.idd')],
    ['There is no finding user. Did you mean user.id?', named('user')],
    ['The finding split was retired; use a and b instead.', named('split')],
  ])('says "%s"', (message, given) => {
    const { problems } = apply([given], [check('a', 'passed'), check('b', 'passed')]);
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });
});
