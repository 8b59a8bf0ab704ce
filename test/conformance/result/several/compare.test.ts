import { describe, expect, it } from 'vitest';
import { compareResults, type Comparison } from '../../../../conformance/result/several/compare.ts';
import type { CheckResult, Result } from '../../../../conformance/index.ts';
import { comparisonDocument } from '../../../../conformance/report/documents/comparison.ts';
import { markdownOf } from '../../../../conformance/report/markdown.ts';
import { terminalText } from '../../../../conformance/report/terminal/terminal.ts';
import { plain } from '../../../../conformance/report/terminal/paint.ts';
import { OUTCOMES, type Outcome, type Verdict } from '../../../../conformance/result/verdict.ts';
import { without } from '../../../support/exchanges.ts';
import { checkResult, findingOf } from '../../../support/results.ts';
import { judgeReference } from '../../../support/target.ts';

const MUST = 'update-name-stored';
const SHOULD = 'update-repeated';
const prettyComparison = (comparison: Comparison): string =>
  terminalText(comparisonDocument(comparison), { paint: plain, width: 80 });
const markdownComparison = (comparison: Comparison): string => markdownOf(comparisonDocument(comparison));

const base = await judgeReference();

const FAILURE = { mode: 'lost', expected: 'a', actual: 'b', message: 'It was lost.', advice: 'Keep it.' };

function withCheck(result: Result, id: string, change: Partial<CheckResult>): Result {
  if (!result.checks.some((check) => check.id === id)) throw new Error(`There is no check ${id}.`);
  return { ...result, checks: result.checks.map((check) => (check.id === id ? { ...check, ...change } : check)) };
}

/** The result with this outcome of a check; its verdict stays, unless it is given. */
function having(id: string, outcome: Outcome, change: Partial<CheckResult> = {}): Result {
  const reason = outcome === 'inconclusive' ? { reason: 'not-observable' as const, detail: 'it is not shown' } : {};
  const failure = outcome === 'failed' ? { failure: FAILURE } : {};
  return withCheck(base, id, { outcome, ...reason, ...failure, ...change });
}

const ids = (changes: readonly { readonly id: string }[]): string[] => changes.map(({ id }) => id);

/** Every check that changed, of whichever list. */
const changesOf = ({ newlyFailing, newlyPassing, otherOutcomes }: Comparison) => [
  ...newlyFailing,
  ...newlyPassing,
  ...otherOutcomes,
];

/** A comparison has nothing to tell if its text has one line. */
const isEmpty = (comparison: Comparison): boolean =>
  /^ SAME .* Nothing differs\.\n$/.test(prettyComparison(comparison).replace(/\n +/, ' '));

/** What a check that has the outcome of the row, and then that of the column, makes of the target. */
const WEIGHS: Readonly<Record<Outcome, string>> = {
  // passed, failed, inconclusive, not-applicable, error
  passed: '=--=-',
  failed: '+==+=',
  inconclusive: '+-=+=',
  'not-applicable': '=--=-',
  error: '+-=+=',
};

describe('a check with another outcome', () => {
  it.each(OUTCOMES.flatMap((from) => OUTCOMES.map((to, place) => [from, to, WEIGHS[from][place]] as const)))(
    '%s → %s weighs %s',
    (from, to, weight) => {
      const comparison = compareResults(having(MUST, from), having(MUST, to));
      const { newlyFailing, newlyPassing, otherOutcomes } = comparison;
      const [failing, passing] = [to === 'failed', to === 'passed' && weight === '+'];
      const own = failing ? newlyFailing : passing ? newlyPassing : otherOutcomes;
      expect(ids(own)).toEqual(from === to ? [] : [MUST]);
      expect(changesOf(comparison)).toEqual(own);
      expect(comparison).toMatchObject({ worse: weight === '-', better: weight === '+' });
      expect(isEmpty(comparison)).toBe(from === to);
    },
  );

  it('that is a should weighs only where it fails the new run', () => {
    const failing = having(SHOULD, 'failed');
    const strict = { ...failing, selection: { ...failing.selection, failOn: 'should' as const } };
    const told = (counts: boolean) => ({ worse: counts, newlyFailing: [{ id: SHOULD, counts }] });
    expect(compareResults(base, failing)).toMatchObject(told(false));
    expect(compareResults(base, strict)).toMatchObject(told(true));
  });

  it('that is a known failure now is shown and does not weigh', () => {
    const comparison = compareResults(base, having(MUST, 'failed', { knownFailure: true }));
    expect(comparison).toMatchObject({ worse: false, newlyFailing: [{ id: MUST, knownFailure: true, counts: false }] });
    expect(prettyComparison(comparison)).toContain('known failure');
  });

  it('that only fails in another way is neither', () => {
    const other = having(MUST, 'failed', { failure: { ...FAILURE, mode: 'altered' } });
    const comparison = compareResults(having(MUST, 'failed'), other);
    const otherModes = [{ id: MUST, from: 'lost', to: 'altered' }];
    expect(comparison).toMatchObject({ worse: false, better: false, otherModes });
    expect(changesOf(comparison)).toEqual([]);
  });
});

describe('two results', () => {
  it.each<[Verdict, Verdict, 'worse' | 'better' | 'other']>([
    ['passed', 'failed', 'worse'],
    ['passed', 'inconclusive', 'worse'],
    ['failed', 'passed', 'better'],
    ['failed', 'interrupted', 'other'],
    ['inconclusive', 'error', 'other'],
  ])('with the verdicts %s and %s: %s', (from, to, direction) => {
    const comparison = compareResults({ ...base, verdict: from }, { ...base, verdict: to });
    expect(comparison.verdict).toEqual({ from, to, direction });
    expect(comparison.worse).toBe(direction === 'worse');
    expect(comparison.better).toBe(direction === 'better');
  });
});

describe('what is not the target by itself', () => {
  const scopeOf = (old: Result, now: Result) => compareResults(old, now).scope;

  it('is the address, the versions, the selection: told, and not worse', () => {
    const now: Result = {
      ...base,
      tool: { ...base.tool, version: '9.9.9' },
      contract: { ...base.contract, version: '9.0.0', digest: 'f'.repeat(64), scoredSetDigest: 'e'.repeat(64) },
      target: { ...base.target, baseUrl: 'http://elsewhere.example' },
      selection: { only: ['users'], skip: ['auth'], failOn: 'should' },
    };
    const comparison = compareResults(base, now);
    const changes = 'target tool-version contract-version contract-text scored-set only skip fail-on'.split(' ');
    expect(ids(comparison.scope.changes)).toEqual(changes);
    expect(comparison).toMatchObject({ worse: false, better: false });
    expect(prettyComparison(comparison)).toMatch(/^ CHANGED /);
  });

  it('is a check that only one of them has', () => {
    const now = { ...base, checks: base.checks.filter(({ id }) => id !== MUST) };
    expect(scopeOf(base, now)).toMatchObject({ added: [], removed: [{ id: MUST, outcome: 'passed' }] });
    expect(compareResults(base, now).worse).toBe(false);
    const failing = having(MUST, 'failed');
    expect(scopeOf(now, failing)).toMatchObject({ added: [{ id: MUST, outcome: 'failed' }], removed: [] });
  });

  it('is an input that only one of them was given, and what that keeps from running', () => {
    const target = without(base.target, 'roleIds');
    const now = having('update-role-stored', 'inconclusive', { reason: 'missing-input' });
    const fewer = { ...now, target };
    const comparison = compareResults(base, fewer);
    expect(comparison.worse).toBe(false);
    expect(changesOf(comparison)).toEqual([]);
    expect(ids(comparison.scope.byInputs)).toEqual(['update-role-stored']);
    expect(comparison.scope.changes).toMatchObject([
      { id: 'inputs', from: expect.stringContaining('roleIds') as string },
    ]);
    expect(ids(compareResults(fewer, base).scope.byInputs)).toEqual(['update-role-stored']);
    // With the same inputs, it is the target that changed.
    expect(compareResults(base, now).worse).toBe(true);
  });

  it('is the level of a check; the new one counts', () => {
    const comparison = compareResults(base, having(MUST, 'failed', { level: 'should' }));
    expect(comparison.scope.changes).toEqual([{ id: 'levels', from: `${MUST} must`, to: `${MUST} should` }]);
    expect(comparison.worse).toBe(false);
  });

  it('is not another id of a user', () => {
    const now = { ...base, target: { ...base.target, userId: '77' } };
    expect(isEmpty(compareResults(base, now))).toBe(true);
  });
});

describe('findings', () => {
  const finding = { ...findingOf(checkResult()), id: 'update.sent-fields-change', title: 'It is <b>lost</b>.' };
  const failing = having(MUST, 'failed');
  const withFinding = { ...failing, findings: [finding] };
  const known = { ...failing, findings: [{ ...finding, knownFailure: true }] };
  const changeOf = (old: Result, now: Result) => compareResults(old, now).findings.map(({ change }) => change);

  it.each<[string, Result, Result]>([
    ['CHANGED 1 finding became a known failure.', withFinding, known],
    ['CHANGED 1 finding is no longer a known failure.', known, withFinding],
    ['BETTER 1 check got better. 1 finding that was a known failure is fixed.', known, base],
    ['SAME The verdict is passed, as before.', known, known],
  ])('are told where a baseline hides them: %s', (says, old, now) => {
    const [, first = ''] = /^([^]*?)\n\n/.exec(prettyComparison(compareResults(old, now))) ?? [];
    expect(first.replaceAll(/\s+/g, ' ').trim()).toContain(says);
  });

  it('are new, fixed, or still there; and gone, but not fixed, where a check that showed them did not pass', () => {
    expect(changeOf(base, withFinding)).toEqual(['new']);
    expect(changeOf(withFinding, base)).toEqual(['fixed']);
    expect(changeOf(withFinding, withFinding)).toEqual(['still-there']);
    expect(changeOf(withFinding, having(MUST, 'inconclusive'))).toEqual(['gone']);
    expect(changeOf(withFinding, failing)).toEqual(['gone']);
  });
});

describe('beside the checks', () => {
  it('observations that differ are told, in the order of the contract, and are neither better nor worse', () => {
    const observations = base.observations.map((each) =>
      each.id === 'open.empty-body'
        ? { ...each, observed: 'refused', text: 'The target refuses the body `{}` (400).' }
        : each.id === 'open.limits'
          ? { id: each.id, text: 'Not seen in this run.', observed: undefined }
          : each,
    );
    const comparison = compareResults(base, { ...base, observations: observations.reverse() });
    expect(ids(comparison.observations)).toEqual(['open.limits', 'open.empty-body']);
    expect(comparison).toMatchObject({ worse: false, better: false });
  });

  it('users that are no longer restored are told', () => {
    const now = { ...base, restoration: { ...base.restoration, outcome: 'partial' as const } };
    expect(compareResults(base, now).restoration).toEqual({ from: 'complete', to: 'partial', direction: 'worse' });
    expect(compareResults(now, base).restoration?.direction).toBe('better');
  });

  it('baseline entries that held before are told', () => {
    const problem = { id: MUST, kind: 'stale' as const, message: 'It passes now.' };
    const now = { ...base, summary: { ...base.summary, baselineProblems: [problem] } };
    expect(compareResults(base, now).baselineProblems).toEqual(['It passes now.']);
    expect(compareResults(now, now).baselineProblems).toEqual([]);
  });
});

describe('the comment for a pull request', () => {
  it('has what got worse open and the rest folded', () => {
    const text = markdownComparison(compareResults(having('banners-stable', 'failed'), having(MUST, 'failed')));
    expect(text).toMatch(/^## WORSE: /);
    expect(text).toMatch(/### Newly failing\n\n- 🔴 <b>update-name-stored<\/b> must passed → failed<br>/);
    expect(text).toMatch(/<summary><b>Newly passing<\/b> \(1\)<\/summary>/);
    expect(text.match(/<details>/g)).toHaveLength(1);
  });
});
