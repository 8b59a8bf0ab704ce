import type { Counts, Result } from '../../result/result.ts';
import { escapeInvisible } from '../../../common/text.ts';
import { headlineOf } from '../content/headline.ts';

/** The shortest report: a line for the verdict, each failure, and each reason why checks were inconclusive. */
export function quietReport(result: Result): string {
  const { verdict, target, contract, summary, checks } = result;
  const { must, should, baselineProblems } = summary;
  const of = ({ passed, total, notApplicable }: Counts, level: string): string =>
    `${passed} of ${total - notApplicable} ${level} checks passed${notApplicable > 0 ? ` (${notApplicable} not applicable)` : ''}`;
  const counts = [
    ...(must.total > 0 ? [of(must, 'must')] : []),
    ...(should.total > 0 ? [of(should, 'should')] : []),
  ].join(', ');
  const failed = checks.filter(({ outcome, knownFailure }) => outcome === 'failed' && !knownFailure);
  const unseen = checks.filter(({ outcome, knownFailure }) => outcome === 'inconclusive' && !knownFailure);
  const reasons = [...new Set(unseen.map(({ reason }) => reason ?? ''))].sort();
  const errors = checks.filter(({ outcome }) => outcome === 'error').map(({ detail }) => detail ?? '');
  const lines = [
    `${verdict}  ${target.baseUrl}, contract ${contract.version}: ${counts}`,
    ...headlineOf(result).hints.map((text) => `hint  ${escapeInvisible(text)}`),
    ...[...new Set(errors)].map((detail) => `error  ${escapeInvisible(detail)}`),
    ...failed.map(({ id, level, failure }) => `failed  ${id}  ${level}  ${failure?.mode ?? ''}`),
    ...reasons.map((reason) => {
      const ids = unseen.filter((check) => check.reason === reason).map(({ id }) => id);
      return `inconclusive  ${reason}  ${ids.length} ${ids.length === 1 ? `check: ${ids.join()}` : 'checks'}`;
    }),
    ...baselineProblems.map(({ kind, message }) => `baseline  ${kind}  ${message}`),
  ];
  return `${lines.join('\n')}\n`;
}
