import { describe, expect, it } from 'vitest';
import type { CheckResult, Result } from '../../conformance/result/result.ts';
import { judgeVariant } from '../../proof/judging.ts';
import { judgeStub, semanticChecks } from '../../proof/stubs.ts';
import type { Variant } from '../../proof/variant.ts';
import { checkResult, resultOf } from '../support/results.ts';

const judgedAs = (id: string, outcome: CheckResult['outcome'], rest: Partial<CheckResult> = {}): CheckResult =>
  checkResult({ id, outcome, ...rest });
const resultWith = (verdict: Result['verdict'], checks: readonly CheckResult[], rest: Partial<Result> = {}): Result =>
  resultOf(checks, { verdict, ...rest });

const failure = { mode: 'lost', expected: 1, actual: 2, message: 'it is 2', advice: '' };
const unseen = { reason: 'not-observable', detail: 'hidden' } as const;

describe('judging a conforming variant', () => {
  const plain: Variant = { id: 'v', title: '', about: [], behaviour: {} };
  const judged = (result: Result, variant: Partial<Variant> = {}): readonly string[] =>
    judgeVariant({ ...plain, ...variant }, result).problems;

  it('finds nothing where every check passed or does not apply', () => {
    expect(judged(resultWith('passed', [judgedAs('a', 'passed'), judgedAs('b', 'not-applicable')]))).toEqual([]);
  });

  it('finds a false failure, of whatever level', () => {
    const failedCheck = judgedAs('a', 'failed', { failure, level: 'should' });
    expect(judged(resultWith('failed', [failedCheck]), { inconclusive: { '*': 'not-observable' } })).toEqual([
      'a failed: it is 2',
      '* is said to be inconclusive, but is not',
    ]);
  });

  it('finds a check that was inconclusive and is not expected, or for another reason', () => {
    const result = resultWith('inconclusive', [judgedAs('update-a', 'inconclusive', unseen)]);
    expect(judged(result)).toEqual(['update-a was inconclusive (not-observable: hidden)']);
    expect(judged(result, { inconclusive: { 'update-*': 'throttled' } })).toHaveLength(1);
    expect(judged(result, { inconclusive: { 'update-*': 'not-observable' } })).toEqual([]);
  });

  it('finds an expectation that is not needed', () => {
    const result = resultWith('passed', [judgedAs('a', 'passed')]);
    expect(judged(result, { inconclusive: { a: 'not-observable' } })).toEqual([
      'a is said to be inconclusive, but is not',
    ]);
  });

  it('finds users that were not restored, unless that cannot be', () => {
    const result = resultWith('passed', [], { restoration: { outcome: 'partial', users: [] } });
    expect(judged(result)).toEqual(['its users were not restored']);
    expect(judged(result, { notRestored: true })).toEqual([]);
  });

  it('finds an error of the suite', () => {
    expect(judged(resultWith('error', [judgedAs('a', 'error', { detail: 'oh' })]))).toEqual([
      'a is an error of the suite: oh',
    ]);
  });
});

describe('judging a stub server', () => {
  const judged = (result: Result): readonly string[] => judgeStub({ id: 't' }, result).problems;

  it('finds a false pass', () => {
    expect(judged(resultWith('passed', []))).toEqual(['the verdict is passed']);
    expect(judged(resultWith('inconclusive', []))).toEqual([]);
    expect(judged(resultWith('failed', [judgedAs('update-name-accepted', 'passed')]))).toEqual([]);
  });

  it.each([
    'update-name-stored',
    'update-name-keeps-email',
    'update-second-keeps-first',
    'update-second-keeps-role',
    'update-spares-other-user',
    'update-body-id-spares-other-user',
    'update-other-user-spares-user',
    'update-other-user-stored',
    'refused-401-changes-nothing',
  ])('finds that %s is passed', (id) => {
    expect(semanticChecks).toContain(id);
    expect(judged(resultWith('failed', [judgedAs(id, 'passed')]))).toEqual([
      `${id} passes on a target that keeps no state`,
    ]);
    expect(judged(resultWith('failed', [judgedAs(id, 'inconclusive', unseen)]))).toEqual([]);
  });

  it('finds an error of the suite', () => {
    expect(judged(resultWith('error', [judgedAs('a', 'error', { detail: 'oh' })]))).toHaveLength(1);
  });

  it('scores the checks of the level must', () => {
    const result = resultWith('failed', [
      judgedAs('a', 'passed'),
      judgedAs('b', 'failed', { failure }),
      judgedAs('c', 'passed', { level: 'should' }),
    ]);
    expect(judgeStub({ id: 't' }, result).score).toEqual({ passed: 1, total: 2 });
  });
});
