import type { Result } from '../result.ts';
import { legible } from './legible.ts';

/** The report in as few lines as say what came of a run: the verdict, and what fails it or what could not be seen. */
export function quietReport({ verdict, target, contract, summary, checks }: Result): string {
  const { must, should, baselineProblems } = summary;
  const of = (passed: number, total: number, level: string): string => `${passed} of ${total} ${level} checks passed`;
  const counts = [
    ...(must.total > 0 ? [of(must.passed, must.total, 'must')] : []),
    ...(should.total > 0 ? [of(should.passed, should.total, 'should')] : []),
  ].join(', ');
  const failed = checks.filter(({ outcome, waived }) => outcome === 'failed' && !waived);
  const unseen = checks.filter(({ outcome, waived }) => outcome === 'could-not-run' && !waived);
  const reasons = [...new Set(unseen.map(({ reason }) => reason ?? ''))].sort();
  const faults = checks.filter(({ outcome }) => outcome === 'suite-fault').map(({ detail }) => detail ?? '');
  const lines = [
    `${verdict}  ${target.baseUrl}, contract ${contract.version}: ${counts}`,
    ...[...new Set(faults)].map((detail) => `suite-fault  ${legible(detail)}`),
    ...failed.map(({ id, level, failure }) => `failed  ${id}  ${level}  ${failure?.mode ?? ''}`),
    ...reasons.map((reason) => {
      const ids = unseen.filter((check) => check.reason === reason).map(({ id }) => id);
      return `could-not-run  ${reason}  ${ids.length} ${ids.length === 1 ? `check: ${ids.join()}` : 'checks'}`;
    }),
    ...baselineProblems.map(({ kind, message }) => `baseline  ${kind}  ${message}`),
  ];
  return `${lines.join('\n')}\n`;
}
