import { LEVELS, type Level } from '../contract/document.ts';
import type { Outcome, Verdict } from '../conformance/result/verdict.ts';
import { html, join, prose, type Content, type Html } from '../common/html.ts';
import { areaTitle } from './model.ts';
import { at } from './places.ts';
import type { SiteData } from './read.ts';

/** A level as a label. */
export function levelLabel(level: Level | 'open'): Html {
  return html`<span class="level ${level}">${level}</span>`;
}

/** An outcome or a verdict as a label. */
export function outcomeLabel(outcome: Outcome | Verdict): Html {
  return html`<span class="outcome ${outcome}">${outcome.replace('-', ' ')}</span>`;
}

/** A link with an id as its text. */
export function idLink(id: string, target: string): Html {
  return html`<a href="${target}"><code>${id}</code></a>`;
}

/** Links with ids as texts, one after the other. */
export function idLinks(ids: readonly string[], targetOf: (id: string) => string): Html {
  return join(
    ids.map((id) => idLink(id, targetOf(id))),
    ', ',
  );
}

/** The id of an entry as a link to itself. */
export function selfLink(id: string): Html {
  return html`<a class="self" href="#${id}" data-pagefind-weight="10"><code>${id}</code></a>`;
}

/** Terms with what they mean; undefined rows are left out. */
export function definitions(rows: readonly (readonly [Content, Content] | undefined)[], kind: string): Html {
  return html`<dl class="${kind}">
    ${rows.map(
      (row) =>
        row &&
        html`<dt>${row[0]}</dt>
          <dd>${row[1]}</dd> `,
    )}
  </dl>`;
}

/** Short texts under their titles, side by side. */
export function tiles(kind: string, rows: readonly (readonly [title: Content, text: Content])[]): Html {
  const items = rows.map(
    ([title, text]) =>
      html`<div>
        <dt>${title}</dt>
        <dd>${text}</dd>
      </div> `,
  );
  return html`<dl class="${kind}">${items}</dl>`;
}

/** The parts of a page by area, each folded behind its heading, so that a phone shows all areas at once. */
export function areaSections<T extends { readonly length: number }>(
  areas: readonly (readonly [area: string, T])[],
  contentOf: (own: T, area: string) => Content,
): Html {
  return html`${areas.map(
    ([area, own]) =>
      html`<details class="area" data-group>
        <summary>
          <h2 id="area-${area}">${areaTitle(area)} <span class="note">${own.length}</span></h2>
        </summary>
        ${contentOf(own, area)}
      </details> `,
  )}`;
}

/** A part of a page under a heading that the list "On this page" names. */
export function section(id: string, title: string, content: Content): Html {
  return html`<h2 id="${id}">${title}</h2>
    ${content} `;
}

/** The operations with links to their places in the API reference. */
export function operationList(operations: SiteData['operations']): Html {
  return html`<ul class="operations">
    ${operations.map(
      ({ id, method, path, summary }) =>
        html`<li>
          <strong class="method ${method.toLowerCase()}">${method}</strong>
          <a href="${at.operation(id)}"><code>${path}</code></a> ${summary}
        </li> `,
    )}
  </ul>`;
}

/** Long content behind a summary. */
export function folded(summary: Content, content: Content): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** A row that a filter may hide, with its data attributes. */
interface FilteredRow {
  readonly data: Readonly<Record<string, string>>;
  readonly cells: readonly Content[];
}

function tableRow(row: readonly Content[] | FilteredRow): Html {
  const [data, [first, ...others]] = 'cells' in row ? [row.data, row.cells] : [undefined, row];
  const attributes =
    data && join([' data-item', ...Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)]);
  return html`<tr${attributes}>
    <th scope="row">${first}</th>
    ${others.map((cell) => html`<td>${cell}</td>`)}
  </tr> `;
}

/**
 * A table that scrolls sideways on a narrow screen, also by keyboard.
 *
 * @param options.id for a filter
 * @param options.unseen whether the caption is only read aloud
 */
export function table(
  caption: string,
  heads: readonly Content[],
  rows: readonly (readonly Content[] | FilteredRow)[],
  { id, unseen = false }: { id?: string; unseen?: boolean } = {},
): Html {
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0">
    <table${id !== undefined && html` id="${id}"`}>
      <caption${unseen && html` class="unseen"`}>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(tableRow)}
      </tbody>
    </table>
  </div>`;
}

/** Servers of the proof by id and title, with links to their places there; `item` makes a filter hide them one by one. */
export function serverList<T extends { readonly id: string; readonly title: string }>(
  servers: readonly T[],
  targetOf: (server: T) => string,
  item?: 'data-item',
): Html {
  return html`<ul class="servers">
    ${servers.map((each) => html`<li ${item}>${idLink(each.id, targetOf(each))} ${prose(each.title)}</li> `)}
  </ul>`;
}

/** A choice in a filter: the name of the data attribute, its label and its values. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, title: string])[];
}

export const LEVEL_CHOICE: Choice = { name: 'level', label: 'Level', options: LEVELS.map((level) => [level, level]) };

export function areaChoice(areas: readonly (readonly [area: string, ...unknown[]])[]): Choice {
  return { name: 'area', label: 'Area', options: areas.map(([area]) => [area, areaTitle(area)]) };
}

/**
 * A form that hides what does not match. It appears only if scripts run; without them everything is shown.
 *
 * @param target id of the element that holds the items (`data-item`)
 */
export function filterForm(target: string, choices: readonly Choice[]): Html {
  return html`<form class="filter" data-filter="${target}" hidden>
    ${choices.map(
      ({ name, label, options }) =>
        html`<label
          >${label}
          <select name="${name}">
            <option value="">all</option>
            ${options.map(([value, title]) => html`<option value="${value}">${title}</option>`)}
          </select></label
        > `,
    )}<label>Text <input type="search" name="text" autocomplete="off" spellcheck="false" /></label>
    <p role="status"></p>
  </form>`;
}

/** A block of code, as Markdown: the generator colours it, and gives it a button that copies it. */
export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
