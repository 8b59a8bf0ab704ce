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

/** Each verdict by its own condition; they exclude each other. */
const rules: Readonly<Record<Verdict, (run: readonly Deciding[], circumstances: Circumstances) => boolean>> = {
  // "An error of the suite itself is never reported as a failure of the target: it has its own outcome and exit code 4."
  error: (run) => run.some((kind) => kind.outcome === 'error'),
  // "interrupted, after restoring"
  interrupted: (run, { interrupted }) => interrupted && run.every((kind) => kind.outcome !== 'error'),
  // "some must failed (with --fail-on should, also a should)"; a baseline entry that no longer holds fails the run.
  failed: (run, { failOn, interrupted, problems }) => {
    if (interrupted || run.some((kind) => kind.outcome === 'error')) return false;
    let blame = problems.length;
    for (const { level, outcome, knownFailure } of run) {
      if (outcome === 'failed' && !knownFailure && !(level === 'should' && failOn === 'must')) blame += 1;
    }
    return blame > 0;
  },
  // "nothing failed, but some must was inconclusive and is no known failure"; principle 2: what was not observed has not passed.
  inconclusive: (run, given) => {
    if (rules.error(run, given) || rules.interrupted(run, given) || rules.failed(run, given)) return false;
    const open = run.filter(
      (kind) => kind.level === 'must' && kind.outcome === 'inconclusive' && !kind.knownFailure,
    ).length;
    const decisive = run.filter((kind) => kind.outcome === 'passed' || kind.outcome === 'failed').length;
    return open > 0 || decisive === 0;
  },
  // "every selected must passed or is a known failure" (what does not apply does not count)
  passed: (run, { failOn, interrupted, problems }) => {
    const settled = run.every(({ level, outcome, knownFailure }) => {
      if (outcome === 'error') return false;
      if (knownFailure || outcome === 'passed' || outcome === 'not-applicable') return true;
      return level === 'should' && (outcome === 'inconclusive' || failOn === 'must');
    });
    const seen = run.some(({ outcome }) => ['passed', 'failed'].includes(outcome));
    return settled && seen && !interrupted && problems.length === 0;
  },
};

describe('decide', () => {
  it('gives, for every run of up to three checks, the one verdict whose rule holds', () => {
    const runs = multisets(3);
    expect(runs).toHaveLength(1771);
    const wrong = runs.flatMap((run) =>
      circumstances.flatMap((given) => {
        const expected = VERDICTS.filter((verdict) => rules[verdict](run, given));
        const actual = decide(run, given);
        return expected.length === 1 && expected[0] === actual ? [] : [{ run, given, expected, actual }];
      }),
    );
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it('does not depend on the order of the checks', () => {
    for (const run of multisets(3)) {
      const backwards = run.toReversed();
      for (const given of circumstances) expect(decide(backwards, given)).toBe(decide(run, given));
    }
  });
});

it('the exit codes are those that the outside relies on', () => {
  expect(EXIT_CODES).toEqual({ passed: 0, failed: 1, inconclusive: 3, error: 4, interrupted: 130 });
  expect(USAGE_ERROR).toBe(2);
});

describe('worst', () => {
  it('calls a requirement without checks inconclusive', () => {
    expect(worst([])).toBe('inconclusive');
  });

  it('gives the worst of three outcomes; what does not apply is no pass by itself', () => {
    const fromTheWorst: readonly Outcome[] = ['error', 'failed', 'inconclusive', 'passed', 'not-applicable'];
    expect(fromTheWorst.toSorted()).toEqual(OUTCOMES.toSorted());
    const triples = OUTCOMES.flatMap((a) => OUTCOMES.flatMap((b) => OUTCOMES.map((c) => [a, b, c])));
    for (const all of triples) expect(worst(all), all.join()).toBe(fromTheWorst.find((each) => all.includes(each)));
  });
});

describe('applyBaseline', () => {
  const known = {
    ids: new Set(['a', 'b', 'c', 'update-name']),
    findings: { 'errors.name': ['a', 'b'], 'user.id': ['c'] },
    retired: { old: ['a'], split: ['a', 'b'], older: [] },
  };
  const TODAY = '2026-06-15';
  const check = (id: string, outcome: Outcome) => ({ id, outcome });
  const entry = (id: string, outcome: CheckEntry['outcome'], expires?: string): BaselineEntry => ({
    check: id,
    outcome,
    reason: 'known',
    ...(expires === undefined ? {} : { expires }),
  });
  const apply = (
    entries: readonly BaselineEntry[],
    checks: readonly ReturnType<typeof check>[],
    findings: readonly KnownFinding[] = [],
  ) => applyBaseline(entries, checks, findings, known, TODAY);

  it.each(['failed', 'inconclusive'] as const)('knows a failure that is %s as the entry says', (outcome) => {
    const { knownFailures, problems } = apply([entry('a', outcome)], [check('a', outcome), check('b', 'failed')]);
    expect([...knownFailures]).toEqual(['a']);
    expect(problems).toEqual([]);
  });

  it('calls an entry stale for every other outcome', () => {
    for (const expected of ['failed', 'inconclusive'] as const) {
      for (const outcome of OUTCOMES.filter((each) => each !== expected)) {
        const { knownFailures, problems } = apply([entry('a', expected)], [check('a', outcome)]);
        expect([...knownFailures]).toEqual([]);
        expect(problems).toMatchObject([{ id: 'a', kind: 'stale' }]);
        expect(problems[0]?.message).toContain(outcome);
        expect(problems[0]?.message).toMatch(/\ba\b/);
      }
    }
  });

  it('suggests an id for an unknown one, and the successors of a retired one', () => {
    const message = (id: string): string | undefined => apply([entry(id, 'failed')], []).problems[0]?.message;
    expect(message('update-nam')).toBe('There is no check update-nam. Did you mean update-name?');
    expect(message('quite-something-else')).toBe('There is no check quite-something-else. Remove the entry.');
    expect(message('old')).toContain('use a instead');
    expect(message('split')).toContain('use a and b instead');
    expect(message('older')).toContain('remove the entry');
    expect(message('constructor')).toContain('There is no check constructor.');
  });

  it('holds an entry up to and including its last day', () => {
    const on = (day: string) => apply([entry('a', 'failed', day)], [check('a', 'failed')]);
    expect([...on('2026-06-15').knownFailures]).toEqual(['a']);
    expect([...on('2027-01-01').knownFailures]).toEqual(['a']);
    expect([...on('2026-06-14').knownFailures]).toEqual([]);
    expect([...on('2025-12-31').knownFailures]).toEqual([]);
    expect(on('2026-06-14').problems).toMatchObject([{ id: 'a', kind: 'expired' }]);
    expect(on('2026-06-14').problems[0]?.message).toContain('2026-06-14');
  });

  describe('of a finding', () => {
    const NAME = 'errors.name.NotFoundError';
    const named = (finding: string, expires?: string): BaselineEntry => {
      return { finding, reason: 'known', ...(expires === undefined ? {} : { expires }) };
    };
    const found: KnownFinding = { id: NAME, checks: ['a'], consequences: ['b'] };

    it('makes its checks and its consequences known failures', () => {
      const { knownFailures, problems } = apply(
        [named(NAME)],
        [check('a', 'failed'), check('b', 'inconclusive'), check('c', 'failed')],
        [found],
      );
      expect([...knownFailures]).toEqual(['a', 'b']);
      expect(problems).toEqual([]);
    });

    it('is stale where the finding is gone, and ignored where not every check that can show it was selected', () => {
      const gone = apply([named(NAME)], [check('a', 'passed'), check('b', 'passed')]);
      expect(gone.problems).toEqual([
        { id: NAME, kind: 'stale', message: `The finding ${NAME} is gone; remove the entry.` },
      ]);
      expect(apply([named(NAME)], [check('a', 'passed')])).toEqual({ knownFailures: new Set(), problems: [] });
    });

    it('expires, and is unknown by its name', () => {
      expect(apply([named(NAME, '2026-06-14')], [check('a', 'failed')], [found])).toMatchObject({
        knownFailures: new Set(),
        problems: [{ id: NAME, kind: 'expired' }],
      });
      const message = (id: string): string | undefined => apply([named(id)], []).problems[0]?.message;
      expect(message('user.idd')).toBe('There is no finding user.idd. Did you mean user.id?');
      expect(message('user')).toContain('There is no finding user.');
      expect(message('split')).toBe('The finding split was retired; use a and b instead.');
    });
  });

  it('ignores an entry of a check that was not selected', () => {
    const { knownFailures, problems } = apply([entry('b', 'failed', TODAY)], [check('a', 'passed')]);
    expect([...knownFailures]).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('reports every entry that no longer holds, in the order of the file', () => {
    const { problems, knownFailures } = apply(
      [entry('x', 'failed'), entry('a', 'failed'), entry('b', 'failed', '2020-01-01'), entry('c', 'inconclusive')],
      [check('a', 'passed'), check('b', 'failed'), check('c', 'inconclusive')],
    );
    expect(problems.map((each) => [each.id, each.kind])).toEqual([
      ['x', 'unknown'],
      ['a', 'stale'],
      ['b', 'expired'],
    ]);
    expect([...knownFailures]).toEqual(['c']);
  });
});
