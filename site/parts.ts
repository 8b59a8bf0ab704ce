import type { Level } from '../contract/document.ts';
import type { Outcome, Verdict } from '../conformance/result/verdict.ts';
import { html, join, type Content, type Html } from '../common/html.ts';
import type { Link } from './layout.ts';
import { inline } from './markdown.ts';
import { at, type Defect } from './model.ts';

/** A level as a label. */
export function levelLabel(level: Level | 'open'): Html {
  return html`<span class="level ${level}">${level}</span>`;
}

const OUTCOME_WORDS: Readonly<Record<Outcome | Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  error: 'error',
  interrupted: 'interrupted',
};

/** An outcome or a verdict as a label. */
export function outcomeLabel(outcome: Outcome | Verdict): Html {
  return html`<span class="outcome ${outcome}">${OUTCOME_WORDS[outcome]}</span>`;
}

/** Links with ids as texts, one after the other. */
export function idLinks(ids: readonly string[], targetOf: (id: string) => string, to: Link): Html {
  return join(
    ids.map((id) => html`<a href="${to(targetOf(id))}"><code>${id}</code></a>`),
    ', ',
  );
}

/** Long content behind a summary. */
export function folded(summary: Content, content: Content): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** A table that scrolls sideways on a narrow screen, also by keyboard. */
export function table(caption: string, heads: readonly Content[], rows: readonly (readonly Content[])[]): Html {
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...others]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${others.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Defects by id and title, with links to their places in the proof. */
export function defectList(defects: readonly Defect[], to: Link): Html {
  return html`<ul class="servers">
    ${defects.map(
      (each) =>
        html`<li>
          <a href="${to(at.defect(each))}"><code>${each.id}</code></a> ${inline(each.title)}
        </li> `,
    )}
  </ul>`;
}

/** A choice in a filter: the name of the data attribute, its label and its values. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, title: string])[];
}

/**
 * A form that hides what does not match. It appears only if scripts run; without them everything is shown.
 *
 * @param target id of the element that holds the items (`data-item`)
 */
export function filterForm(target: string, noun: string, choices: readonly Choice[]): Html {
  return html`<form class="filter" data-filter="${target}" data-noun="${noun}" hidden>
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

/** A block of code. It can be scrolled by keyboard. */
export function code(text: string, label?: string): Html {
  return html`<pre
    tabindex="0"
    ${label !== undefined && html` role="region" aria-label="${label}"`}
  ><code>${text}</code></pre>`;
}
