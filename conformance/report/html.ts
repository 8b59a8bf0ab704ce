import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Html, prose, type Content } from '../../common/html.ts';
import { counted, escapeInvisible, shortened } from '../../common/text.ts';
import {
  type ExchangeRecord,
  type Finding,
  type RequirementResult,
  type Result,
  type Verdict,
} from '../facts/result.ts';
import type { Matrix, MatrixTarget } from './matrix.ts';
import { type Notes, notesOf, SIGNS } from './notes.ts';
import * as say from './words.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');

function tag(name: string): Html {
  return html`<span class="tag ${name}">${name.replace('-', ' ')}</span>`;
}

type Row = readonly [label: string, content: Content];

function rowList(rows: readonly Row[]): Html {
  const row = ([label, content]: Row): Html =>
    html`<dt>${label}</dt>
      <dd>${content}</dd> `;
  return html`<dl>${rows.map(row)}</dl>`;
}

function list(items: readonly Content[]): Html {
  return html`<div class="card">
    <ul>
      ${items.map((item) => html`<li>${item}</li> `)}
    </ul>
  </div>`;
}

function folded(summary: string, content: Content): Html {
  return html`<details class="small">
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

function pre(text: string): Html {
  return html`<pre tabindex="0">${text}</pre>`;
}

/** A command or a body; what is beyond the first lines is folded. */
function block(body: string): Content {
  const { shown, others, count } = say.excerpt(body, 2_000);
  return shown !== '' && [pre(shown), others !== '' && folded(count, pre(others))];
}

function exchangeRows(exchange: ExchangeRecord): Row[] {
  const { response, durationMs, curl } = exchange;
  const { headers = {}, body = '', cut } = response ?? {};
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    ['request', block(curl)],
    [
      'response',
      html`<code>${say.responseWords(exchange)}</code>
        <span class="soft small">in ${Math.round(durationMs)} ms</span> ${block(body)}
        ${cut !== undefined && html`<p class="soft small">${counted(cut, 'more character')} not kept.</p>`}
        ${fields.length > 0 && folded('Header fields', pre(fields.join('\n')))}`,
    ],
  ];
}

function findingCard(finding: Finding, result: Result, isOpen: boolean): Html {
  const { title, level, requirement, expected, actual, fix, checks, exchanges } = finding;
  const text = result.requirements.find(({ id }) => id === requirement)?.text ?? '';
  const { rerun, explain } = say.commandsOf(finding, result);
  const rows: Row[] = [
    ['expected', prose(expected)],
    ['actual', prose(actual)],
    ['fix', html`<b>${prose(fix)}</b>`],
    ...exchanges.flatMap(exchangeRows),
    ['rerun', pre(rerun)],
    ['explain', pre(explain)],
    ...(checks.length > 0 ? [['checks', html`<span class="small">${checks.join(', ')}</span>`] as const] : []),
  ];
  const [, ...facts] = say.findingFacts(finding, result);
  return html`<details
    class="card finding finding-${say.standingOf(finding, result)}"
    ${new Html(isOpen ? 'open' : '')}
  >
    <summary>
      ${tag(level)}
      <h3>${prose(shortened(title, 400))}</h3>
      <span class="facts soft small">${facts.join(' · ')}</span>
    </summary>
    <p class="soft small">${prose(text)}</p>
    ${rowList(rows)}
  </details> `;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Content;
}

function findingSection(result: Result): Section {
  const findings = say.findingsStanding(result, 'failed', 'tolerated', 'known');
  const content = findings.map((finding, index) => findingCard(finding, result, index === 0));
  return { id: 'findings', title: `Findings (${findings.length})`, content };
}

function noteSection({ id, title, notes }: Notes): Section {
  const items = notes.map(
    ({ sign, text, ids }) =>
      html`<span class="${sign}">${SIGNS[sign]}</span> ${prose(shortened(text, 2_000))}
        ${ids && folded('Which checks', html`<span class="soft">${ids.join(', ')}</span>`)}`,
  );
  return { id, title, content: list(items) };
}

function requirementLine({ id, level, text }: RequirementResult): Html {
  return html`${tag(level)} <code>${id}</code> ${prose(text)}`;
}

function requirementSection({ requirements }: Result): Section {
  const items = requirements.map((each) => html`${tag(each.outcome)} ${requirementLine(each)}`);
  const content = html`<details class="for-screen">
    <summary>All ${counted(items.length, 'requirement')}</summary>
    ${list(items)}
  </details>`;
  return { id: 'requirements', title: 'Requirements', content };
}

function settingsSection({ target, contract, tool, selection, startedAt }: Result): Section {
  const settings = {
    ...{ startedAt, failOn: selection.failOn, ...target },
    ...{ suite: `${tool.name} ${tool.version}`, contract: `${contract.title} ${contract.version}` },
    digest: contract.digest,
  };
  const told = Object.entries(settings).filter(([, value]) => value !== undefined);
  const rows = told.map(([name, value]): Row => [
    name,
    html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
  ]);
  return { id: 'settings', title: 'Settings', content: html`<div class="card small">${rowList(rows)}</div>` };
}

/** A page that loads nothing and runs no script; whatever a target sent is shown as text. */
function page(title: string, content: Content): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        ${content}
      </body>
    </html> `.text;
}

function verdictBox(verdict: Verdict, words: string, more: readonly Content[] = []): Html {
  return html`<div class="verdict ${verdict}">
    <strong>${verdict.toUpperCase()}</strong>
    <p>${prose(words)}</p>
    ${more.map((content) => html`<p>${content}</p>`)}
  </div>`;
}

/** A result as one page for people: self-contained, in light and dark, wide and narrow. */
export function htmlReport(result: Result): string {
  const { words, hints } = say.headlineOf(result);
  const { verdict, target, tool, findings } = result;
  const sections = [
    ...(findings.length > 0 ? [findingSection(result)] : []),
    ...notesOf(result).map(noteSection),
    requirementSection(result),
    settingsSection(result),
  ];
  return page(
    `${verdict.toUpperCase()}: ${target.baseUrl}`,
    html`<header>
        <h1>Conformance of ${target.baseUrl}</h1>
        ${verdictBox(verdict, words, [
          ...hints.map((text) => html`<b>Hint:</b> ${prose(text)}`),
          html`<b>must:</b> ${say.tallyWords(result, 'must')}<br /><b>should:</b> ${say.tallyWords(result, 'should')}`,
          html`<span class="small">${say.runWords(result)}</span>`,
        ])}
        <nav aria-label="Contents">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
      </header>
      <main>
        ${sections.map(
          ({ id, title, content }) =>
            html`<section id="${id}">
              <h2>${title}</h2>
              ${content}
            </section> `,
        )}
      </main>
      <footer>Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.</footer>`,
  );
}

function targetRow(target: MatrixTarget, unmet: Matrix['unmet']): Html {
  const { name, link, verdict, words, requirements } = target;
  const cells = unmet.map(({ id }) => {
    const outcome = requirements.find((each) => each.id === id)?.outcome;
    return outcome
      ? html`<td class="sign ${outcome}" title="${id}: ${outcome}">${SIGNS[outcome]}</td>`
      : html`<td></td>`;
  });
  return html`<tr>
    <th scope="row">
      ${link === undefined ? name : html`<a href="./${encodeURI(escapeInvisible(link))}">${name}</a>`}
    </th>
    <td>${tag(verdict)}</td>
    <td>${words}</td>
    ${cells}
  </tr>`;
}

/** Several targets as one page: a row for each, and a column for each requirement that not every one of them meets. */
export function htmlMatrix(matrix: Matrix): string {
  const { verdict, words, targets, unmet } = matrix;
  return page(
    `${verdict.toUpperCase()}: ${words}`,
    html`<header>
        <h1>Conformance of several targets</h1>
        ${verdictBox(verdict, `${words}.`)}
      </header>
      <main>
        <h2>Targets</h2>
        <div class="wide" tabindex="0" role="region" aria-label="Targets and requirements">
          <table>
            <thead>
              <tr>
                ${['target', 'verdict', 'result'].map((text) => html`<th scope="col">${text}</th>`)}
                ${unmet.map(({ id }) => html`<th scope="col" class="turned">${id}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${targets.map((target) => targetRow(target, unmet))}
            </tbody>
          </table>
        </div>
        ${
          unmet.length > 0 &&
          html`<h2>The requirements of the columns</h2>
            ${list(unmet.map(requirementLine))}`
        }
      </main>`,
  );
}
