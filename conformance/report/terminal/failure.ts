import type { CheckResult, Finding, RequirementResult, Result } from '../../result/result.ts';
import { failureLines, findingFacts, requirementsOf, type FailureLine } from '../content/failure.ts';
import { filled, wrap, wrapJson, type PrettyOptions } from '../paint.ts';
import { shortened } from '../../../common/text.ts';

/** Characters of a value or a body. */
const MOST = 300;
const INDENT = ' '.repeat(4);
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
  // Two columns are for the backslash.
  return filled(joined, width - 2, ' ', (line) => INDENT + (line === 0 ? '' : '  ')).join(' \\\n');
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

function detailLines(failed: CheckResult | Finding, options: PrettyOptions): string[] {
  const commands = failed.curl?.split(/\n(?=curl )/) ?? [];
  return [
    ...failureLines(failed, MOST).flatMap((line) => labelled(line, options)),
    ...commands.map((command) => options.paint('dim', brokenCurl(command, options.width))),
  ];
}

/** A failed check: its message, what was expected and what came, how to fix it, and how to see it again. */
export function prettyFailure(check: CheckResult, options: PrettyOptions): string {
  const { id, failure } = check;
  const { paint, width } = options;
  return [
    `  ${paint('red', '✗')} ${paint('bold', id)}`,
    ...(failure ? [wrap(failure.message, width, INDENT)] : []),
    ...detailLines(check, options),
  ].join('\n');
}

function cut(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, Math.max(0, most - 1))}…`;
}

/** A text in so many lines at most, and none longer than the width. */
function wrapAtMost(lines: number, text: string, width: number, indent: string): string[] {
  if (lines === 1) return [cut(indent + text.replaceAll(/\s+/g, ' '), width)];
  const all = wrap(text, width, indent).split('\n');
  const shown = all.slice(0, lines);
  return shown.map((line, index) => cut(index === lines - 1 && all.length > lines ? `${line} …` : line, width));
}

/** The lines of a finding: twelve, or as many as the same takes where the terminal is narrower than 100 columns. */
function mostLines(width: number): number {
  return Math.max(12, Math.ceil(1_200 / width));
}

/** How many requirements of a finding are named, as far as there is room; the others are counted. */
const NAMED_REQUIREMENTS = [3, 2, 1] as const;
const FACT_LINES = 2;

/** The level, requirements and facts of a finding, of which no fact is cut off for the name of a requirement. */
function factLines(finding: Finding, width: number): string[] {
  const { level, requirements } = finding;
  const facts = findingFacts(finding).join(', ');
  const texts = NAMED_REQUIREMENTS.map((named) => {
    const hidden = requirements.length - named;
    const also = hidden > 0 ? ` and ${hidden} more` : '';
    return `${level} · ${requirements.slice(0, named).join(', ')}${also} · ${facts}`;
  });
  const fits = (text: string): boolean => wrap(text, width, INDENT).split('\n').length <= FACT_LINES;
  return wrapAtMost(FACT_LINES, texts.find(fits) ?? texts.at(-1) ?? '', width, INDENT);
}

function titleLines(finding: Finding, options: PrettyOptions): string[] {
  const { title } = finding;
  const { paint, width } = options;
  const [head = '', ...more] = wrapAtMost(width < 100 ? 3 : 2, title, width, INDENT);
  return [
    `  ${paint('red', '✗')} ${paint('bold', head.trimStart())}`,
    ...more.map((line) => paint('bold', line)),
    ...factLines(finding, width).map((line) => paint('dim', line)),
  ];
}

/** A part of a finding in one line; the fix may take two. */
function shortLines({ label, text, body = '' }: FailureLine, { paint, width }: PrettyOptions): string[] {
  const lead = `${INDENT}${label.padEnd(LABEL)}`;
  const shown = body === '' ? text : `${text}  ${body}`;
  const [first = '', ...more] = wrapAtMost(label === 'fix' ? 2 : 1, shown, width, ' '.repeat(lead.length));
  return [`${INDENT}${paint('dim', label.padEnd(LABEL))}${first.slice(lead.length)}`, ...more];
}

/**
 * A finding in a few lines: with its curl lines, if need be in place of the request, or else with the exchange before the
 * last, where there is room for them.
 */
export function prettyFinding(finding: Finding, options: PrettyOptions): string {
  const { paint, width } = options;
  const lines = failureLines(finding, MOST);
  const ofEarlier = lines.filter(({ exchange }) => exchange).slice(0, -2);
  const ofLast = lines.filter((line) => !ofEarlier.includes(line));
  const title = titleLines(finding, options);
  const short = (shown: readonly FailureLine[]): string[] => {
    return [...title, ...shown.flatMap((line) => shortLines(line, options))];
  };
  const commands = finding.curl.split(/\n(?=curl )/).map((command) => brokenCurl(command, width));
  const curl = commands.flatMap((command) => paint('dim', command).split('\n'));
  const forms = [
    [...short(ofLast), ...curl],
    [...short(ofLast.filter(({ label }) => label !== 'request')), ...curl],
    short(lines),
  ];
  return (forms.find(({ length }) => length <= mostLines(width)) ?? short(ofLast)).join('\n');
}

/** A finding that can wait: its title, and how to see more of it. */
export function briefFinding(finding: Finding, options: PrettyOptions): string {
  const rerun = failureLines(finding).filter(({ label }) => label === 'rerun');
  const shown = rerun.flatMap((line) => shortLines(line, options));
  return [...titleLines(finding, options), ...shown].join('\n');
}

/** A finding with all that belongs to it. */
export function wholeFinding(finding: Finding, result: Result, options: PrettyOptions): string {
  const { title, level, checks, consequences } = finding;
  const { paint, width } = options;
  const ids = (label: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [wrap(`${label}: ${all.join(', ')}`, width, `${INDENT}  `, INDENT)];
  return [
    `  ${paint('red', '✗')} ${paint('bold', wrap(title, width, INDENT).trimStart())}`,
    wrap(`${finding.id} (${level}): ${findingFacts(finding).join(', ')}`, width, INDENT),
    ...requirementsOf(finding, result).map((each) => prettyRequirement(each, options)),
    ...detailLines(finding, options),
    ...ids('failed checks', checks),
    ...ids('inconclusive because of it', consequences),
  ].join('\n');
}

/** A requirement with its text and its place in the source. */
export function prettyRequirement(
  { id, level, text, source }: RequirementResult,
  { paint, width }: PrettyOptions,
): string {
  return [
    `${INDENT}${paint(['red', 'bold'], id)}  ${paint('dim', level)}`,
    wrap(text, width, `${INDENT}  `),
    paint('dim', wrap(`Source: ${source}`, width, `${INDENT}  `)),
  ].join('\n');
}
