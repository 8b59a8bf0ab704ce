import type { CheckResult, RequirementResult } from '../../result/result.ts';
import { failureLines, type FailureLine } from '../content/failure.ts';
import { wrap, wrapJson, type PrettyOptions } from '../paint.ts';
import { shortened } from '../../../common/text.ts';

/** Characters of a value or a body. */
const MOST = 300;
const INDENT = ' '.repeat(6);
const LABEL = 9;

/** A curl line broken at its arguments, so that it fits and can still be pasted. */
function brokenCurl(curl: string, width: number): string {
  const parts = curl.match(/(?:\\.|[^\s'"\\]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? [curl];
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && /^-[XH]$|^--data-raw$|^curl$/.test(last)) joined[joined.length - 1] = `${last} ${part}`;
    else joined.push(part);
  }
  const lines: string[] = [];
  for (const part of joined) {
    const longer = `${lines.at(-1) ?? ''} ${part}`;
    // Two columns are for the backslash.
    if (lines.length > 0 && longer.length + 2 <= width) lines[lines.length - 1] = longer;
    else lines.push(`${INDENT}${lines.length === 0 ? '' : '  '}${part}`);
  }
  return lines.join(' \\\n');
}

function labelled({ label, text, body }: FailureLine, { paint, width }: PrettyOptions): string[] {
  const lead = `${INDENT}${label.padEnd(LABEL)}`;
  const indent = ' '.repeat(lead.length);
  const wrapped = wrap(text, width, indent, lead).slice(lead.length);
  return [
    `${INDENT}${paint('dim', label.padEnd(LABEL))}${label === 'request' ? paint('bold', wrapped) : wrapped}`,
    ...(body === undefined ? [] : [wrapJson(shortened(body, MOST), width, indent)]),
  ];
}

/** A failed check: its message, what was expected and what came, how to fix it, and how to see it again. */
export function prettyFailure(check: CheckResult, options: PrettyOptions): string {
  const { id, failure, curl } = check;
  const { paint, width } = options;
  const commands = curl?.split(/\n(?=curl )/) ?? [];
  return [
    `    ${paint('red', '✗')} ${paint('bold', id)}`,
    ...(failure ? [wrap(failure.message, width, INDENT)] : []),
    ...failureLines(check, MOST).flatMap((line) => labelled(line, options)),
    ...commands.map((command) => paint('dim', brokenCurl(command, width))),
  ].join('\n');
}

/** A requirement as the head of its failed checks. */
export function prettyRequirement(
  { id, level, text, source }: RequirementResult,
  { paint, width }: PrettyOptions,
): string {
  return [
    `  ${paint(['red', 'bold'], id)}  ${paint('dim', level)}`,
    wrap(text, width, '    '),
    paint('dim', wrap(`Source: ${source}`, width, '    ')),
  ].join('\n');
}
