import { describe, expect, it } from 'vitest';
import type { CheckResult, Result } from '../../conformance/result/result.ts';
import { judgeVariant } from '../../proof/judging.ts';
import { judgeStub, semanticChecks } from '../../proof/servers/stubs.ts';
import type { Variant } from '../../proof/variant.ts';
import { checkResult, failedCheck, resultOf, unseenCheck } from '../support/results.ts';

const passed = (id: string, own: Partial<CheckResult> = {}) => checkResult({ id, ...own });
const FAILED = failedCheck('2', { id: 'b' });
const UNSEEN = unseenCheck('hidden', { id: 'update-a', reason: 'not-observable' });
const ERROR = checkResult({ id: 'a', outcome: 'error', detail: 'oh' });
const NOT_RESTORED = { restoration: { outcome: 'partial', users: [] } } as const;

it.each<[what: string, checks: CheckResult[], variant: Partial<Variant>, problems: unknown[], own?: Partial<Result>]>([
  ['nothing where each passed or does not apply', [passed('a'), passed('b', { outcome: 'not-applicable' })], {}, []],
  [
    'a false failure, of whatever level',
    [{ ...FAILED, level: 'should' }],
    { inconclusive: { '*': 'not-observable' } },
    ['b failed: name is 2', '* is said to be inconclusive, but is not'],
  ],
  ['a check that was inconclusive', [UNSEEN], {}, ['update-a was inconclusive (not-observable: hidden)']],
  ['one that was so for another reason', [UNSEEN], { inconclusive: { 'update-*': 'throttled' } }, [expect.any(String)]],
  ['none that is expected', [UNSEEN], { inconclusive: { 'update-*': 'not-observable' } }, []],
  [
    'an expectation that is not needed',
    [passed('a')],
    { inconclusive: { a: 'not-observable' } },
    ['a is said to be inconclusive, but is not'],
  ],
  ['users that were not restored', [], {}, ['its users were not restored'], NOT_RESTORED],
  ['none that cannot be restored', [], { notRestored: true }, [], NOT_RESTORED],
  ['an error of the suite', [ERROR], {}, ['a is an error of the suite: oh']],
])('judging a conforming variant finds %s', (_what, checks, variant, problems, own = {}) => {
  const judged = judgeVariant({ id: 'v', title: '', about: [], behaviour: {}, ...variant }, resultOf(checks, own));
  expect(judged.problems).toEqual(problems);
});

describe('judging a stub server', () => {
  const judged = (verdict: Result['verdict'], ...checks: CheckResult[]) =>
    judgeStub({ id: 't' }, resultOf(checks, { verdict }));

  it('finds a false pass', () => {
    expect(judged('passed').problems).toEqual(['the verdict is passed']);
    expect(judged('inconclusive').problems).toEqual([]);
    expect(judged('failed', passed('update-name-accepted')).problems).toEqual([]);
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
    expect(judged('failed', passed(id)).problems).toEqual([`${id} passes on a target that keeps no state`]);
    expect(judged('failed', { ...UNSEEN, id }).problems).toEqual([]);
  });

  it('finds an error of the suite, and scores the checks of the level must', () => {
    const { problems, score } = judged('error', ERROR, passed('b'), FAILED, passed('c', { level: 'should' }));
    expect([problems.length, score]).toEqual([1, { passed: 1, total: 3 }]);
  });
});
