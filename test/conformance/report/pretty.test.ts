import { describe, expect, it } from 'vitest';
import { plain } from '../../../conformance/report/paint.ts';
import { prettyReport } from '../../../conformance/report/terminal/pretty.ts';
import { checkResult, failedCheck, HOSTILE_TEXTS, hostileResult, resultOf, UNSEEN } from '../../support/results.ts';

const options = { paint: plain, width: 80 };

describe('the report for a terminal', () => {
  it.each(HOSTILE_TEXTS)('sends no command of the target to the terminal: %#', (text) => {
    const report = prettyReport(hostileResult(text), options);
    expect(report).not.toMatch(UNSEEN);
  });

  it('is made also where the address of a request is none', () => {
    const check = failedCheck('x');
    const exchanges = check.exchanges.map((each) => ({ ...each, request: { ...each.request, url: 'nowhere' } }));
    expect(prettyReport(resultOf([{ ...check, exchanges }]), options)).toContain('PUT nowhere');
  });

  it('says what was explored, with the seed that repeats it', () => {
    const detail = '5 sequences of 47 requests in all, seed 17';
    const explored = checkResult({ id: 'update-explored', detail });
    expect(prettyReport(resultOf([explored]), options)).toContain(`  explored      ${detail}\n`);
    expect(prettyReport(resultOf([checkResult({ detail })]), options)).not.toContain('explored');
  });

  it('says how to restore users that were not', () => {
    const restoration = { outcome: 'partial', users: [], journal: '/tmp/journal-1.json' } as const;
    const report = prettyReport({ ...resultOf([checkResult()]), restoration }, options);
    expect(report).toContain('To try again: admin-api-conformance restore /tmp/journal-1.json');
  });

  it('shows a member that is not there as such, and not as a text in quotes', () => {
    const check = failedCheck('x');
    const failure = { ...check.failure, mode: 'removed', expected: 'Ada', message: 'gone', advice: 'Keep it.' };
    const gone = { ...check, failure: { ...failure, actual: '(absent)', pointer: '/name' } };
    expect(prettyReport(resultOf([gone]), options)).toContain('actual   (absent) at /name');
  });

  it('begins with the verdict', () => {
    expect(prettyReport(resultOf([checkResult()]), options).split('\n')[0]).toContain('PASSED');
  });
});
