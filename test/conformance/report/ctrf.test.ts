import { validate } from 'ctrf';
import { describe, expect, it } from 'vitest';
import { ctrfReport } from '../../../conformance/report/ctrf.ts';
import { checkResult, resultOf } from '../../support/results.ts';

interface Report {
  readonly results: {
    readonly summary: Readonly<Record<string, number>>;
    readonly tests: readonly object[];
    readonly extra: { readonly verdict: string };
  };
}

function reportOf(...args: Parameters<typeof resultOf>): Report {
  const report: unknown = JSON.parse(ctrfReport(resultOf(...args)));
  expect(validate(report)).toMatchObject({ valid: true });
  return report as Report;
}

describe('the CTRF report', () => {
  it('is judged by a validator that refuses what is wrong', () => {
    const report = JSON.parse(ctrfReport(resultOf([checkResult()]))) as Report;
    expect(validate({ ...report, results: { ...report.results, tests: [{}] } })).toMatchObject({ valid: false });
  });

  it.each(['failed', 'inconclusive', 'interrupted', 'error'] as const)('is not green where a run is %s', (verdict) => {
    const { results } = reportOf([checkResult()], { verdict });
    expect(results.tests[0]).toMatchObject({ testId: 'verdict', status: 'failed', rawStatus: verdict });
    expect(results.extra.verdict).toBe(verdict);
  });

  it('is made also where the time of the run cannot be read', () =>
    expect(reportOf([checkResult()], { startedAt: 'yesterday' }).results.summary.start).toBe(0));
});
