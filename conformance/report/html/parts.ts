import { html, join, type Content, type Html } from '../../../common/html.ts';
import type { Standing } from '../content/check-standing.ts';

/** A standing in words. */
export function standingWords(standing: Standing): string {
  return standing === 'tolerated' ? 'failed, tolerated' : standing.replace('-', ' ');
}

export function standingTag(standing: Standing): Html {
  return html`<span class="tag ${standing}">${standingWords(standing)}</span>`;
}

export function levelTag(level: string): Html {
  return html`<span class="tag level">${level}</span>`;
}

/** The id of the place of something in the page. */
export function anchor(kind: 'check' | 'finding' | 'requirement', id: string): string {
  return `${kind}-${encodeURIComponent(id)}`;
}

/** Texts in the font of code, with commas between them. */
export function codes(texts: readonly string[]): Html {
  return join(
    texts.map((text) => html`<code>${text}</code>`),
    ', ',
  );
}

export type Row = readonly [label: string, content: Content];

/** Labels, each with what belongs to it. */
export function rowList(rows: readonly Row[], className: string): Html {
  const items = rows.map(
    ([label, content]) =>
      html`<dt>${label}</dt>
        <dd>${content}</dd> `,
  );
  return html`<dl class="${className}">${items}</dl> `;
}

export function card(content: Content): Html {
  return html`<div class="card">${content}</div> `;
}

/** What is folded until somebody opens it. */
export function folded(summary: Content, content: Content): Html {
  return html`<details class="small">
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** A list without marks, in small print. */
export function plainList(items: readonly Content[]): Html {
  return html`<ul class="list">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}
