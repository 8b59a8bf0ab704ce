import { describe, expect, it, vi } from 'vitest';
import { assertCheck, assertVerdict, ConformanceError, skipReason } from '../../../conformance/report/assertions.ts';
import { plainFailure } from '../../../conformance/report/terminal/plain.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { messageOf } from '../../support/exchanges.ts';
import { checkResult, failedCheck, resultOf, unseenCheck } from '../../support/results.ts';

const failed = failedCheck('Bob', { id: 'failed' });
const result = resultOf(
  [
    ...[checkResult({ id: 'passed' }), failed, failedCheck('Bob', { id: 'should', level: 'should' })],
    unseenCheck('not given: CONFORMANCE_OTHER_USER_ID (a second disposable user)', { id: 'unseen' }),
    unseenCheck('not given: CONFORMANCE_OTHER_USER_ID (a second disposable user)', { id: 'unseen, too' }),
    checkResult({ id: 'inapplicable', outcome: 'not-applicable', detail: 'never shown' }),
    failedCheck('x', { id: 'known', knownFailure: true }),
    failedCheck('x', { id: 'new', scored: false }),
    checkResult({ id: 'error', outcome: 'error', detail: 'a wire is loose' }),
  ],
  { verdict: 'failed', hints: [{ id: 'x', text: 'Nothing listens there.' }] },
);

/** The message with which assertCheck fails. */
function failureOf(id: string, skip?: (reason: string) => void, type: new () => Error = ConformanceError): string {
  return messageOf(type, () => assertCheck(result, id, skip));
}

describe('assertCheck', () => {
  it('returns for a check that passed, and throws what the report shows of one that failed, from the line of the caller', () => {
    const skip = vi.fn();
    assertCheck(result, 'passed', skip);
    let error = new Error();
    try {
      assertCheck(result, 'failed', skip);
    } catch (thrown) {
      error = thrown as Error;
    }
    expect(skip).not.toHaveBeenCalled();
    expect(error).toBeInstanceOf(ConformanceError);
    expect(error.message).toBe(plainFailure(failed, result));
    const [frame = ''] = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
    expect(frame).toContain('assertions.test.ts');
  });

  it.each([
    ['unseen', /^inconclusive \(missing-input\): not given: otherUserId \(a second disposable user\)$/, true],
    ['banners-is-list', /^not selected in this run$/, true],
    ['inapplicable', /^not applicable: never shown$/, false],
    ['known', /^known failure \(failed\)$/, false],
    ['new', /newer than the scored set.* \(failed\)$/, false],
  ])('skips a check that is %s, and throws for what was not seen where it cannot', (id, reason, throws) => {
    const skip = vi.fn();
    assertCheck(result, id, skip);
    expect(skip.mock.calls).toEqual([[expect.stringMatching(reason)]]);
    expect(skipReason(result, id)).toMatch(reason);
    if (throws) expect(failureOf(id)).toMatch(reason);
    else assertCheck(result, id);
  });

  it('throws for an error of the suite, and does not blame the target', () => {
    const message = failureOf('error', () => undefined);
    expect(message).toMatch(/error of the suite, not a failure of the target.*a wire is loose/);
  });

  it('throws a TypeError for a check that does not exist, with the nearest name, also where it can skip', () => {
    const message = failureOf('update-email-keep-name', () => undefined, TypeError);
    expect(message).toContain('Did you mean update-email-keeps-name?');
    expect(() => skipReason(result, 'x')).toThrow(TypeError);
  });

  it('lets through what skip throws', () => {
    const own = new Error('skipped');
    expect(() => {
      assertCheck(result, 'unseen', () => {
        throw own;
      });
    }).toThrow(own);
  });
});

describe('assertVerdict', () => {
  const problemOf = (change: Partial<Result>): string =>
    messageOf(ConformanceError, () => assertVerdict({ ...result, ...change }));

  it('returns for a run that passed, and for no other', () => {
    assertVerdict({ ...result, verdict: 'passed' });
    for (const verdict of ['failed', 'inconclusive', 'interrupted', 'error'] as const)
      expect(problemOf({ verdict })).toContain(`The verdict is ${verdict}.`);
  });

  it('names all that prevents a pass, once for each reason, behind the hints', () => {
    const problem = { id: 'known', kind: 'stale', message: 'Remove the entry.' } as const;
    const lines = [
      'The verdict is failed.',
      '  hint: Nothing listens there.',
      ...['  error of the suite: a wire is loose', '    error'],
      ...['  failed: name is Bob', '    failed'],
      '  baseline, stale: Remove the entry.',
      '  inconclusive (missing-input): not given: otherUserId (a second disposable user)',
      '    unseen, unseen, too',
    ];
    const summary = { ...result.summary, baselineProblems: [problem] };
    expect(problemOf({ summary })).toBe(lines.join('\n'));
    const selection = { ...result.selection, failOn: 'should' } as const;
    expect(problemOf({ summary, selection })).toBe(lines.join('\n').replace('    failed', '    failed, should'));
  });
});
