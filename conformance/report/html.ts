import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Html, prose, type Content } from '../../common/html.ts';
import { counted, escapeInvisible, shortened } from '../../common/text.ts';
import type { Matrix, MatrixTarget } from '../result/matrix.ts';
import {
  EXIT_CODES,
  type ExchangeRecord,
  type Finding,
  type Outcome,
  type Result,
  type Verdict,
} from '../result/result.ts';
import { countOutcomes } from '../result/verdict.ts';
import { type Notes, notesOf, SIGNS } from './notes.ts';
import * as say from './words.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');

/** Lines of a body that are shown at once; the rest is folded. */
const MOST_LINES = 10;

function tag(name: string): Html {
  return html`<span class="tag ${name}">${name.replace('-', ' ')}</span>`;
}

type Row = readonly [label: string, content: Content];

function rowList(rows: readonly Row[]): Html {
  return html`<dl>
    ${rows.map(
      ([label, content]) =>
        html`<dt>${label}</dt>
          <dd>${content}</dd> `,
    )}
  </dl>`;
}

/** A body; what is beyond the first lines is folded. */
function block(body: string): Content {
  const text = say.indented(body);
  const [start, rest] = say.excerpt(text, MOST_LINES, 2_000);
  if (text === '') return false;
  if (rest === '') return html`<pre tabindex="0">${text}</pre>`;
  return html`<pre>${start}</pre>
    <details class="small">
      <summary>${rest}</summary>
      <pre>${text.slice(start.length).replace(/^\n/, '')}</pre>
    </details>`;
}

function headerFields(exchange: ExchangeRecord): Html {
  const all = [exchange.request.headers, exchange.response?.headers ?? {}];
  const [sent = '', received = ''] = all.map((headers) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  );
  return html`<details class="small">
    <summary>Header fields</summary>
    <pre>${sent}</pre>
    ${received !== '' && html`<pre>${received}</pre>`}
  </details>`;
}

function exchangeRows(exchange: ExchangeRecord): Row[] {
  const { request, response, durationMs, curl } = exchange;
  const cut = response?.cut;
  return [
    ['request', html`<code>${request.method} ${request.url}</code> ${block(request.body ?? '')}`],
    [
      'response',
      html`<code>${say.responseWords(exchange)}</code>
        <span class="soft small">in ${Math.round(durationMs)} ms</span> ${block(response?.body ?? '')}
        ${cut !== undefined && html`<p class="soft small">${counted(cut, 'more character')} not kept.</p>`}
        ${headerFields(exchange)}`,
    ],
    ['send again', html`<pre tabindex="0">${curl}</pre>`],
  ];
}

function findingCard(finding: Finding, result: Result, isOpen: boolean): Html {
  const { title, level, requirement, expected, actual, fix, checks, exchanges } = finding;
  const text = result.requirements.find(({ id }) => id === requirement)?.text ?? '';
  const rows: Row[] = [
    ['expected', prose(expected)],
    ['actual', prose(actual)],
    ['fix', html`<b>${prose(fix)}</b>`],
    ...exchanges.flatMap(exchangeRows),
    [say.rerunLabel(finding), html`<pre tabindex="0">${say.rerunOf(finding, result)}</pre>`],
    ['explain', html`<pre tabindex="0">${say.explainOf(finding, result)}</pre>`],
    ...(checks.length > 0 ? [['checks', html`<span class="small">${checks.join(', ')}</span>`] as const] : []),
  ];
  const [, ...facts] = say.findingFacts(finding);
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

/** A section of the page, if there is something in it. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  readonly content: Content;
}

function list(items: readonly Content[]): Html {
  return html`<div class="card">
    <ul>
      ${items.map((item) => html`<li>${item}</li> `)}
    </ul>
  </div>`;
}

function findingSections(result: Result): Section[] {
  return (['failed', 'tolerated', 'known'] as const).map((standing) => {
    const findings = say.findingsStanding(result, standing);
    const cards = findings.map((finding, index) => findingCard(finding, result, standing === 'failed' && index === 0));
    return { id: standing, title: say.FINDING_TITLES[standing], count: findings.length, content: cards };
  });
}

const CLASSES = {
  good: 'passed',
  bad: 'failed',
  open: 'inconclusive',
  none: 'soft',
  known: 'soft',
  error: 'error',
} as const;

function noteSection({ id, title, notes }: Notes): Section {
  const items = notes.map(
    ({ sign, text, ids }) =>
      html`<span class="${CLASSES[sign]}">${SIGNS[sign]}</span> ${prose(shortened(text, 2_000))}
        ${
          ids &&
          html`<details>
            <summary>Which checks</summary>
            <span class="soft">${ids.join(', ')}</span>
          </details>`
        }`,
  );
  return { id, title, content: list(items) };
}

function requirementSection(result: Result): Section {
  const order: readonly Outcome[] = ['error', 'failed', 'inconclusive', 'passed', 'not-applicable'];
  const sorted = order.flatMap((outcome) => result.requirements.filter((each) => each.outcome === outcome));
  const items = sorted.map(
    ({ id, level, text, outcome }) => html`${tag(outcome)} ${tag(level)} <code>${id}</code> ${prose(text)}`,
  );
  const content = html`<details class="for-screen">
    <summary>All ${counted(items.length, 'requirement')}, the worst first</summary>
    ${list(items)}
  </details>`;
  return { id: 'requirements', title: 'Requirements', count: items.length, content };
}

function settingsSection({ target, contract, tool, selection, startedAt }: Result): Section {
  const told = Object.entries(target).filter(([, value]) => value !== undefined);
  const rows: Row[] = [
    ['started', startedAt.replace('T', ' ').replace(/(?:\.\d{1,9})?Z$/, ' UTC')],
    ['fails on', selection.failOn],
    ...told.map(([name, value]): Row => [
      name,
      html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
    ]),
    ['suite', `${tool.name} ${tool.version}`],
    ['contract', `${contract.title} ${contract.version}`],
    ['digest', html`<code>${contract.digest}</code>`],
  ];
  return { id: 'settings', title: 'Settings', content: html`<div class="card small">${rowList(rows)}</div>` };
}

function sectionsOf(result: Result): Section[] {
  const notes = notesOf(result).filter(({ id }) => id !== 'known-failures');
  const [first, ...others] = notes.map(noteSection);
  const isError = first?.id === 'errors';
  return [
    ...(first && isError ? [first] : []),
    ...findingSections(result).filter(({ count }) => count !== 0),
    ...(first && !isError ? [first] : []),
    ...others,
    requirementSection(result),
    settingsSection(result),
  ];
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

function sectionHtml({ id, title, content }: Section): Html {
  return html`<section id="${id}">
    <h2>${title}</h2>
    ${content}
  </section> `;
}

function verdictBox(verdict: Verdict, label: string, words: string, more: readonly Content[]): Html {
  return html`<div class="verdict ${verdict}">
    <strong>${label}</strong>
    <p>${prose(words)}</p>
    ${more.map((content) => html`<p>${content}</p>`)}
  </div>`;
}

function countCard([label, judged]: readonly [string, Parameters<typeof countOutcomes>[0]]): Html {
  const counts = countOutcomes(judged);
  const [, ...more] = say.countsWords(counts).split(', ');
  return html`<div class="card">
    <b>${label}</b>
    <div class="big">
      ${counts.passed}/${counts.total - counts.notApplicable} <span class="soft small">passed</span>
    </div>
    <div class="soft small">${more.join(', ')}</div>
  </div>`;
}

/** A result as one page for people: self-contained, in light and dark, wide and narrow. */
export function htmlReport(result: Result): string {
  const { label, words, more, hints } = say.headlineOf(result);
  const { verdict, target, checks, requirements, tool } = result;
  const sections = sectionsOf(result);
  const at = (level: string) => checks.filter((check) => check.level === level);
  const counts = [
    ['Requirements', requirements],
    ['Checks of a must', at('must')],
    ['Checks of a should', at('should')],
  ] as const;
  return page(
    `${label}: ${target.baseUrl}`,
    html`<header>
        <h1>Conformance of ${target.baseUrl}</h1>
        ${verdictBox(verdict, label, words, [
          ...more.map(prose),
          ...hints.map((text) => html`<b>Hint:</b> ${prose(text)}`),
          html`<span class="small">${say.runWords(result)} · exit code ${EXIT_CODES[verdict]}</span>`,
        ])}
        <div class="counts">${counts.filter(([, judged]) => judged.length > 0).map(countCard)}</div>
        <nav aria-label="Contents">
          ${sections.map(
            ({ id, title, count }) => html`<a href="#${id}">${title}${count !== undefined && ` (${count})`}</a> `,
          )}
        </nav>
      </header>
      <main>${sections.map(sectionHtml)}</main>
      <footer>Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.</footer>`,
  );
}

/** Told apart without their colours, too. */
const OUTCOME_SIGNS: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
  error: '!',
  'not-applicable': '–',
};

function targetRow({ name, link, verdict, result, problem }: MatrixTarget, unmet: Matrix['unmet']): Html {
  const cells = unmet.map(({ id }) => {
    const outcome = result?.requirements.find((each) => each.id === id)?.outcome;
    return outcome
      ? html`<td class="sign ${outcome}" title="${id}: ${outcome}">${OUTCOME_SIGNS[outcome]}</td>`
      : html`<td></td>`;
  });
  return html`<tr>
    <th scope="row">
      ${link === undefined ? name : html`<a href="./${encodeURI(escapeInvisible(link))}">${name}</a>`}
    </th>
    <td>${tag(verdict)}</td>
    <td>${shortened(result ? say.headlineOf(result).words : (problem ?? ''), 300)}</td>
    ${cells}
  </tr>`;
}

/** Several targets as one page: a row for each, and a column for each requirement that not every one of them meets. */
export function htmlMatrix({ verdict, counts, targets, unmet }: Matrix): string {
  const many = Object.entries(counts).filter(([, count]) => count > 0);
  const words = `${counted(targets.length, 'target')}: ${many.map(([each, count]) => `${count} ${each}`).join(', ')}.`;
  return page(
    `${verdict.toUpperCase()}: ${counted(targets.length, 'target')}`,
    html`<header>
        <h1>Conformance of several targets</h1>
        ${verdictBox(verdict, verdict.toUpperCase(), words, [])}
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
            ${list(unmet.map(({ id, level, text }) => html`${tag(level)} <code>${id}</code> ${prose(text)}`))}`
        }
      </main>`,
  );
}
