import type { ObservationRow, ObservationTable } from '../../result/several/observation-table.ts';
import { counted, escapeInvisible } from '../../../common/text.ts';
import { observationWords } from '../content/observation-words.ts';
import { joined, LINE_BREAK, prose, type Document, type Inline, type Text } from '../document.ts';

const NOT_SEEN = 'not seen in this run';

/** "The target" is the column: in a cell the sentence needs no subject. */
function cellText(cell: ObservationRow['cells'][number]): Text {
  if (!cell) return { soft: NOT_SEEN };
  const words = observationWords(cell);
  return prose(words.replace(/^The target /, '').replace(/\.$/, ''));
}

function shownRows({ rows }: ObservationTable, differing: boolean): readonly ObservationRow[] {
  return differing ? rows.filter((row) => row.differs) : rows;
}

function countWords({ columns, rows }: ObservationTable): string {
  const differing = rows.filter((row) => row.differs).length;
  const unseen = rows.filter(({ cells }) => cells.every((cell) => cell === undefined)).length;
  const onNone = unseen > 0 ? `, ${unseen} seen on none` : '';
  return `${rows.length} open points, ${counted(columns.length, 'target')}; on ${differing} they differ${onNone}.`;
}

function rowCells({ id, question, differs, cells }: ObservationRow): Text[] {
  const asked: readonly Inline[] = question === id ? [] : [LINE_BREAK, { soft: prose(question) }];
  return [[differs ? '≠ ' : '', { code: id }, ...asked], ...cells.map(cellText)];
}

/** What several targets do where the contract is silent, a row for each open point; those in which targets differ are marked. */
export function observationsDocument(table: ObservationTable, differing: boolean): Document {
  const { columns, hidden } = table;
  const judged = columns.map(({ name, baseUrl, contractVersion }): Text => {
    return { soft: `${name}: ${baseUrl}, judged by contract ${contractVersion}` };
  });
  const unseen = joined(hidden.map(({ id }) => ({ code: id })));
  return {
    ...{
      title: 'Observations',
      tone: 'passed',
      label: 'OBSERVATIONS',
      words: countWords(table),
      notes: judged,
      hints: [],
      nodes: [],
    },
    sections: [
      {
        id: 'observations',
        title: 'Open points',
        nodes: [
          {
            type: 'table',
            label: 'Open points and targets',
            columns: ['open point', ...columns.map(({ name }) => name)],
            rows: shownRows(table, differing).map(rowCells),
          },
        ],
        ...(!differing && { lead: ['Cannot be seen from outside: ', ...unseen, '.'] }),
      },
    ],
  };
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
