import type { Counts } from '../../result/result.ts';
import type { Verdict } from '../../result/verdict.ts';
import { counted, groupedBy, legibleValue, shortened } from '../../../common/text.ts';
import type { FailureLine } from '../content/failure.ts';
import {
  piecesOf,
  type Deviation,
  type Document,
  type Item,
  type Node,
  type Section,
  type Tag,
  type Text,
} from '../document.ts';
import { filled, plain, wrap, wrapJson, type Paint, type PrettyOptions } from './paint.ts';

/** How much of a document is shown. */
export interface ReportOptions extends PrettyOptions {
  /** Everything: findings in full, and what a terminal leaves out otherwise. */
  readonly verbose?: boolean;
}

type Style = Parameters<Paint>[0];

/** How each verdict stands out. */
const VERDICT_STYLES: Readonly<Record<Verdict, Style>> = {
  passed: ['bgGreen', 'black', 'bold'],
  failed: ['bgRed', 'white', 'bold'],
  inconclusive: ['bgYellow', 'black', 'bold'],
  interrupted: ['bgYellow', 'black', 'bold'],
  error: ['bgMagenta', 'white', 'bold'],
};
const TAG_STYLES: Readonly<Partial<Record<Tag, Style>>> = {
  ...{ passed: 'green', failed: 'red', inconclusive: 'yellow', interrupted: 'yellow', error: 'magenta' },
  ...{ must: 'red', should: 'yellow' },
};
const MARKS = { bad: ['red', '▼'], good: ['green', '▲'], other: ['dim', '·'] } as const;

/** A text in one line; only its own breaks end it. @param tick what stands around code: in sentences, backticks */
function inline(text: Text, paint: Paint, tick = ''): string {
  return piecesOf(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece.replaceAll(/\s+/g, ' ');
      if ('code' in piece) return tick + piece.code.replaceAll(/\s+/g, ' ') + tick;
      if ('bold' in piece) return paint('bold', inline(piece.bold, paint, tick));
      if ('soft' in piece) return paint('dim', inline(piece.soft, paint, tick));
      if ('link' in piece) return inline(piece.text, paint);
      if ('tag' in piece) return paint(TAG_STYLES[piece.tag] ?? 'dim', piece.text ?? piece.tag);
      return '\n';
    })
    .join('');
}

function sentence(text: Text, paint: Paint): string {
  return inline(text, paint, '`');
}

const INDENT = ' '.repeat(4);
const LABEL = 9;
/** Characters of a body where there is room for it. */
const MOST = 2_000;

/** A command broken at its arguments, so that it fits and can still be pasted. */
function brokenCommand(command: string, width: number, first = INDENT): string[] {
  const parts = command.match(/(?:\\.|[^\s'"\\]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? [command];
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && /^-[XH]$|^--[\w-]+$|^(curl|npx)$/.test(last) && !part.startsWith('--'))
      joined[joined.length - 1] = `${last} ${part}`;
    else joined.push(part);
  }
  // Two columns are for the backslash.
  const lines = filled(joined, width - 2, ' ', (line) => (line === 0 ? first : `${INDENT}  `));
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

/** A text in so many lines at most, and none longer than the width. */
function wrapAtMost(most: number, text: string, width: number, indent: string, first = indent): string[] {
  const all = wrap(text, width, indent, first).split('\n');
  const rest = all.slice(most).map((line) => ` ${line.trimStart()}`);
  const lines = [...all.slice(0, most - 1), (all[most - 1] ?? '') + rest.join('')].slice(0, all.length);
  return lines.map((line) => (line.length <= width ? line : `${line.slice(0, width - 1)}…`));
}

/** A line of a failure under its label. @param most lines; a body that they do not hold is cut */
function labelled({ label, text, body = '' }: FailureLine, { paint, width }: PrettyOptions, most = Infinity): string[] {
  const lead = `${INDENT}${label.padEnd(LABEL)}`;
  const indent = ' '.repeat(lead.length);
  const isCommand = label === 'rerun' || label === 'explain';
  const whole = [
    wrap(text, width, indent, lead),
    ...(body === '' ? [] : [wrapJson(shortened(body, MOST), width, indent)]),
  ];
  const lines = isCommand
    ? brokenCommand(text, width, lead)
    : most === Infinity
      ? whole.join('\n').split('\n')
      : wrapAtMost(most, body === '' ? text : `${text}  ${body}`, width, indent, lead);
  const [head = '', ...more] = lines;
  return [INDENT + paint('dim', label.padEnd(LABEL)) + head.slice(lead.length), ...more];
}

/** The lines of a finding: twelve, or as many as the same takes where the terminal is narrower than 80 columns. */
function mostLines(width: number): number {
  return Math.max(12, Math.ceil(960 / width));
}

/** The rows that lines take: an argument of a command is never broken, so it may take several. */
function rowsOf(lines: readonly string[], width: number): number {
  return lines.reduce((sum, line) => sum + Math.ceil(line.length / width), 0);
}

function titleLines({ title }: Deviation, { paint, width }: PrettyOptions, most = width < 100 ? 3 : 2): string[] {
  const [head = '', ...more] = wrapAtMost(most, sentence(title, plain), width, INDENT);
  return [`  ${paint('red', '✗')} ${paint('bold', head.trimStart())}`, ...more.map((line) => paint('bold', line))];
}

/** Level, requirements and facts in a line; where that is too long, fewer requirements. */
function factLine({ level, requirements, facts }: Deviation, { paint, width }: PrettyOptions): string {
  const ids = requirements.map(({ id }) => id);
  const texts = [...ids, ''].map((_each, index) => {
    const named = ids.slice(0, ids.length - index).join(', ');
    return [level, ...(named === '' ? [] : [named + (index > 0 ? ` and ${index} more` : '')]), ...facts].join(' · ');
  });
  const fits = texts.find((text) => text.length + INDENT.length <= width) ?? texts.at(-1) ?? '';
  return paint('dim', wrapAtMost(1, fits, width, INDENT).join(''));
}

/** Expected and actual in one line; undefined if it does not hold both. */
function valuesBeside({ lines }: Deviation, { paint, width }: PrettyOptions): string | undefined {
  const [expected, actual] = ['expected', 'actual'].map((label) => lines.find((line) => line.label === label)?.text);
  const [line = '', ...more] = labelled(
    { label: 'expected', text: `${expected ?? ''}, actual ${actual ?? ''}` },
    { paint, width },
  );
  return more.length > 0 || line.length > width ? undefined : line;
}

/**
 * A finding in a few lines. Title, fix, requests and the command that shows it again are never left out; the rest, in the order of
 * its weight, only where there is room.
 */
function shortFinding(finding: Deviation, options: PrettyOptions): string[] {
  const { width } = options;
  const of = (label: FailureLine['label'], most?: number): string[][] =>
    finding.lines.filter((line) => line.label === label).map((line) => labelled(line, options, most));
  const curl = finding.curl.flatMap((command) => brokenCommand(command, width));
  const [fix, apart, rerun] = [of('fix').flat(), [...of('expected', 1), ...of('actual', 1)].flat(), of('rerun').flat()];
  const [title, shortTitle, beside] = [
    titleLines(finding, options),
    titleLines(finding, options, 2),
    valuesBeside(finding, options),
  ];
  const [longer, shorter] = [of('request', 3), of('request', 2)];
  let left = mostLines(width);
  const rows = (...groups: readonly (readonly string[])[]): number =>
    rowsOf([...fix, ...rerun, ...groups.flat()], width);
  // Level and requirements want a line as well.
  const values = rows(title, apart, longer.flat()) < left || beside === undefined ? apart : [beside];
  const requests = rows(shortTitle, values, longer.flat()) <= left ? longer : shorter;
  const isWhole = rows(title, values, requests.flat()) < left;
  const exchanges = requests.map((request, index) => ({ request, response: of('response', 1)[index] ?? [] }));
  const parts: readonly (readonly [rank: number, lines: readonly string[]])[] = [
    [0, isWhole ? title : shortTitle],
    [2, [factLine(finding, options)]],
    [1, values],
    [0, fix],
    ...exchanges.flatMap(({ request, response }, index) => [
      [0, request] as const,
      [index < exchanges.length - 1 ? 5 : 3, response] as const,
    ]),
    [4, curl.map((line) => options.paint('dim', line))],
    [0, rerun],
  ];
  const ranked = [...parts.entries()].sort(([, [one]], [, [other]]) => one - other);
  const shown = new Set<number>();
  for (const [place, [rank, own]] of ranked) {
    const taken = rowsOf(own, width);
    if (rank > 0 && taken > left) continue;
    shown.add(place);
    left -= taken;
  }
  return parts.flatMap(([, own], place) => (shown.has(place) ? own : []));
}

/** A finding or a failed check with all that belongs to it. */
function wholeDeviation(deviation: Deviation, options: PrettyOptions): string[] {
  const { name, level, facts, requirements, lines, curl, related } = deviation;
  const { paint, width } = options;
  const ofRequirement = requirements.flatMap(({ id, text, source }) => [
    `${INDENT}${paint(['red', 'bold'], id)}`,
    wrap(sentence(text, paint), width, `${INDENT}  `),
    paint('dim', wrap(`Source: ${source}`, width, `${INDENT}  `)),
  ]);
  return [
    `  ${paint('red', '✗')} ${paint('bold', wrap(sentence(deviation.title, plain), width, INDENT).trimStart())}`,
    wrap(`${name} (${level}): ${facts.join(', ')}`, width, INDENT),
    ...ofRequirement,
    ...lines.flatMap((line) => labelled(line, options)),
    ...curl.flatMap((command) => brokenCommand(command, width)).map((line) => paint('dim', line)),
    ...related.map(([label, ids]) => {
      return wrap(`${label}: ${ids.map((id) => inline(id, plain)).join(', ')}`, width, `${INDENT}  `, INDENT);
    }),
  ];
}

function deviationText(deviation: Deviation, options: ReportOptions): string {
  const { form, lines } = deviation;
  if (options.verbose || !deviation.isFinding) return wholeDeviation(deviation, options).join('\n');
  if (form !== 'brief') return shortFinding(deviation, options).join('\n');
  const rerun = lines.filter(({ label }) => label === 'rerun').flatMap((line) => labelled(line, options));
  return [...titleLines(deviation, options), factLine(deviation, options), ...rerun].join('\n');
}

/** Columns. Less is no room for the last cell of a row. */
const NARROWEST = 24;

/** A table whose columns do not fit has its cells below the first one of each row: those alike in one line. */
function tableText({ columns, rows }: Extract<Node, { type: 'table' }>, { paint, width }: PrettyOptions): string {
  const heads = columns.map((column) => inline(column, plain));
  const texts = rows.map((row) => row.map((cell, index) => (index === 0 ? inline : sentence)(cell, plain)));
  const needed = heads.slice(0, -1).map((_head, index) => Math.max(...texts.map((row) => row[index]?.length ?? 0)));
  const lead = needed.reduce((sum, each) => sum + each + 2, 2);
  if (lead + NARROWEST <= width) {
    const leads = texts.map((row) => `  ${needed.map((each, index) => (row[index] ?? '').padEnd(each + 2)).join('')}`);
    return texts.map((row, index) => wrap(row.at(-1) ?? '', width, ' '.repeat(6), leads[index])).join('\n');
  }
  const blocks = texts.map(([first = '', ...cells]) => {
    const told = cells.map((cell, index) => ({ cell, name: heads[index + 1] ?? '' }));
    const groups = groupedBy(told, ({ cell }) => cell).map(([cell, own]) => {
      const isAll = own.length === told.length && own.length > 1;
      return wrap(`${isAll ? 'all' : own.map(({ name }) => name).join(', ')}: ${cell}`, width, `${INDENT}  `, INDENT);
    });
    const [name = '', ...about] = first.split('\n').map((line) => wrap(line, width - 2, '  ', '  '));
    return [paint('bold', name), ...about.map((line) => `  ${line}`), ...groups].join('\n');
  });
  return blocks.join('\n\n');
}

const MOST_IDS = 12;

function itemText({ mark, lines }: Item, { paint, width }: PrettyOptions): string {
  const [style, sign] = MARKS[mark ?? 'other'];
  const [first = '', ...more] = lines.map((line) => sentence(line, paint));
  const lead = `  ${mark === undefined ? sign : paint(style, sign)} `;
  return [wrap(first, width, INDENT, lead), ...more.map((line) => wrap(line, width, `${INDENT}  `))].join('\n');
}

function fieldText(label: string, value: string, { width }: PrettyOptions): string {
  return wrap(value, width, ' '.repeat(17), `  ${label.padEnd(15)}`);
}

function countsWords({ passed, total, failed, inconclusive, notApplicable, error, knownFailures }: Counts): string {
  const parts: readonly (readonly [number, string])[] = [
    [failed, `${failed} failed`],
    [inconclusive, `${inconclusive} inconclusive`],
    [notApplicable, `${notApplicable} not applicable`],
    [error, `${error} not judged because of an error of the suite`],
    [knownFailures, counted(knownFailures, 'known failure')],
  ];
  const more = parts.filter(([count]) => count > 0).map(([, words]) => words);
  return [`${passed} of ${total - notApplicable} passed`, ...more].join(', ');
}

/** A part of a document, for a terminal. */
export function nodeText(node: Node, options: ReportOptions): string {
  const { paint, width } = options;
  switch (node.type) {
    case 'deviation':
      return deviationText(node, options);
    case 'paragraph':
      return wrap(sentence(node.text, paint), width, INDENT);
    case 'list':
      return node.items.map((item) => itemText(item, options)).join('\n');
    case 'fields':
      return node.rows.map(([label, value]) => fieldText(label, inline(value, paint), options)).join('\n');
    case 'counts':
      return node.rows.map(([label, counts]) => fieldText(label, countsWords(counts), options)).join('\n');
    case 'ids':
      return paint('dim', wrap(node.ids.length > MOST_IDS ? node.sum : node.ids.join(', '), width, INDENT));
    case 'group':
      return [
        `  ${paint('yellow', inline(node.title, paint))}`,
        ...node.nodes.map((each) => nodeText(each, options)),
      ].join('\n');
    case 'entry':
      return wrap(inline(node.summary, paint), width, INDENT, '  ');
    case 'table':
      return tableText(node, options);
  }
}

function sectionText({ title, lead, nodes }: Section, options: ReportOptions): string {
  const { paint, width } = options;
  const parts = nodes.map((node) => nodeText(node, options));
  const about = lead === undefined ? [] : [paint('dim', wrap(inline(lead, plain), width, '  '))];
  const head = [paint(['bold', 'underline'], title), ...about].join('\n');
  const isApart = nodes.some(({ type }) => type === 'deviation' || type === 'group' || type === 'table');
  return [head, ...parts].join(isApart ? '\n\n' : '\n');
}

/** What is left out unless everything is shown, and where to see it. */
function moreText(left: readonly string[], { paint, width }: PrettyOptions): string[] {
  const text = `Not shown: ${left.join(' and ')}. See them with run --verbose, or in --report html=PATH.`;
  return left.length === 0 ? [] : [paint('dim', wrap(text, width))];
}

function headText({ tone, label, scope, words, notes, hints, nodes }: Document, options: PrettyOptions): string {
  const { paint, width } = options;
  const tag = ` ${label}${scope === undefined ? '' : ` (${scope})`} `;
  return [
    paint(VERDICT_STYLES[tone], tag) + wrap(words, width, '  ', `${tag}  `).slice(tag.length),
    ...notes.map((note) => wrap(sentence(note, paint), width, '  ')),
    ...(hints.length === 0 ? [] : ['', ...hints.map((text) => paint('yellow', fieldText('hint', text, options)))]),
    ...(nodes.length === 0 ? [] : ['', ...nodes.map((node) => nodeText(node, options))]),
  ].join('\n');
}

/** A document for a person at a terminal. */
export function terminalText(given: Document, options: ReportOptions): string {
  const document = legibleValue(given);
  const { verbose } = options;
  const sections = document.sections.filter(({ isForPage }) => !isForPage);
  const left = sections.filter(({ leftOut }) => !verbose && leftOut !== undefined);
  const texts = sections.filter((section) => !left.includes(section)).map((section) => sectionText(section, options));
  const more = moreText(
    left.flatMap(({ leftOut }) => leftOut ?? []),
    options,
  );
  return `${[headText(document, options), ...texts.toSpliced(-1, 0, ...more)].join('\n\n')}\n`;
}
