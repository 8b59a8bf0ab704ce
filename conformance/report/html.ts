import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Html, prose, type Content } from '../../common/html.ts';
import { isRecord, parsedJson } from '../../common/json.ts';
import { matrixTable } from '../../common/matrix.ts';
import { counted, escapeInvisible, present, shortened } from '../../common/text.ts';
import type { Finding, Result, Verdict } from '../facts/result.ts';
import type { Matrix, MatrixTarget } from './matrix.ts';
import { type Notes, notesOf, SIGNS } from './notes.ts';
import * as say from './words.ts';

const OWN_STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const MATRIX_STYLE = readFileSync(new URL('../../common/matrix.css', import.meta.url), 'utf8');
const STYLE = OWN_STYLE + MATRIX_STYLE;
/** Adds to a page what works without it: buttons that copy, and folds that open all at once. */
const SCRIPT = readFileSync(new URL('page.js', import.meta.url), 'utf8');

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

function bullets(items: readonly Content[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul>`;
}

function folded(summary: string, content: Content): Html {
  return html`<details class="small">
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

function pre(content: Content): Html {
  return html`<pre tabindex="0">${content}</pre>`;
}

/** Characters of a line of a command where the page is wide. */
const COMMAND_COLUMNS = 90;

/** A command, with a button that copies it where scripts run. */
function command(text: string): Html {
  const lines = say.brokenCommand(text, COMMAND_COLUMNS);
  return html`<div class="command">
    ${pre(lines.join('\n'))}<button type="button" class="copy" hidden>Copy</button>
  </div>`;
}

/** A body with a line for each value, in which those of one member are marked. */
function marked(body: string, member: string | undefined): Content {
  if (member === undefined) return body;
  const start = `${JSON.stringify(member)}: `;
  return body.split('\n').map((line, index) => {
    const isOfMember = line.trimStart().startsWith(start);
    return [index > 0 && '\n', isOfMember ? html`<mark>${line}</mark>` : line];
  });
}

/** A body; what is beyond the first lines is folded. */
function block(body: string, member?: string): Content {
  const { shown, others, count } = say.excerpt(body, 2_000);
  if (shown === '') return false;
  const isMissing = member !== undefined && isRecord(parsedJson(body)) && !body.includes(JSON.stringify(member));
  return [
    pre(marked(shown, member)),
    others !== '' && folded(count, pre(marked(others, member))),
    isMissing && html`<p class="small"><mark>${JSON.stringify(member)} is missing</mark></p>`,
  ];
}

function exchangeRows({ exchange, label }: say.LabelledExchange, member: string | undefined): Row[] {
  const { response, durationMs, curl } = exchange;
  const { headers = {}, body = '', cut } = response ?? {};
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    [label, command(curl)],
    [
      'response',
      html`<code>${say.responseWords(exchange)}</code>
        <span class="soft small">in ${Math.round(durationMs)} ms</span> ${block(body, member)}
        ${cut !== undefined && html`<p class="soft small">${counted(cut, 'more character')} not kept.</p>`}
        ${fields.length > 0 && folded('Header fields', pre(fields.join('\n')))}`,
    ],
  ];
}

function findingRows(finding: Finding, result: Result): Row[] {
  const { expected, actual, fix, checks, member } = finding;
  const { rerun, explain } = say.commandsOf(finding, result);
  const others = say.otherFailures(finding);
  return present<Row>([
    ['expected', prose(expected)],
    ['actual', prose(actual)],
    others.length > 0 && ['also', bullets(others.map(prose))],
    ['fix', html`<b>${prose(fix)}</b>`],
    ...say.exchangesOf(finding).flatMap((each) => exchangeRows(each, member)),
    ['rerun', command(rerun)],
    ['explain', command(explain)],
    checks.length > 0 && ['checks', html`<span class="small">${checks.join(', ')}</span>`],
  ]);
}

function findingCard(finding: Finding, result: Result, isOpen: boolean): Html {
  const { title, level, requirement, id } = finding;
  const text = result.requirements.find((each) => each.id === requirement)?.text ?? '';
  const standing = say.standingOf(finding, result);
  const [, ...facts] = say.findingFacts(finding, result);
  // The anchor is inside, so that a link to it opens the fold.
  return html`<details class="card finding finding-${standing} of-${level} of-failed" ${new Html(isOpen ? 'open' : '')}>
    <summary>
      ${tag(level)}
      <h3>${prose(shortened(title, 400))}</h3>
      <span class="facts soft small">${facts.join(' · ')}</span>
    </summary>
    <p class="soft small" id="${id}">${prose(text)} <a href="#${id}" aria-label="Link to ${id}">#</a></p>
    ${rowList(findingRows(finding, result))}
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
    (note) =>
      html`<span class="${note.sign}">${SIGNS[note.sign]}</span> ${prose(shortened(note.text, 2_000))}
        ${note.command !== undefined && command(note.command)}
        ${note.ids && folded('Which checks', html`<span class="soft">${note.ids.join(', ')}</span>`)}`,
  );
  return { id, title, content: html`<div class="card">${bullets(items)}</div>` };
}

function requirementSection({ requirements }: Result): Section {
  const items = requirements.map(
    ({ id, level, text, outcome }) =>
      html`<li class="of-${level} of-${outcome}">${tag(outcome)} ${tag(level)} <code>${id}</code> ${prose(text)}</li> `,
  );
  const content = html`<details>
    <summary>All ${counted(items.length, 'requirement')}</summary>
    <div class="card">
      <ul>
        ${items}
      </ul>
    </div>
  </details>`;
  return { id: 'requirements', title: 'Requirements', content };
}

/** What can be filtered by, with its words. */
const FILTERS = {
  level: { must: 'must', should: 'should' },
  outcome: { failed: 'broken', inconclusive: 'inconclusive', passed: 'held', 'not-applicable': 'not applicable' },
} as const;

/** Boxes that hide findings and requirements, and one that opens all folds; the style reads them. */
function filterBar(): Html {
  const box = ([id, words]: readonly [string, string]): Html =>
    html`<label><input type="checkbox" id="show-${id}" checked autocomplete="off" /> ${words}</label> `;
  const groups = Object.entries(FILTERS).map(
    ([name, boxes]) =>
      html`<fieldset>
        <legend>${name}</legend>
        ${Object.entries(boxes).map(box)}
      </fieldset> `,
  );
  return html`<form class="filter" aria-label="What is shown">
    ${groups}
    <fieldset>
      <legend>folds</legend>
      <label><input type="checkbox" id="open-all" autocomplete="off" /> open all</label>
    </fieldset>
  </form>`;
}

function settingsSection({ target, contract, tool, selection, startedAt }: Result): Section {
  const settings = {
    startedAt,
    failOn: selection.failOn,
    ...target,
    suite: `${tool.name} ${tool.version}`,
    contract: `${contract.title} ${contract.version}`,
    digest: contract.digest,
  };
  const told = Object.entries(settings).filter(([, value]) => value !== undefined);
  const rows = told.map(([name, value]): Row => [
    name,
    html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
  ]);
  return { id: 'settings', title: 'Settings', content: html`<div class="card small">${rowList(rows)}</div>` };
}

const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
const POLICY = `default-src 'none'; style-src ${digest(STYLE)}; script-src ${digest(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** A page that loads nothing and runs no script but its own; whatever a target sent is shown as text. */
function page(title: string, content: Content): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        ${content} ${new Html(`<script>${SCRIPT}</script>`)}
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

/** When a result was made, and by what. */
function madeBy({ startedAt, tool, contract }: Result): string {
  const time = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`;
  return [time, `${tool.name} ${tool.version}`, `${contract.title} ${contract.version}`].join(' · ');
}

/** A result as one page for people: self-contained, in light and dark, wide and narrow. */
export function htmlReport(result: Result): string {
  const { words, hints } = say.headlineOf(result);
  const { verdict, target, tool, findings } = result;
  const sections = present([
    findings.length > 0 && findingSection(result),
    ...notesOf(result).map(noteSection),
    requirementSection(result),
    settingsSection(result),
  ]);
  return page(
    `${verdict.toUpperCase()}: ${target.baseUrl}`,
    html`<header>
        <h1>Conformance of ${target.baseUrl}</h1>
        <p class="soft small">${madeBy(result)}</p>
        ${verdictBox(verdict, words, [
          ...hints.map((text) => html`<b>Hint:</b> ${prose(text)}`),
          html`<b>must:</b> ${say.tallyWords(result, 'must')}<br /><b>should:</b> ${say.tallyWords(result, 'should')}`,
          html`<span class="small">${say.runWords(result)}</span>`,
        ])}
        <nav aria-label="Contents">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
        ${filterBar()}
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
      <footer>Written by ${tool.name} ${tool.version}. This page loads nothing and contains no key.</footer>`,
  );
}

/** Several targets as one page: a column for each, and a row for each requirement that not every one of them meets. */
export function htmlMatrix(matrix: Matrix): string {
  const { verdict, words, targets, unmet } = matrix;
  const linkTo = ({ link }: MatrixTarget): string | undefined =>
    link === undefined ? undefined : `./${encodeURI(escapeInvisible(link))}`;
  const columns = targets.map((target) => ({ title: target.name, link: linkTo(target), note: target.verdict }));
  const rows = unmet.map(({ id, level, text }) => ({
    title: id,
    note: html`${level}: ${prose(text)}`,
    cells: targets.map((target) => {
      const outcome = target.requirements.find((each) => each.id === id)?.outcome ?? 'not-applicable';
      const page = linkTo(target);
      return { outcome, link: page !== undefined && outcome === 'failed' ? `${page}#${id}` : page };
    }),
  }));
  return page(
    `${verdict.toUpperCase()}: ${words}`,
    html`<header>
        <h1>Conformance of several targets</h1>
        ${verdictBox(verdict, `${words}.`)}
      </header>
      <main>
        <h2>Targets</h2>
        <div class="card">
          ${bullets(targets.map((target) => html`${tag(target.verdict)} ${targetName(target, linkTo(target))} ${prose(target.words)}`))}
        </div>
        ${unmet.length > 0 && html`<h2>Requirements that not every target meets</h2>`}
        ${unmet.length > 0 && matrixTable('Targets and requirements', 'Requirement', columns, rows)}
      </main>`,
  );
}

function targetName({ name }: MatrixTarget, link: string | undefined): Content {
  return html`<b>${link === undefined ? name : html`<a href="${link}">${name}</a>`}</b>`;
}
