import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Counts } from '../../result/result.ts';
import type { Outcome } from '../../result/verdict.ts';
import { html, Html, join, type Content } from '../../../common/html.ts';
import { capitalized, counted, shortened } from '../../../common/text.ts';
import type { FailureLine } from '../content/failure.ts';
import {
  joined,
  piecesOf,
  prose,
  type Deviation,
  type Document,
  type Item,
  type Node,
  type Section,
  type Tag,
  type Text,
} from '../document.ts';
import { jsonLines } from './json-lines.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('script.js', import.meta.url), 'utf8');

/** By this a browser knows a style or a script as the one that it may use. */
function source(text: string): Html {
  return new Html(`'sha256-${hash('sha256', text, 'base64')}'`);
}

function words(tag: Tag): string {
  return tag === 'tolerated' ? 'failed, tolerated' : tag.replace('-', ' ');
}

function inline(text: Text): Html {
  const pieces = piecesOf(text).map((piece): Content => {
    if (typeof piece === 'string') return piece;
    if ('code' in piece) return html`<code>${piece.code}</code>`;
    if ('bold' in piece) return html`<b>${inline(piece.bold)}</b>`;
    if ('soft' in piece) return html`<span class="soft small">${inline(piece.soft)}</span>`;
    if ('link' in piece) return html`<a href="${piece.link}">${inline(piece.text)}</a>`;
    if ('lineBreak' in piece) return html`<br />`;
    const { tag, text: sign, title } = piece;
    if (sign === undefined) return html`<span class="tag ${tag.replace(' ', '-')}">${words(tag)}</span>`;
    return html`<span class="${tag}" title="${title ?? words(tag)}">${sign}</span>`;
  });
  return html`<bdi>${join(pieces)}</bdi>`;
}

function card(content: Content): Html {
  return html`<div class="card">${content}</div> `;
}

function folded(summary: Content, content: Content): Html {
  return html`<details class="small">
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

type Row = readonly [label: string, content: Content];

function rowList(rows: readonly Row[], className: string): Html {
  const items = rows.map(
    ([label, content]) =>
      html`<dt>${capitalized(label)}</dt>
        <dd>${content}</dd> `,
  );
  return html`<dl class="${className}">${items}</dl> `;
}

/** A body, with the lines of the judged member marked. */
function bodyBlock({ body = '', cut }: FailureLine, pointer: string): Html {
  const lines = cut === undefined ? jsonLines(body) : undefined;
  if (!lines) {
    const rest = cut !== undefined && html`<p class="soft small">${cut} more characters are not shown.</p>`;
    return html`<pre>${shortened(body)}</pre>
      ${rest}`;
  }
  const isMarked = (own: string): boolean => pointer !== '' && (own === pointer || own.startsWith(`${pointer}/`));
  const shown = lines.map((line) => (isMarked(line.pointer) ? html`<mark>${line.text}</mark>` : `${line.text}\n`));
  return html`<pre>${shown}</pre>`;
}

function headerFields({ headers }: { readonly headers: Readonly<Record<string, string>> }): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<pre>${lines.join('\n')}</pre>`;
}

const MOST_IDS = 12;

/** What somebody will paste; the button is for where scripts run. */
function toCopy(text: string): Html {
  return html`<div class="copied">
    <pre class="curl" tabindex="0">${text}</pre>
    <button type="button" class="copy" hidden>Copy</button>
  </div>`;
}

/** @param pointer to the member of a body that was judged */
function lineRow(line: FailureLine, pointer: string): Row {
  const { label, text, body, exchange } = line;
  if (label === 'rerun' || label === 'explain') return [label, toCopy(text)];
  if (label === 'fix') return [label, html`<b>${inline(prose(text))}</b>`];
  if (!exchange) return [label, html`<pre>${text}</pre>`];
  const { request, response, purpose, durationMs } = exchange;
  const code = html`<code>${shortened(text, 200)}</code>`;
  const block = body !== undefined && bodyBlock(line, pointer);
  if (label === 'request') return [label, html`${code} <span class="soft small">${purpose}</span> ${block}`];
  const about = html`<span class="soft small">in ${durationMs} ms${response?.body === '' && ', no body'}</span>`;
  const fields = html`${headerFields(request)} ${response && headerFields(response)}`;
  return [label, html`${code} ${about} ${block} ${folded('Header fields', fields)}`];
}

/** A few ids in a line, many folded. */
function relatedIds([label, ids]: Deviation['related'][number]): Html {
  const list = inline(joined(ids));
  if (ids.length <= MOST_IDS) return html`<p class="ids">${label}: ${list}</p>`;
  return folded(`${label}: ${counted(ids.length, 'check')}`, html`<p class="ids">${list}</p>`);
}

function deviation({ isFinding, requirements, lines, pointer = '', curl, related, ...own }: Deviation): Html {
  const last = lines.findLast(({ label }) => label === 'response');
  const rows = lines.map((line) => lineRow(line, line === last ? pointer : ''));
  const sendAgain: Row[] = curl.length === 0 ? [] : [['send again', toCopy(curl.join('\n'))]];
  const { id, name, level, title, facts, form } = own;
  const head = isFinding
    ? html`${inline({ tag: level })}
        <h3>${inline(title)}</h3>
        <span class="soft small">${facts.join(' · ')}</span>`
    : html`<code>${name}</code> ${inline({ tag: level })}<br />${inline(title)}`;
  const texts = requirements.map(
    (each) =>
      html`<p>
        <a href="#requirement-${encodeURIComponent(each.id)}"><code>${each.id}</code></a> ${inline(each.text)}
        <span class="source">Source: ${each.source}</span>
      </p>`,
  );
  return html`<details
    class="${isFinding ? `card finding finding-${level.replace(' ', '-')}` : 'check'}"
    id="${id}"
    ${new Html(form === 'open' ? ' open' : '')}
  >
    <summary>${head}</summary>
    ${isFinding ? texts : html`<p class="soft small">${facts.join(' ')}</p>`}
    ${rowList([...rows, ...sendAgain], 'pair')} ${related.map(relatedIds)}
  </details> `;
}

function countsCard([label, counts]: readonly [string, Counts]): Html {
  const { notApplicable, knownFailures, total, passed } = counts;
  const shown = ['failed', 'inconclusive', 'error'] as const satisfies readonly Outcome[];
  const applicable = total - notApplicable;
  const parts = shown.flatMap((outcome) => {
    return counts[outcome] === 0
      ? []
      : [html`<li><span class="${outcome}">${counts[outcome]}</span> ${words(outcome)}</li> `];
  });
  return card(
    html`<h2>${label}</h2>
      <div class="big">${passed}/${applicable} <span class="soft small">passed</span></div>
      <ul class="parts">
        ${parts} ${notApplicable > 0 && html`<li>${notApplicable} not applicable</li>`}
        ${knownFailures > 0 && html`<li>${counted(knownFailures, 'known failure')}</li>`}
      </ul>`,
  );
}

function item({ mark, lines: [first = '', ...more] }: Item): Html {
  return html`<li class="${mark === undefined ? '' : `mark-${mark}`}">
    ${inline(first)} ${more.map((line) => html`<div class="small">${inline(line)}</div>`)}
  </li>`;
}

function table({ label, columns, rows, signsFrom = Infinity }: Extract<Node, { type: 'table' }>): Html {
  const cell = (text: Text, index: number): Html => {
    if (index === 0) return html`<th scope="row">${inline(text)}</th>`;
    return html`<td class="${index >= signsFrom ? 'sign' : ''}">${inline(text)}</td>`;
  };
  const head = columns.map(
    (text, index) => html`<th scope="col" class="${index >= signsFrom ? 'turned' : ''}">${inline(text)}</th>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(cell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function block(node: Node): Html {
  switch (node.type) {
    case 'deviation':
      return deviation(node);
    case 'paragraph':
      return html`<p>${inline(node.text)}</p>`;
    case 'list':
      return html`<ul class="list">
        ${node.items.map(item)}
      </ul>`;
    case 'fields':
      return rowList(
        node.rows.map(([label, value]) => [label, inline(value)]),
        'facts',
      );
    case 'counts':
      return html`<div class="counts">${node.rows.map(countsCard)}</div>`;
    case 'ids':
      return folded(node.title, html`<p class="ids">${inline(joined(node.ids.map((id) => ({ code: id }))))}</p>`);
    case 'group':
      return card(
        html`<h3>${inline(node.title)}</h3>
          ${node.nodes.map(block)}`,
      );
    case 'entry':
      return html`<details class="entry" id="${node.id}">
        <summary>${inline(node.summary)}</summary>
        ${node.nodes.map(block)}
      </details> `;
    case 'table':
      return table(node);
  }
}

function section({ id, title, lead, nodes }: Section): Html {
  const isCard = nodes.every(
    ({ type }) => type !== 'group' && type !== 'table' && !(type === 'deviation' && id !== 'failures'),
  );
  const content = html`${nodes.map(block)}`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${lead !== undefined && html`<p>${inline(lead)}</p>`} ${isCard ? card(content) : content}
  </section> `;
}

/** A document as one page: it loads nothing, and only search and copying need its script. Whatever the target sent is shown as text. */
export function htmlOf(document: Document): string {
  const { title, tone, label, scope, words: sentence, notes, exit, hints, nodes, sections, footer } = document;
  const links = sections.map(
    ({ id, title: name, count }) =>
      html`<li><a href="#${id}">${name}${count === undefined ? '' : ` (${count})`}</a></li>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src ${source(STYLE)}; script-src ${source(SCRIPT)}; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${label}: ${title}</title>
        ${new Html(`<style>${STYLE}</style><script>${SCRIPT}</script>`)}
      </head>
      <body>
        <a class="skip" href="#content">To the findings</a>
        <header>
          <h1><bdi>${title}</bdi></h1>
          <div class="verdict ${tone}">
            <strong>${label}${scope !== undefined && ` (${scope})`}</strong>
            <p>${sentence}</p>
            ${notes.map((note) => html`<p>${inline(note)}</p>`)}
            ${exit !== undefined && html`<p class="small">${exit}</p>`}
            ${hints.map((text) => html`<p class="hint"><b>Hint:</b> ${inline(prose(text))}</p>`)}
          </div>
          ${nodes.map(block)}
        </header>
        <nav aria-label="Contents">
          <ul>
            ${links}
          </ul>
          <label class="search" hidden>Search <input type="search" id="search" /></label>
        </nav>
        <main id="content">${sections.map(section)}</main>
        <footer>${footer}</footer>
      </body>
    </html> `.text;
}
