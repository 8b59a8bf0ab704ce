import { describe, expect, it, vi } from 'vitest';
import { assertCheck, assertVerdict, ConformanceError, skipReason } from '../../../conformance/report/assertions.ts';
import type { CheckResult, Result } from '../../../conformance/result/result.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { inputsFor, replacing } from '../../../proof/servers/behaviour.ts';
import { messageOf, without } from '../../support/exchanges.ts';
import { withTarget } from '../../support/target.ts';

/** The result of a run against a server that empties the name where it is not sent; the second user is not named. */
const real: Promise<Result> = withTarget(
  replacing('applyUpdate', (apply) => (store, user, update) => apply(store, user, { name: '', ...update })),
  ({ url, reach }) => judgeTarget(without(inputsFor(url), 'otherUserId'), { ...reach, only: ['update'] }),
);

const FAILED = 'update-email-keeps-name';
const PASSED = 'update-email-stored';
const UNSEEN = 'update-other-user-stored';
const NOT_SELECTED = 'banners-is-list';

async function withCheck(id: string, change: Partial<CheckResult> = {}): Promise<Result> {
  const result = await real;
  return { ...result, checks: result.checks.map((check) => (check.id === id ? { ...check, ...change } : check)) };
}

/** The message with which assertCheck fails. */
function failureOf(result: Result, id: string, skip?: () => void, type: new () => Error = ConformanceError): string {
  return messageOf(type, () => {
    assertCheck(result, id, skip);
  });
}

describe('assertCheck', () => {
  it('throws what the report shows of a failure', async () => {
    const result = await real;
    const skip = vi.fn();
    const message = failureOf(result, FAILED, skip);
    const check = result.checks.find(({ id }) => id === FAILED);
    const words = message.replaceAll(/\s+/g, ' ');
    expect(message.startsWith(`${check?.title ?? '?'} (must)\n`)).toBe(true);
    expect(words).toContain('update.unsent-fields-keep The updatable members that are not in the body keep');
    expect(words).toContain(check?.failure?.message);
    expect(words).toContain(`fix ${check?.failure?.advice ?? '?'}`);
    expect(words).toContain('actual "" at /name');
    expect(words.replaceAll('\\ ', '')).toContain(check?.curl?.replaceAll('\n', ' '));
    expect(message).not.toContain('\u001b');
    expect(skip).not.toHaveBeenCalled();
  });

  it('throws from the line of the caller', async () => {
    const result = await real;
    let stack = '';
    try {
      assertCheck(result, FAILED);
    } catch (error) {
      stack = (error as Error).stack ?? '';
    }
    const [frame = ''] = stack.split('\n').filter((line) => line.startsWith('    at '));
    expect(stack.startsWith('ConformanceError: ')).toBe(true);
    expect(frame).toContain('assertions.test.ts');
  });

  it.each<[what: string, id: string, reason: RegExp, change?: Partial<CheckResult>]>([
    ['inconclusive', UNSEEN, /^inconclusive \(missing-input\): not given: otherUserId \(a second disposable user\)$/],
    ['not selected', NOT_SELECTED, /^not selected in this run$/],
    ['not applicable', FAILED, /^not applicable: never shown$/, { outcome: 'not-applicable', detail: 'never shown' }],
    ['a known failure', FAILED, /^known failure \(failed\)$/, { knownFailure: true }],
    ['not counted', FAILED, /newer than the scored set.* \(failed\)$/, { scored: false }],
  ])(
    'skips a check that is %s, and throws for what was not seen where it cannot',
    async (_what, id, reason, change) => {
      const result = await withCheck(id, change);
      const skip = vi.fn();
      assertCheck(result, id, skip);
      expect(skip.mock.calls).toEqual([[expect.stringMatching(reason)]]);
      expect(skipReason(result, id)).toMatch(reason);
      if (change === undefined) expect(failureOf(result, id)).toMatch(reason);
      else assertCheck(result, id);
    },
  );

  it('throws for an error of the suite, and does not blame the target', async () => {
    const result = await withCheck(FAILED, { outcome: 'error', detail: 'a wire is loose' });
    const message = failureOf(result, FAILED, () => undefined);
    expect(message).toMatch(/error of the suite, not a failure of the target.*a wire is loose/);
  });

  it('throws a TypeError for a check that does not exist, with the nearest name, also where it can skip', async () => {
    const result = await real;
    const message = failureOf(result, 'update-email-keep-name', () => undefined, TypeError);
    expect(message).toContain('Did you mean update-email-keeps-name?');
  });

  it('lets through what skip throws', async () => {
    const result = await real;
    const own = new Error('skipped');
    expect(() => {
      assertCheck(result, UNSEEN, () => {
        throw own;
      });
    }).toThrow(own);
  });
});

describe('skipReason', () => {
  it('is there exactly when assertCheck skips, for every check of a run', async () => {
    const result = await real;
    expect(new Set(result.checks.map(({ outcome }) => outcome)).size).toBeGreaterThan(2);
    for (const { id } of result.checks) {
      let skipped: string | undefined;
      try {
        assertCheck(result, id, (reason) => {
          skipped = reason;
        });
      } catch (error) {
        expect(error).toBeInstanceOf(ConformanceError);
      }
      expect(skipReason(result, id)).toBe(skipped);
    }
  });

  it('is a TypeError for a check that does not exist', async () => {
    const result = await real;
    expect(() => skipReason(result, 'x')).toThrow(TypeError);
  });
});

describe('assertVerdict', () => {
  async function problemOf(change: Partial<Result>): Promise<string> {
    const result = { ...(await real), ...change };
    return messageOf(ConformanceError, () => {
      assertVerdict(result);
    });
  }

  it('returns for a run that passed', async () => {
    const result: Result = { ...(await real), verdict: 'passed' };
    expect(() => {
      assertVerdict(result);
    }).not.toThrow();
  });

  it('begins with the hints', async () => {
    const message = await problemOf({ hints: [{ id: 'x', text: 'Nothing listens there.' }] });
    expect(message.split('\n')[1]).toBe('  hint: Nothing listens there.');
  });

  it('names what failed and what was inconclusive, once for each reason', async () => {
    const message = await problemOf({});
    expect(message).toMatch(/^The verdict is failed\.\n {2}failed: .*name was not sent.*\n.*update-email-keeps-name/);
    expect(message).not.toContain('it rests on');
    expect(message.match(/not given: otherUserId/g)).toHaveLength(1);
    expect(message).toContain(UNSEEN);
    expect(message).not.toContain(PASSED);
  });

  it('names a should only where it decides', async () => {
    const { checks, selection } = await withCheck(PASSED, { outcome: 'failed', level: 'should' });
    expect(await problemOf({ checks })).not.toContain(PASSED);
    expect(await problemOf({ checks, selection: { ...selection, failOn: 'should' } })).toContain(PASSED);
  });

  it('leaves out what does not count', async () => {
    expect(await problemOf({ checks: (await withCheck(FAILED, { knownFailure: true })).checks })).not.toContain(FAILED);
    expect(await problemOf({ checks: (await withCheck(FAILED, { scored: false })).checks })).not.toContain(FAILED);
  });

  it('names the baseline entries that no longer hold, and errors of the suite', async () => {
    const { summary } = await real;
    const problem = { id: FAILED, kind: 'stale', message: 'Remove the entry.' } as const;
    expect(await problemOf({ summary: { ...summary, baselineProblems: [problem] } })).toContain(
      'baseline, stale: Remove the entry.',
    );
    const { checks } = await withCheck(PASSED, { outcome: 'error', detail: 'a wire is loose' });
    expect(await problemOf({ checks, verdict: 'error' })).toMatch(/error of the suite: a wire is loose\n.*stored/);
  });

  it.each(['inconclusive', 'interrupted'] as const)('throws for a run that is %s', async (verdict) => {
    expect(await problemOf({ verdict })).toContain(`The verdict is ${verdict}.`);
  });
});
