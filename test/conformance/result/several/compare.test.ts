import { describe, expect, it } from 'vitest';
import { compareResults } from '../../../../conformance/result/several/compare.ts';
import type { CheckResult, Result } from '../../../../conformance/index.ts';
import { comparisonDocument } from '../../../../conformance/report/documents/comparison.ts';
import { markdownOf } from '../../../../conformance/report/markdown.ts';
import { terminalText } from '../../../../conformance/report/terminal/terminal.ts';
import { plain } from '../../../../conformance/report/terminal/paint.ts';
import { OUTCOMES, VERDICTS, type Outcome } from '../../../../conformance/result/verdict.ts';
import { without } from '../../../support/exchanges.ts';
import { checkResult, findingOf, resultOf } from '../../../support/results.ts';

const MUST = 'update-name-stored';
const base = resultOf(
  [checkResult(), checkResult({ id: 'should', level: 'should' }), checkResult({ id: 'update-role-stored' })],
  {
    target: { ...resultOf([]).target, userId: '4', roleIds: [1, 2] },
    observations: ['open.limits', 'open.empty-body', 'open.of-tomorrow'].map((id) => {
      return { id, observed: 'accepted', text: `The target accepts ${id}.` };
    }),
    restoration: { outcome: 'complete', users: [] },
  },
);
const failure = { mode: 'lost', expected: 'a', actual: 'b', message: 'It was lost.', advice: 'Keep it.' };

/** The result with this outcome of a check. */
function having(id: string, outcome: Outcome, change: Partial<CheckResult> = {}): Result {
  const reason = outcome === 'inconclusive' ? { reason: 'not-observable' as const, detail: 'it is not shown' } : {};
  const own = { outcome, ...reason, ...(outcome === 'failed' && { failure }), ...change };
  return { ...base, checks: base.checks.map((check) => (check.id === id ? { ...check, ...own } : check)) };
}

/** What a check that has the outcome of the row, and then that of the column, makes of the target. */
const WEIGHS: Readonly<Record<Outcome, string>> = {
  // passed, failed, inconclusive, not-applicable, error
  passed: '=--=-',
  failed: '+==+=',
  inconclusive: '+-=+=',
  'not-applicable': '=--=-',
  error: '+-=+=',
};

it.each(OUTCOMES.flatMap((from) => OUTCOMES.map((to, place) => [from, to, WEIGHS[from][place]] as const)))(
  'a check with another outcome, %s → %s, weighs %s',
  (from, to, weight) => {
    const comparison = compareResults(having(MUST, from), having(MUST, to));
    const { newlyFailing, newlyPassing, otherOutcomes } = comparison;
    const own = to === 'failed' ? newlyFailing : to === 'passed' && weight === '+' ? newlyPassing : otherOutcomes;
    expect(own.map(({ id }) => id)).toEqual(from === to ? [] : [MUST]);
    expect([...newlyFailing, ...newlyPassing, ...otherOutcomes]).toEqual(own);
    expect(comparison).toMatchObject({ worse: weight === '-', better: weight === '+' });
  },
);

const failing = having(MUST, 'failed');
const strict = { ...base.selection, failOn: 'should' } as const;
const lacking = { ...base, checks: base.checks.filter(({ id }) => id !== MUST) };
const blind = having('update-role-stored', 'inconclusive', { reason: 'missing-input' });
const fewer = { ...blind, target: without(base.target, 'roleIds') };
const finding = { ...findingOf(checkResult()), id: 'update.sent-fields-change', title: 'It is <b>lost</b>.' };
const found = { ...failing, findings: [finding] };
const known = { ...failing, findings: [{ ...finding, knownFailure: true }] };
const partial = { ...base, restoration: { outcome: 'partial', users: [] } } as const;
const problem = { id: MUST, kind: 'stale', message: 'It passes now.' } as const;
const stale = { ...base, summary: { ...base.summary, baselineProblems: [problem] } };
const elsewhere: Result = {
  ...base,
  tool: { ...base.tool, version: '9.9.9' },
  contract: { ...base.contract, version: '9.0.0', digest: 'f'.repeat(64), scoredSetDigest: 'e'.repeat(64) },
  target: { ...base.target, baseUrl: 'http://elsewhere.example', userId: '77' },
  selection: { only: ['users'], skip: ['auth'], failOn: 'should' },
};
const refusing = base.observations.map((each) => {
  if (each.id === 'open.limits') return { ...each, observed: undefined };
  return each.id === 'open.empty-body' ? { ...each, text: 'The target refuses `{}`.', observed: 'refused' } : each;
});

describe('two results', () => {
  type Case = readonly [what: string, old: Result, now: Result];
  const cases: readonly Case[] = [
    ['the same', base, structuredClone(base)],
    ['another id of a user', base, { ...base, target: { ...base.target, userId: '77' } }],
    ['a should that fails', base, having('should', 'failed')],
    ['a should that fails the run', base, { ...having('should', 'failed'), selection: strict }],
    ['a known failure', base, having(MUST, 'failed', { knownFailure: true })],
    ['another way to fail', failing, having(MUST, 'failed', { failure: { ...failure, mode: 'altered' } })],
    ['another target, version and selection', base, elsewhere],
    ['a check that is no more', base, lacking],
    ['a check that is new, and fails', lacking, failing],
    ['an input that was given, and the role with it', base, fewer],
    ['an input that is given, and the role with it', fewer, base],
    ['a role that is not seen with the same inputs', base, blind],
    ['another level', base, having(MUST, 'failed', { level: 'should' })],
    ['a finding', base, found],
    ['a finding that is fixed', found, base],
    ['a finding that is still there', found, found],
    ['a finding that is gone, with a check that is not seen', found, having(MUST, 'inconclusive')],
    ['a finding that is gone, with a check that fails', found, failing],
    ['a finding that became known', found, known],
    ['a finding that is no longer known', known, found],
    ['a known finding that is fixed', known, base],
    ['a known finding that is still there', known, known],
    ['observations', base, { ...base, observations: refusing.toReversed() }],
    ['users that are not restored', base, partial],
    ['users that are restored again', partial, base],
    ['an entry of the baseline that holds no more', base, stale],
    ['an entry of the baseline that held no more before', stale, stale],
    ...VERDICTS.flatMap((from) =>
      VERDICTS.map((to): Case => [`the verdicts ${from}, ${to}`, { ...base, verdict: from }, { ...base, verdict: to }]),
    ),
  ];

  it('are compared as it was reviewed', async () => {
    const texts = cases.map(([what, old, now]) => {
      const text = terminalText(comparisonDocument(compareResults(old, now)), { paint: plain, width: 100 });
      return `### ${what}\n${text}`;
    });
    await expect(texts.join('\n')).toMatchFileSnapshot('golden/comparisons.txt');
  });

  it('make a comment for a pull request as it was reviewed: what got worse is open, the rest folded', async () => {
    const text = markdownOf(comparisonDocument(compareResults(having('update-role-stored', 'failed'), found)));
    await expect(text).toMatchFileSnapshot('golden/comment.txt');
  });
});
