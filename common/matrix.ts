/** A table of outcomes as HTML, for the site and for reports: rows and columns have names, and each cell leads somewhere. */
import { html, type Content, type Html } from './html.ts';

/** What came of something in one place. */
interface Cell {
  /** Such as `passed`; also the class of the cell, which has its colour. */
  readonly outcome: string;
  /** Where more is said of it. */
  readonly link?: string | undefined;
}

/** A name at the start of a row or a column. */
export interface Head {
  readonly title: string;
  readonly link?: string | undefined;
  /** Smaller, beside the name. */
  readonly note?: Content;
}

/** A row, with a cell for each column. */
export interface Row extends Head {
  readonly cells: readonly Cell[];
}

const SIGNS: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', inconclusive: '?', error: '!' };

/** What stands for an outcome where there is room for one character. */
function signOf(outcome: string): string {
  return SIGNS[outcome] ?? '–';
}

function linked(link: string | undefined, content: Content): Content {
  return link === undefined ? content : html`<a href="${link}">${content}</a>`;
}

/** An id that breaks where its words end. */
function breakable(id: string): Content[] {
  return id.split(/(?<=[.-])/).map((word) => html`${word}<wbr />`);
}

function headOf({ title, link, note }: Head): Html {
  return html`${linked(link, breakable(title))}${note !== undefined && html` <span class="note">${note}</span>`}`;
}

function cellOf({ outcome, link }: Cell, row: Head, column: Head): Html {
  const words = outcome.replace('-', ' ');
  const sign = html`<span aria-hidden="true">${signOf(outcome)}</span
    ><span class="words">${words}: ${row.title}, ${column.title}</span>`;
  return html`<td class="${outcome}" title="${words}">${linked(link, sign)}</td>`;
}

/**
 * A table that scrolls in both directions while its heads stay in view; `matrix.css` is its style.
 *
 * @param label what it shows, for those who do not see it
 * @param corner what the rows are
 */
export function matrixTable(label: string, corner: string, columns: readonly Head[], rows: readonly Row[]): Html {
  const rowOf = (row: Row): Html =>
    html`<tr>
      <th scope="row">${headOf(row)}</th>
      ${columns.map((column, index) => cellOf(row.cells[index] ?? { outcome: 'not-applicable' }, row, column))}
    </tr> `;
  return html`<div class="matrix" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          <td>${corner}</td>
          ${columns.map((column) => html`<th scope="col">${headOf(column)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(rowOf)}
      </tbody>
    </table>
  </div>`;
}
