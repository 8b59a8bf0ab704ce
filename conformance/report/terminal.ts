import { stripVTControlCharacters } from 'node:util';
import colors from 'picocolors';
import wrapAnsi from 'wrap-ansi';
import { escapeInvisible, legibleValue, shortened } from '../../common/text.ts';
import type { Comparison } from '../result/compare.ts';
import type { ExchangeRecord, Finding, Result, Verdict } from '../facts/result.ts';
import type { Matrix } from './matrix.ts';
import { comparisonNotes, comparisonWords, type Note, type Notes, notesOf, type Sign, SIGNS } from './notes.ts';
import * as say from './words.ts';

/** How a report for a terminal looks. */
interface TerminalOptions {
  /** Default: no colour. */
  readonly color?: boolean;
  /** Columns; default 80. */
  readonly width?: number;
  /** Shows findings with all their requests and failures, the ids of checks, and the observations. */
  readonly verbose?: boolean;
}

const COLORS = {
  passed: 'green',
  failed: 'red',
  inconclusive: 'yellow',
  interrupted: 'yellow',
  'not-applicable': 'dim',
  tolerated: 'yellow',
  known: 'dim',
  error: 'magenta',
} as const;

/** Columns before a line of a finding; fewer where there are few. */
const INDENT = { wide: 4, narrow: 2 };
/** From so many columns on, a page is wide. */
const WIDE = 60;
/** Columns of the label before a line of a finding. */
const LABEL = 10;
/** Characters of a text: wrapping a far longer one takes too long. */
const MOST = 4_000;
/** Characters of a command: a longer one is for those who want to see everything. */
const MOST_OF_COMMAND = 500;

/** Lays out texts in a number of columns. */
class Page {
  readonly c: ReturnType<typeof colors.createColors>;
  readonly width: number;
  readonly verbose: boolean;
  /** Columns before a line of a finding. */
  readonly indent: number;

  constructor({ color = false, width = 80, verbose = false }: TerminalOptions) {
    this.c = colors.createColors(color);
    this.width = Math.max(40, width);
    this.verbose = verbose;
    this.indent = this.width < WIDE ? INDENT.narrow : INDENT.wide;
  }

  badge(verdict: Verdict, label = verdict.toUpperCase()): string {
    return this.c.inverse(this.c.bold(this.c[COLORS[verdict]](` ${label} `)));
  }

  sign(sign: Sign): string {
    return this.c[COLORS[sign]](SIGNS[sign]);
  }

  /** A text behind a head, with its other lines below its first one. Beyond so many lines it is cut, unless everything is shown. */
  behind(head: string, text: string, most = Infinity): string[] {
    const indent = stripVTControlCharacters(head).length;
    const lines = wrapAnsi(shortened(text, MOST), this.width - indent, { hard: true }).split('\n');
    // A narrow line holds half as much.
    const shown = this.verbose ? lines : lines.slice(0, this.width < WIDE ? 2 * most : most);
    if (shown.length < lines.length) shown.push(`${(shown.pop() ?? '').slice(0, this.width - indent - 1)}…`);
    return shown.map((line, index) => (index === 0 ? head : ' '.repeat(indent)) + line);
  }

  /** A text behind a label. */
  labelled(label: string, text: string, most?: number): string[] {
    return this.behind(' '.repeat(this.indent) + this.c.dim(label.padEnd(LABEL)), text, most);
  }

  /** A command, perhaps behind a label, broken between its arguments so that it can be pasted. */
  command(command: string, label = ''): string[] {
    const head = ' '.repeat(this.indent) + (label === '' ? '' : label.padEnd(LABEL));
    const [first = '', ...more] = say.brokenCommand(command, this.width, { head, indent: this.indent + 2 });
    return [this.c.dim(head) + first.slice(head.length), ...more];
  }
}

/** Requests whose commands are too long for a short report, in a line. */
function requestLines({ exchange: { request, curl }, label, isCause }: say.LabelledExchange, page: Page): string[] {
  const ownLabel = isCause ? '' : label;
  const isLong = !page.verbose && curl.length > MOST_OF_COMMAND;
  return isLong ? page.labelled(label, `${request.method} ${request.url}`) : page.command(curl, ownLabel);
}

/** What came back: its first line, of an error two, or all of it. */
function responseLines(exchange: ExchangeRecord, page: Page): string[] {
  const { response } = exchange;
  const body = response?.body ?? '';
  if (!page.verbose) {
    const text = response ? `${response.status} ${body.replaceAll(/\s+/g, ' ')}` : say.responseWords(exchange);
    // The message of an error comes behind an id that may fill a line.
    const lines = response && response.status >= 400 ? 2 : 1;
    const room = lines * (page.width - page.indent - LABEL);
    return page.labelled('response', text.length > room ? `${text.slice(0, room - 1)}…` : text);
  }
  const lines = body === '' ? [] : say.indented(body).split('\n');
  return [
    ...page.labelled('response', say.responseWords(exchange)),
    ...lines.map((line) => ' '.repeat(page.indent + LABEL) + line),
  ];
}

/** The requests that make the fault show, with the response to the one that is to blame; all of them if verbose. */
function evidenceLines(finding: Finding, page: Page): string[] {
  const all = say.exchangesOf(finding);
  const causeAt = all.findIndex(({ isCause }) => isCause);
  const shown = page.verbose ? all : all.slice(0, causeAt + 1);
  return shown.flatMap((each) => [
    ...requestLines(each, page),
    ...(page.verbose || each.isCause ? responseLines(each.exchange, page) : []),
  ]);
}

/** Failures that are listed; the others are counted. */
const MOST_FAILURES = 3;

/** What else failed, a line each. */
function failureLines(finding: Finding, page: Page): string[] {
  const all = say.otherFailures(finding);
  const isCut = !page.verbose && all.length > MOST_FAILURES + 1;
  const shown = isCut ? all.slice(0, MOST_FAILURES) : all;
  const rest = isCut ? [`${all.length - shown.length} more (-v shows them)`] : [];
  return [...shown, ...rest].flatMap((text, index) => page.labelled(index === 0 ? 'also' : '', text, 2));
}

/** What was expected and what came, in one line if it holds both; nothing if the title says both. */
function valueLines({ kind, expected, actual }: Finding, page: Page): string[] {
  if (!page.verbose && kind === 'status') return [];
  const both = page.labelled('expected', `${expected}; ${page.c.dim('actual:')} ${actual}`);
  if (both.length === 1) return both;
  return [...page.labelled('expected', expected, 2), ...page.labelled('actual', actual, 2)];
}

/** About twelve lines; with all requests if verbose. */
function findingLines(finding: Finding, result: Result, page: Page): string[] {
  const { c, verbose } = page;
  const { rerun, explain } = say.commandsOf(finding, result);
  return [
    ...page.behind(`${page.sign(say.standingOf(finding, result))} `, c.bold(finding.title), 3),
    ...page.behind(' '.repeat(page.indent), say.findingFacts(finding, result).join(' · ')).map((line) => c.dim(line)),
    ...valueLines(finding, page),
    ...failureLines(finding, page),
    ...page.labelled('fix', finding.fix, 6),
    ...evidenceLines(finding, page),
    ...page.command(rerun, 'rerun'),
    ...page.command(explain, 'explain'),
    ...(verbose && finding.checks.length > 0 ? page.labelled('checks', finding.checks.join(', ')) : []),
  ];
}

/** A finding with all its requests, as plain text. */
export function findingText(finding: Finding, result: Result): string {
  return findingLines(finding, result, new Page({ verbose: true, width: 120 })).join('\n');
}

function noteLines(notes: readonly Note[], page: Page, most?: number): string[] {
  return notes.flatMap(({ sign, text, ids, command }) => {
    const named = page.verbose && ids ? `${text} (${ids.join(', ')})` : text;
    return [
      ...page.behind(`${page.sign(sign)} `, named, most),
      ...(command === undefined ? [] : page.command(command)),
    ];
  });
}

/** Reasons for which something is inconclusive that are told one by one; of more, the others are counted. */
const MOST_REASONS = 4;

/** The notes of a section. What is minor is only counted unless everything is shown. */
function sectionLines({ id, title, notes, isMinor }: Notes, page: Page): string[] {
  if (page.verbose || id === 'users') return noteLines(notes, page);
  const counted = (what: string, count: number): string[] =>
    page.behind(`${page.sign('not-applicable')} `, `${what}: ${count} (-v shows them)`);
  if (isMinor) return counted(title, notes.flatMap(({ ids = [''] }) => ids).length);
  const isCut = id === 'inconclusive' && notes.length > MOST_REASONS;
  const shown = isCut ? notes.slice(0, MOST_REASONS - 1) : notes;
  const rest = notes.length - shown.length;
  return [...noteLines(shown, page, NOTE_LINES), ...(rest > 0 ? counted('More reasons', rest) : [])];
}

/** Lines of a note. */
const NOTE_LINES = 3;

function headLines(result: Result, page: Page): string[] {
  const { words, hints } = say.headlineOf(result);
  const levels = (['must', 'should'] as const).filter((level) => result.summary[level].total > 0);
  return [
    ...page.behind(`${page.badge(result.verdict)}  `, words),
    ...hints.flatMap((text) => page.behind(`${page.c.yellow('→')} `, text)),
    '',
    ...page.behind('  ', `${result.target.baseUrl} · ${say.runWords(result)}`),
    ...levels.flatMap((level) => page.behind(`  ${level.padEnd(6)} `, say.tallyWords(result, level))),
  ];
}

/** A result for a person at a terminal. */
export function terminalReport(given: Result, options: TerminalOptions = {}): string {
  const result = legibleValue(given);
  const page = new Page(options);
  const findings = say.findingsStanding(result, 'failed', 'tolerated');
  const known = say
    .findingsStanding(result, 'known')
    .map(({ title }): Note => ({ sign: 'known', text: `known: ${title}` }));
  const notes = [...noteLines(known, page, 2), ...notesOf(result).flatMap((each) => sectionLines(each, page))];
  const parts = [headLines(result, page), ...findings.map((each) => findingLines(each, result, page)), notes];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Characters of a line. */
const MOST_IN_LINE = 400;

/** The shortest report: a line for the verdict, one for each hint and each finding, and one for all else that prevents a pass. */
export function quietReport(result: Result): string {
  const { words, hints } = say.headlineOf(result);
  const sections = result.verdict === 'passed' ? [] : notesOf(result).filter(({ isMinor }) => !isMinor);
  const notes = sections.flatMap((section) => section.notes).filter(({ sign }) => sign !== 'passed');
  const lines = [
    `${result.verdict.toUpperCase()}  ${result.target.baseUrl}  ${words}`,
    ...hints.map((text) => `hint  ${text}`),
    ...result.findings.map((finding) => {
      const { level, title, checks, id } = finding;
      return [say.standingOf(finding, result), checks[0] ?? id, level, title].join('  ');
    }),
    ...notes.map(({ text, command = '' }) => `${text} ${command}`.trimEnd()),
  ];
  return `${lines.map((line) => escapeInvisible(shortened(line.replaceAll('\n', ' '), MOST_IN_LINE))).join('\n')}\n`;
}

/** Several targets for a person at a terminal, each with its first line. */
export function terminalMatrix(matrix: Matrix, options: TerminalOptions = {}): string {
  const page = new Page(options);
  const widest = Math.max(0, ...matrix.targets.map(({ name }) => name.length));
  const lines = matrix.targets.flatMap((target) => {
    const name = escapeInvisible(target.name).padEnd(Math.min(widest, 30));
    return page.behind(`${page.sign(target.verdict)} `, `${name}  ${escapeInvisible(target.words)}`, 2);
  });
  const head = `${page.badge(matrix.verdict)}  ${matrix.words}`;
  return `${[head, '', ...lines].join('\n')}\n`;
}

/** What changed between two results, for a person at a terminal. */
export function terminalComparison(comparison: Comparison, options: TerminalOptions = {}): string {
  const page = new Page(options);
  const badge = comparison.worse ? page.badge('failed', 'WORSE') : page.badge('passed', 'NOT WORSE');
  const lines = noteLines(comparisonNotes(legibleValue(comparison)), page);
  return `${[`${badge}  ${comparisonWords(comparison)}`, '', ...lines].join('\n').trimEnd()}\n`;
}
