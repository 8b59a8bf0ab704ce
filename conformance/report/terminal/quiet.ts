import type { Counts, Finding, Result } from '../../result/result.ts';
import { byText, counted, escapeInvisible, groupedBy } from '../../../common/text.ts';
import { apartFromFindings } from '../content/check-standing.ts';
import { failureLines } from '../content/failure.ts';
import { headlineOf } from '../content/headline.ts';
import { isPartial } from '../content/scope.ts';

/** Characters of a title or a body. */
const MOST = 200;

function inLine(text: string): string {
  const line = escapeInvisible(text.replaceAll(/\s+/g, ' '));
  return line.length <= MOST ? line : `${line.slice(0, MOST)}…`;
}

/** A finding in a line, with what was received last. */
function findingLine(finding: Finding, result: Result): string {
  const { id, level, title } = finding;
  const received = failureLines(finding, result).findLast(({ label }) => label === 'response');
  const response = received ? ` [response: ${inLine(`${received.text} ${received.body ?? ''}`.trimEnd())}]` : '';
  return `failed  ${id}  ${level}  ${inLine(title)}${response}`;
}

/** How many checks were inconclusive for a reason, with the detail that most of them have. */
function reasonLine(reason: string, checks: readonly Result['checks'][number][]): string {
  const details = groupedBy(checks, ({ detail }) => detail ?? '').sort(([, a], [, b]) => b.length - a.length);
  const text = inLine(details[0]?.[0] ?? '') + (details.length > 1 ? ', …' : '');
  const [first, another] = checks;
  const which = first && another === undefined ? `1 check (${first.id})` : counted(checks.length, 'check');
  return `inconclusive  ${reason}  ${which}: ${text}`;
}

/** The shortest report: a line for the verdict, each finding, and each reason why checks were inconclusive. */
export function quietReport(result: Result): string {
  const { verdict, target, contract, summary, checks, findings } = result;
  const { must, should, baselineProblems } = summary;
  const of = ({ passed, total, notApplicable }: Counts, level: string): string =>
    `${passed} of ${total - notApplicable} ${level} checks passed${notApplicable > 0 ? ` (${notApplicable} not applicable)` : ''}`;
  const counts = [
    ...(must.total > 0 ? [of(must, 'must')] : []),
    ...(should.total > 0 ? [of(should, 'should')] : []),
  ].join(', ');
  const inconclusive = checks.filter(({ outcome, knownFailure }) => outcome === 'inconclusive' && !knownFailure);
  const unseen = apartFromFindings(inconclusive, result);
  const errors = checks.filter(({ outcome }) => outcome === 'error').map(({ detail }) => detail ?? '');
  const lines = [
    `${verdict}${isPartial(result.selection) ? ' (selection)' : ''}  ${target.baseUrl}, contract ${contract.version}: ${counts}`,
    ...headlineOf(result).hints.map((text) => `hint  ${escapeInvisible(text)}`),
    ...[...new Set(errors)].map((detail) => `error  ${escapeInvisible(detail)}`),
    ...findings.filter(({ knownFailure }) => !knownFailure).map((finding) => findingLine(finding, result)),
    ...groupedBy(unseen, ({ reason }) => reason ?? '')
      .sort(([a], [b]) => byText(a, b))
      .map(([reason, group]) => reasonLine(reason, group)),
    ...baselineProblems.map(({ kind, message }) => `baseline  ${kind}  ${message}`),
  ];
  return `${lines.join('\n')}\n`;
}
