import { describe, expect, it } from 'vitest';
import { requirements } from '../../../contract/document.ts';
import { plain } from '../../../conformance/report/paint.ts';
import { prettyReport } from '../../../conformance/report/terminal/pretty.ts';
import { quietReport } from '../../../conformance/report/terminal/quiet.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { VERDICTS } from '../../../conformance/result/verdict.ts';
import { checkResult, failedCheck, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

const pretty = (result: Result): string => prettyReport(result, { paint: plain, width: 80 });

/** A run in which checks were inconclusive for these reasons. */
function inconclusive(...details: string[]): string {
  const checks = details.map((detail, index) =>
    checkResult({ id: `check-${index}`, outcome: 'inconclusive', reason: 'not-observable', detail }),
  );
  return pretty(resultOf(checks, { verdict: 'inconclusive' }));
}

describe('the report for a terminal', () => {
  it.each(HOSTILE_TEXTS)('sends no command of the target to the terminal: %#', (text) => {
    const result = hostileResult(text);
    expect(pretty(result)).not.toMatch(UNSEEN);
    expect(quietReport({ ...result, hints: [{ id: 'x', text }] })).not.toMatch(UNSEEN);
  });

  it('is made also where the address of a request is none', () => {
    const check = failedCheck('x');
    const exchanges = check.exchanges.map((each) => ({ ...each, request: { ...each.request, url: 'nowhere' } }));
    expect(pretty(resultOf([{ ...check, exchanges }]))).toContain('PUT nowhere');
  });

  it('says what was explored, with the seed that repeats it', () => {
    const detail = '5 sequences of 47 requests in all, seed 17';
    const explored = checkResult({ id: 'update-explored', detail });
    expect(pretty(resultOf([explored]))).toContain(`  explored      ${detail}\n`);
    expect(pretty(resultOf([checkResult({ detail })]))).not.toContain('explored');
  });

  it('says how to restore users that were not', () => {
    const restoration = { outcome: 'partial', users: [], journal: '/tmp/journal-1.json' } as const;
    const report = pretty({ ...resultOf([checkResult()]), restoration });
    expect(report).toContain('To try again: admin-api-conformance restore /tmp/journal-1.json');
  });

  it('says what to set where an input is missing', () => {
    const detail = 'not given: CONFORMANCE_ROLE_IDS (two roles)';
    const check = checkResult({ outcome: 'inconclusive', reason: 'missing-input', detail });
    expect(pretty(resultOf([check], { verdict: 'inconclusive' }))).toContain('CONFORMANCE_ROLE_IDS (two roles)');
  });

  it('shows a member that is not there as such, and not as a text in quotes', () => {
    const failure = {
      mode: 'm',
      expected: 'Ada',
      actual: '(absent)',
      pointer: '/name',
      message: 'gone',
      advice: 'Fix it.',
    };
    expect(pretty(resultOf([failedCheck('x', { failure })]))).toContain('actual   (absent) at /name');
  });

  it.each(VERDICTS)('begins with the verdict, in 80 columns: %s', (verdict) => {
    const [line = ''] = pretty(resultOf([checkResult()], { verdict })).split('\n');
    expect(line).toContain(verdict.toUpperCase());
    expect(line.length).toBeLessThanOrEqual(80);
  });

  it('has the broken requirements in the order of the contract, must before should', () => {
    const checks = requirements.map(({ id, level }) =>
      failedCheck('x', { id: `check-${id}`, level, requirements: [id] }),
    );
    const result = resultOf(checks.toReversed(), { selection: { only: [], skip: [], failOn: 'should' } });
    const shown = [...pretty(result).matchAll(/^ {2}([a-z-]+\.[a-z0-9-]+) {2}(must|should)$/gm)].map(([, id]) => id);
    const of = (wanted: string): string[] => requirements.filter(({ level }) => level === wanted).map(({ id }) => id);
    expect(shown).toEqual([...of('must'), ...of('should')]);
    expect(shown).not.toEqual([...shown].sort());
  });

  it('names a reason once where the reasons differ only in the members and in where they are missing', () => {
    const text = inconclusive(
      'the target does not show `name` in a later response',
      'the target does not show `name` and `email` in the response to the update',
      'the target does not show `rootRole` in a later response',
      'no later response shows what was sent',
    );
    expect(text).toContain(
      '  not-observable  3 checks\n    the target does not show `email`, `name`, `rootRole` where that is needed\n',
    );
    expect(text).toContain('  not-observable  1 check\n    no later response shows what was sent\n');
  });

  it('keeps the place where it is the same, and the words where there is only one reason', () => {
    const [one, two] = ['name', 'rootRole'].map((name) => `the target does not show \`${name}\` in a later response`);
    expect(inconclusive(`${one}`, `${two}`)).toContain(
      'the target does not show `name`, `rootRole` in a later response\n',
    );
    expect(inconclusive('the target shows `a`, but not `b` there')).toContain(
      '    the target shows `a`, but not `b` there\n',
    );
  });
});
