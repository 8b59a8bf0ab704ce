import type { CheckResult, Result } from '../../result/result.ts';
import { legibleValue } from '../../../common/text.ts';
import { checkNode } from '../documents/result.ts';
import { plain } from './paint.ts';
import { nodeText } from './terminal.ts';

const WIDTH = 100;

/** A failed check as plain text that needs no other: with its requirements, the exchanges, the fix and the curl lines. */
export function plainFailure(check: CheckResult, result: Result): string {
  const finding = result.findings.find(({ checks }) => checks.includes(check.id));
  const head = [`${check.title} (${check.level})`, ...(finding ? [`finding: ${finding.id}: ${finding.title}`] : [])];
  return `${head.join('\n')}\n\n${nodeText(legibleValue(checkNode(check, result)), { paint: plain, width: WIDTH })}`;
}
