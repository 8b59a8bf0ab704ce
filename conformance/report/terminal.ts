import { stripVTControlCharacters } from 'node:util';
import colors from 'picocolors';
import wrapAnsi from 'wrap-ansi';
import { counted, escapeInvisible, legibleValue, shortened } from '../../common/text.ts';
import type { Comparison } from '../result/compare.ts';
import type { Matrix } from '../result/matrix.ts';
import { EXIT_CODES, type ExchangeRecord, type Finding, type Result, type Verdict } from '../result/result.ts';
import { comparisonNotes, comparisonWords, type Notes, notesOf, type Sign, SIGNS, usersNotes } from './notes.ts';
import * as say from './words.ts';

/** How a report for a terminal looks. */
export interface TerminalOptions {
  /** Default: no colour. */
  readonly color?: boolean;
  /** Columns; default 80. */
  readonly width?: number;
  /** Shows findings with all their requests, the ids of checks, and the observations. */
  readonly verbose?: boolean;
}

type Colors = ReturnType<typeof colors.createColors>;

/** A style for each verdict. */
function badge(verdict: Verdict, text: string, c: Colors): string {
  if (verdict === 'passed') return c.bgGreen(c.black(c.bold(text)));
  if (verdict === 'failed') return c.bgRed(c.white(c.bold(text)));
  return verdict === 'error' ? c.bgMagenta(c.white(c.bold(text))) : c.bgYellow(c.black(c.bold(text)));
}

const COLORS = { good: 'green', bad: 'red', open: 'yellow', none: 'dim', known: 'dim', error: 'magenta' } as const;

function signOf(sign: Sign, c: Colors): string {
  return c[COLORS[sign]](SIGNS[sign]);
}

const INDENT = 4;
/** Characters of a text; to wrap far longer ones takes far too long. */
const MOST = 4_000;
/** Characters of a request, unless everything is shown. */
const MOST_OF_REQUEST = 1_500;
/** Lines of a body, if everything is shown. */
const MOST_LINES = 200;
/** Columns of the label before a line of a finding. */
const LABEL = 10;

/** The words of a command of a shell; an option has its value with it. */
function argumentsOf(command: string): string[] {
  const words = command.match(/(?:\\.|[^\s'"\\]|'[^']*'|"(?:\\.|[^"\\])*"|['"\\])+/gs) ?? [];
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    if (/^(?:-[XH]|--[\w-]+|curl|npx)$/.test(last) && !word.startsWith('--'))
      joined[joined.length - 1] = `${last} ${word}`;
    else joined.push(word);
  }
  return joined;
}

/** Lays texts out in so many columns. */
class Page {
  readonly c: Colors;
  readonly width: number;
  readonly verbose: boolean;

  constructor({ color = false, width = 80, verbose = false }: TerminalOptions) {
    this.c = colors.createColors(color);
    this.width = Math.max(40, width);
    this.verbose = verbose;
  }

  /** The lines of a text; all but the first are indented. What is beyond the last line that may be shown is cut. */
  wrap(text: string, indent: number, most = Infinity): string[] {
    const lines = wrapAnsi(shortened(text, MOST), this.width - indent, { hard: true }).split('\n');
    const shown = lines.slice(0, most);
    if (lines.length > most) shown.push(`${(shown.pop() ?? '').slice(0, this.width - indent - 1)}…`);
    return shown.map((line, index) => (index === 0 ? line : ' '.repeat(indent) + line));
  }

  /** A text behind a sign. */
  marked(sign: string, text: string, most = Infinity): string[] {
    const [first = '', ...more] = this.wrap(text, stripVTControlCharacters(sign).length + 1, most);
    return [`${sign} ${first}`, ...more];
  }

  /** A text behind a label. */
  labelled(label: string, text: string, most = Infinity): string[] {
    const [first = '', ...more] = this.wrap(text, INDENT + LABEL, most);
    return [`${' '.repeat(INDENT)}${this.c.dim(label.padEnd(LABEL))}${first}`, ...more];
  }

  /** A command, perhaps behind a label, broken between its arguments so that it can be pasted. */
  command(command: string, label = ''): string[] {
    const head = ' '.repeat(INDENT) + (label === '' ? '' : label.padEnd(LABEL));
    const lines = [head];
    for (const word of argumentsOf(command)) {
      const last = lines.at(-1) ?? '';
      // Two columns are for the blank and the backslash.
      if (last === head) lines[0] = head + word;
      else if (last.length + 1 + word.length <= this.width - 2) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(' '.repeat(INDENT + 2) + word);
    }
    const [first = '', ...more] = lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
    return [this.c.dim(head) + first.slice(head.length), ...more];
  }
}

function exchangeLines(exchange: ExchangeRecord, page: Page): string[] {
  const { response } = exchange;
  const body = response?.body ?? '';
  if (!page.verbose) {
    const text = response ? `${response.status} ${body.replaceAll(/\s+/g, ' ')}` : say.responseWords(exchange);
    const room = page.width - INDENT - LABEL;
    const line = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    const isShort = exchange.curl.length <= MOST_OF_REQUEST;
    const request = isShort
      ? page.command(exchange.curl)
      : page.labelled('request', 'too long to show (see --verbose)');
    return [...request, ...page.labelled('response', line)];
  }
  const [start, rest] = say.excerpt(say.indented(body), MOST_LINES, MOST);
  const bodyLines = [...start.split('\n'), ...(rest === '' ? [] : [`… ${rest}`])];
  return [
    ...page.command(exchange.curl),
    ...page.labelled('response', say.responseWords(exchange)),
    ...(body === '' ? [] : bodyLines.map((line) => ' '.repeat(INDENT + LABEL) + line)),
  ];
}

/** What was expected and what came, in one line if it holds both. */
function valueLines(expected: string, actual: string, page: Page): string[] {
  const both = page.labelled('expected', `${expected}; ${page.c.dim('actual:')} ${actual}`);
  const most = page.verbose ? Infinity : 2;
  if (both.length === 1) return both;
  return [...page.labelled('expected', expected, most), ...page.labelled('actual', actual, most)];
}

/** About twelve lines; with all requests if verbose. */
function findingLines(finding: Finding, result: Result, page: Page): string[] {
  const { c, verbose } = page;
  const { title, expected, actual, fix, checks } = finding;
  const sign = say.standingOf(finding, result) === 'failed' ? c.red('✗') : c.yellow('!');
  const telling = say.tellingExchange(finding);
  const shown = verbose ? finding.exchanges : telling ? [telling] : [];
  return [
    ...page.marked(sign, c.bold(title), verbose ? Infinity : 3),
    `${' '.repeat(INDENT)}${c.dim(say.findingFacts(finding).join(' · '))}`,
    ...valueLines(expected, actual, page),
    ...page.labelled('fix', fix, verbose ? Infinity : 4),
    ...shown.flatMap((exchange) => exchangeLines(exchange, page)),
    ...page.command(say.rerunOf(finding, result), say.rerunLabel(finding)),
    ...page.command(say.explainOf(finding, result), 'explain'),
    ...(verbose && checks.length > 0 ? page.labelled('checks', checks.join(', ')) : []),
  ];
}

/** Reasons for which checks are inconclusive that are told one by one; the others are counted. */
const MOST_REASONS = 2;

/** What is only counted unless everything is shown; undefined for what is told. */
function countWords({ id, notes }: Notes): string | undefined {
  const count = notes.reduce((sum, { ids }) => sum + (ids?.length ?? 1), 0);
  if (id === 'observations') return `${counted(count, 'observation')} where the contract is silent`;
  return id === 'not-applicable' ? `${counted(count, 'check')} not applicable` : undefined;
}

function noteLines(section: Notes, page: Page): string[] {
  const { c, verbose } = page;
  const { id, notes } = section;
  const words = verbose ? undefined : countWords(section);
  if (words !== undefined) return page.marked(signOf('none', c), `${words} (--verbose shows more)`);
  const shown = verbose || id !== 'inconclusive' ? notes : notes.slice(0, MOST_REASONS);
  const rest = notes.length - shown.length;
  return [
    ...shown.flatMap(({ sign, text, ids }) => {
      const named = verbose && ids ? `${text} (${ids.join(', ')})` : text;
      return page.marked(signOf(sign, c), named, verbose || id === 'users' ? Infinity : 2);
    }),
    ...(rest > 0 ? [`${signOf('open', c)} ${counted(rest, 'more reason')} (--verbose shows more)`] : []),
  ];
}

function headLines(result: Result, page: Page): string[] {
  const { c, width } = page;
  const { label, words, more, hints } = say.headlineOf(result);
  const tag = ` ${label} `;
  const [first = '', ...rest] = wrapAnsi(shortened(words, MOST), width - tag.length - 2, { hard: true }).split('\n');
  const { must, should } = result.summary;
  return [
    `${badge(result.verdict, tag, c)}  ${first}`,
    ...rest.map((line) => ' '.repeat(tag.length + 2) + line),
    ...more.flatMap((text) => page.marked(' ', text)),
    ...hints.slice(0, 3).flatMap((text) => page.marked(c.yellow('→'), text)),
    '',
    ...page.marked(' ', `${result.target.baseUrl} · ${say.runWords(result)} · exit code ${EXIT_CODES[result.verdict]}`),
    ...(must.total > 0 ? page.marked('  must  ', say.countsWords(must)) : []),
    ...(should.total > 0 ? page.marked('  should', say.countsWords(should)) : []),
  ];
}

/** A result for a person at a terminal. */
export function terminalReport(given: Result, options: TerminalOptions = {}): string {
  const result = legibleValue(given);
  const page = new Page(options);
  const open = [...say.findingsStanding(result, 'failed'), ...say.findingsStanding(result, 'tolerated')];
  const parts = [
    headLines(result, page),
    ...open.map((each) => findingLines(each, result, page)),
    notesOf(result).flatMap((each) => noteLines(each, page)),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Characters of a line. */
const MOST_IN_LINE = 240;

function inLine(text: string): string {
  return escapeInvisible(shortened(text.replaceAll('\n', ' '), MOST_IN_LINE));
}

/** The shortest report: a line for the verdict, one for each finding, each hint and each baseline entry that does not hold. */
export function quietReport(result: Result): string {
  const { label, words, hints } = say.headlineOf(result);
  const findings = result.findings.map((finding) => {
    const { level, title, checks, id } = finding;
    return `${say.standingOf(finding, result)}  ${checks[0] ?? id}  ${level}  ${title}`;
  });
  const problems = result.summary.baselineProblems.map(({ kind, message }) => `baseline  ${kind}  ${message}`);
  const left = usersNotes(result).filter(({ sign }) => sign === 'bad');
  const lines = [
    `${label}  ${result.target.baseUrl}  ${words}`,
    ...hints.map((text) => `hint  ${text}`),
    ...findings,
    ...problems,
    ...left.map(({ text }) => `restore  ${text}`),
  ];
  return `${lines.map(inLine).join('\n')}\n`;
}

/** Several targets for a person at a terminal: those that did not pass with their first finding. */
export function terminalMatrix({ verdict, counts, targets }: Matrix, options: TerminalOptions = {}): string {
  const page = new Page(options);
  const many = Object.entries(counts).filter(([, count]) => count > 0);
  const named = many.map(([each, count]) => `${count} ${each}`).join(', ');
  const widest = Math.max(0, ...targets.map(({ name }) => name.length));
  const lines = targets.flatMap((target) => {
    const name = escapeInvisible(target.name).padEnd(Math.min(widest, 30));
    const { result, problem } = target;
    const words = result ? say.headlineOf(legibleValue(result)).words : escapeInvisible(problem ?? '');
    const sign = target.verdict === 'passed' ? 'good' : target.verdict === 'failed' ? 'bad' : 'open';
    return page.marked(signOf(sign, page.c), `${name}  ${words}`, page.verbose ? Infinity : 2);
  });
  const head = `${badge(verdict, ` ${verdict.toUpperCase()} `, page.c)}  ${counted(targets.length, 'target')}: ${named}`;
  return `${[head, '', ...lines].join('\n')}\n`;
}

/** What changed between two results, for a person at a terminal. */
export function terminalComparison(comparison: Comparison, options: TerminalOptions = {}): string {
  const page = new Page(options);
  const [verdict, label] = comparison.worse ? (['failed', ' WORSE '] as const) : (['passed', ' NOT WORSE '] as const);
  const lines = comparisonNotes(legibleValue(comparison)).flatMap((each) => noteLines(each, page));
  return `${[`${badge(verdict, label, page.c)}  ${comparisonWords(comparison)}`, '', ...lines].join('\n').trimEnd()}\n`;
}
