import type { ObservationRow, ObservationTable } from '../result/observation-table.ts';
import { markdownCode, markdownSentence, markdownTable, markdownText } from '../../common/markdown.ts';
import { observationWords } from './content/observation-words.ts';
import { wrap, type PrettyOptions } from './paint.ts';
import { counted, escapeInvisible, groupedBy } from '../../common/text.ts';

const NOT_SEEN = 'not seen in this run';
/** Characters. A narrower column cannot be read. */
const NARROWEST = 24;
const GAP = 2;

/** "The target" is the column: in a cell the sentence needs no subject. */
function cellWords(cell: ObservationRow['cells'][number]): string {
  if (!cell) return NOT_SEEN;
  return observationWords(cell)
    .replace(/^The target /, '')
    .replace(/\.$/, '');
}

function shownRows({ rows }: ObservationTable, differing: boolean): readonly ObservationRow[] {
  return differing ? rows.filter((row) => row.differs) : rows;
}

function isNeverSeen({ cells }: ObservationRow): boolean {
  return cells.every((cell) => cell === undefined);
}

function countWords({ columns, rows }: ObservationTable): string {
  const differing = rows.filter((row) => row.differs).length;
  const unseen = rows.filter(isNeverSeen).length;
  return `${rows.length} open points, ${counted(columns.length, 'target')}; on ${differing} they differ${unseen > 0 ? `, ${unseen} seen on none` : ''}.`;
}

function inColumns(texts: readonly string[], width: number, indent: number): string {
  const room = Math.floor((width - indent - GAP * (texts.length - 1)) / texts.length);
  const tooLong = new RegExp(`\\S{${room}}(?=\\S)`, 'gu');
  const columns = texts.map((text) => wrap(text.replaceAll(tooLong, '$& '), room).split('\n'));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_each, line) =>
    (' '.repeat(indent) + columns.map((lines) => (lines[line] ?? '').padEnd(room + GAP)).join('')).trimEnd(),
  ).join('\n');
}

/** The table for a terminal. Columns that do not fit become lines, one for all targets that do the same. */
export function prettyObservations(
  table: ObservationTable,
  differing: boolean,
  { paint, width }: PrettyOptions,
): string {
  const names = table.columns.map(({ name }) => name);
  const indent = 4;
  const fits = names.length * (NARROWEST + GAP) + indent <= width && names.every(({ length }) => length <= NARROWEST);
  const below = ({ cells }: ObservationRow): string => {
    const told = cells.map((cell, index) => ({ words: cellWords(cell), name: names[index] ?? '' }));
    const groups = groupedBy(told, ({ words }) => words);
    return groups
      .map(([words, tellers]) => {
        const who = tellers.map(({ name }) => name).join(', ');
        const lead = groups.length === 1 && names.length > 1 ? 'all: ' : `${who}: `;
        const text = wrap(lead + words, width, ' '.repeat(indent + 2), ' '.repeat(indent));
        return words === NOT_SEEN ? paint('dim', text) : text;
      })
      .join('\n');
  };
  const rows = shownRows(table, differing).map((row) => {
    const mark = row.differs ? paint(['yellow', 'bold'], '≠') : ' ';
    const words = isNeverSeen(row)
      ? paint('dim', ' '.repeat(indent) + NOT_SEEN.replace('this run', 'any of these runs'))
      : fits
        ? inColumns(row.cells.map(cellWords), width, indent)
        : below(row);
    const asked = row.question === row.id ? [] : [paint('dim', wrap(row.question, width, '    '))];
    return [`${mark} ${paint('bold', row.id)}`, ...asked, words].join('\n');
  });
  const head = [
    countWords(table),
    ...table.columns.map(({ name, baseUrl, contractVersion }) =>
      paint('dim', `  ${name}: ${baseUrl}, judged by contract ${contractVersion}`),
    ),
    ...(fits && rows.length > 0 ? ['', paint(['bold', 'underline'], inColumns(names, width, indent))] : []),
  ];
  const hidden = wrap(`Cannot be seen from outside: ${table.hidden.map(({ id }) => id).join(', ')}.`, width, '  ', '');
  return `${[head.join('\n'), ...rows, ...(differing ? [] : [paint('dim', hidden)])].join('\n\n')}\n`;
}

/** The table as Markdown; rows in which targets differ are marked. */
export function markdownObservations(table: ObservationTable, differing: boolean): string {
  const head = ['', 'open point', ...table.columns.map(({ name }) => markdownText(name))];
  const rows = shownRows(table, differing).map((row) => [
    row.differs ? '≠' : '',
    row.question === row.id ? markdownCode(row.id) : `${markdownCode(row.id)}<br>${markdownSentence(row.question)}`,
    ...row.cells.map((cell) => (cell ? markdownSentence(cellWords(cell)) : `_${NOT_SEEN}_`)),
  ]);
  const hidden = `Cannot be seen from outside: ${table.hidden.map(({ id }) => markdownCode(id)).join(', ')}.`;
  const parts = [markdownSentence(countWords(table)), markdownTable(head, rows), ...(differing ? [] : [hidden])];
  return `${parts.join('\n\n')}\n`;
}

/** A cell of RFC 4180. A spreadsheet takes a text that begins with one of these signs for a formula, unless a quote precedes it. */
function csvCell(text: string): string {
  const shown = escapeInvisible(text);
  const safe = /^\s*[=+\-@]|^[\t\n]/.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The table as CSV (RFC 4180), for a spreadsheet: id, question, whether targets differ, and what each target does. */
export function csvObservations(table: ObservationTable, differing: boolean): string {
  const head = ['id', 'question', 'differs', ...table.columns.map(({ name }) => name)];
  const rows = shownRows(table, differing).map(({ id, question, differs, cells }) => [
    id,
    question,
    differs ? 'yes' : 'no',
    ...cells.map((cell) => (cell ? observationWords(cell) : '')),
  ]);
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
