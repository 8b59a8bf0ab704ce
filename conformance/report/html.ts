import { createHash } from 'node:crypto';
import { INCONCLUSIVE_REASONS } from '../judging/reasons.ts';
import { transportErrorText } from '../http/exchange.ts';
import {
  type Counts,
  type ExchangeRecord,
  type RequirementResult,
  type Result,
  isScored,
  type CheckResult,
} from '../result/result.ts';
import { MEMBER_RESTORATIONS } from '../traffic/restoration.ts';
import { EXIT_CODES, OUTCOMES, type Outcome } from '../result/verdict.ts';
import { STYLE } from './html-style.ts';
import { jsonDiff, jsonLines, textDifference } from './json-lines.ts';
import { html, Html as Markup, prose } from '../../common/html.ts';
import { counted, shortened } from '../../common/text.ts';

import { detailText } from './observation-words.ts';
import { scopeWords } from './scope.ts';
import {
  checksStanding,
  decisiveExchanges,
  EXIT_WORDS,
  hintTexts,
  pathOf,
  standingOf,
  toleratedBecause,
  valueText,
  type Standing,
} from './standing.ts';
import { groupedByReason, HEADLINES, missingInputLines, verdictWords } from './wording.ts';

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  error: 'error',
  'known-failure': 'known failure',
  tolerated: 'failed, tolerated',
};

function tag(standing: Standing): Markup {
  return html`<span class="tag ${standing}">${STANDING_WORDS[standing]}</span>`;
}

function levelTag(level: string): Markup {
  return html`<span class="tag level">${level}</span>`;
}

/** An id for the place of something in the page. */
function anchor(kind: 'check' | 'requirement', id: string): string {
  return `${kind}-${encodeURIComponent(id)}`;
}

interface Section {
  readonly id: string;
  readonly title: string;
  /** In the table of contents, behind the title. */
  readonly count?: number;
  readonly content: Markup;
}

function section({ id, title, content }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section> `;
}

function countsCard(level: string, counts: Counts): Markup {
  const { passed, failed, inconclusive, notApplicable, suiteError, knownFailure, total } = counts;
  const applicable = total - notApplicable;
  const parts: readonly (readonly [Outcome, number])[] = [
    ['passed', passed],
    ['failed', failed],
    ['inconclusive', inconclusive],
    ['error', suiteError],
  ];
  const bars = parts.map(([outcome, count], index) => {
    const before = parts.slice(0, index).reduce((sum, [, each]) => sum + each, 0);
    return html`<rect class="${outcome}" x="${before}" y="0" width="${count}" height="1"></rect>`;
  });
  const words = parts.map(([outcome, count]) =>
    count === 0 && outcome !== 'failed' && outcome !== 'inconclusive'
      ? undefined
      : html`<li><span class="${count === 0 ? 'soft' : outcome}">${count}</span> ${STANDING_WORDS[outcome]}</li>`,
  );
  return html`<div class="card">
    <h2>${level} checks</h2>
    <div class="big">${passed}/${applicable} <span class="soft small">passed of those that apply</span></div>
    <svg class="bar" viewBox="0 0 ${Math.max(applicable, 1)} 1" preserveAspectRatio="none" aria-hidden="true">
      ${bars}
    </svg>
    <ul class="parts">
      ${words}
      <li>${notApplicable} not applicable</li>
      ${knownFailure > 0 ? html`<li>${knownFailure} known failure</li>` : undefined}
    </ul>
  </div> `;
}

function fact(name: string, value: Markup | string | undefined): Markup | undefined {
  return value === undefined
    ? undefined
    : html`<dt>${name}</dt>
        <dd>${value}</dd> `;
}

function codeList(values: readonly unknown[] | undefined): Markup | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const items = values.map(
    (value, index) => html`${index === 0 ? '' : ', '}<code>${valueText(value, undefined)}</code>`,
  );
  return html`${items}`;
}

function given(target: Result['target']): Markup {
  const keys = [target.adminKey ? 'admin key' : undefined, target.restrictedKey ? 'restricted key' : undefined];
  const names = keys.filter((key) => key !== undefined);
  return html`<dl class="facts">
    ${[
      fact('Keys', names.length === 0 ? 'none' : names.join(', ')),
      fact('User', codeList(target.userId === undefined ? [] : [target.userId]) ?? 'not given'),
      fact('Other user', codeList(target.otherUserId === undefined ? [] : [target.otherUserId]) ?? 'not given'),
      fact('Missing user', codeList(target.missingUserId === undefined ? [] : [target.missingUserId]) ?? 'not given'),
      fact('Roles', codeList(target.roleIds) ?? 'not given'),
      fact('Banners', codeList(target.bannerIds) ?? 'not given'),
      fact('E-mail domain', html`<code>${target.emailDomain}</code>`),
    ]}
  </dl>`;
}

function facts(result: Result): Markup {
  const { target, contract, tool, selection, startedAt, durationMs, summary } = result;
  const seconds = (durationMs / 1000).toFixed(1);
  return html`<div class="card">
    <dl class="facts">
      ${[
        fact('Target', html`<code><bdi>${target.baseUrl}</bdi></code>`),
        fact('Contract', html`${contract.title} ${contract.version}`),
        fact('Digest', html`<code>${contract.digest}</code>`),
        fact('Scored checks', html`<code>${contract.scoredSetDigest}</code> <span class="soft">(digest)</span>`),
        fact('Suite', `${tool.name} ${tool.version}`),
        fact(
          'Run',
          html`<time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>,
            ${summary.requests} requests in ${seconds} s`,
        ),
        fact('Only', codeList(selection.only)),
        fact('Without', codeList(selection.skip)),
        fact('Fails on', selection.failOn === 'must' ? 'a broken must' : 'a broken must or should'),
      ]}
    </dl>
    <details class="small">
      <summary>What was said of the target</summary>
      ${given(target)}
    </details>
  </div> `;
}

/** The body that was judged, with the member in question marked. */
function bodyBlock(text: string, cut: number | undefined, pointer: string | undefined): Markup {
  const lines = cut === undefined ? jsonLines(text) : undefined;
  const rest = cut === undefined ? undefined : html`<p class="soft small">${cut} more characters are not shown.</p>`;
  if (!lines)
    return html`<pre>${shortened(text)}</pre>
      ${rest}`;
  const marked = (own: string): boolean =>
    pointer !== undefined && pointer !== '' && (own === pointer || own.startsWith(`${pointer}/`));
  const shown = lines.map((line) => (marked(line.pointer) ? html`<mark>${line.text}</mark>` : `${line.text}\n`));
  return html`<pre>${shown}</pre>`;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function exchangeBlock(
  { request, response, transportError, credential, purpose, durationMs }: ExchangeRecord,
  pointer: string | undefined,
): Markup {
  const headers = [headerLines(request.headers), response ? headerLines(response.headers) : ''];
  return html`<h4>${purpose}</h4>
    <dl class="pair">
      <dt>Request</dt>
      <dd>
        <code>${request.method} ${pathOf(request.url)}</code>
        <span class="soft small">with ${credential}</span>
        ${request.body === undefined ? undefined : bodyBlock(request.body, undefined, undefined)}
      </dd>
      <dt>Answer</dt>
      <dd>
        ${
          response
            ? html`<code
                  >${response.status} ${shortened(response.headers['content-type'] ?? '(no Content-Type)', 200)}</code
                >
                <span class="soft small">in ${durationMs} ms</span>
                ${response.body === '' ? html`<p class="soft small">no body</p>` : bodyBlock(response.body, response.cut, pointer)}`
            : html`no answer: ${transportError ? transportErrorText(transportError) : 'nothing came'}`
        }
      </dd>
    </dl>
    <details class="small">
      <summary>Header fields</summary>
      <dl class="pair">
        <dt>Request</dt>
        <dd><pre>${headers[0]}</pre></dd>
        ${
          response
            ? html`<dt>Answer</dt>
                <dd><pre>${headers[1]}</pre></dd>`
            : undefined
        }
      </dl>
    </details> `;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Expected beside got: two structures as a difference of lines, two texts with what differs marked, else one below the other. */
function comparison({ expected, actual, pointer }: NonNullable<CheckResult['failure']>): Markup {
  const where =
    pointer === undefined || pointer === ''
      ? undefined
      : html`<dt>At</dt>
          <dd><code>${pointer}</code></dd>`;
  if (isContainer(expected) && isContainer(actual)) {
    const signs = { both: '  ', expected: '- ', got: '+ ' } as const;
    const lines = jsonDiff(expected, actual).map(
      ({ side, text }) => html`<span class="${side}">${signs[side]}${text}</span>`,
    );
    return html`<dl class="pair">
      <dt>Expected − got +</dt>
      <dd><pre class="diff">${lines}</pre></dd>
      ${where}
    </dl>`;
  }
  const [left, right] = [valueText(expected, pointer), valueText(actual, pointer)];
  const { start, end, ...own } = textDifference(left, right);
  const alike = typeof expected === 'string' && typeof actual === 'string' && start.length + end.length > 2;
  const value = (side: 'expected' | 'got', whole: string): Markup =>
    alike && own[side] !== ''
      ? html`<pre>${start}<span class="own-${side}">${own[side]}</span>${end}</pre>`
      : html`<pre>
${isContainer(side === 'got' ? actual : expected) ? (jsonLines(whole) ?? [{ text: whole }]).map(({ text }) => `${text}\n`) : whole}</pre>`;
  return html`<dl class="pair">
    <dt>Expected</dt>
    <dd>${value('expected', left)}</dd>
    <dt>Got</dt>
    <dd>${value('got', right)}</dd>
    ${where}
  </dl>`;
}

function curlBlock(curl: string | undefined): Markup | undefined {
  return curl === undefined
    ? undefined
    : html`<h4>To send it again (a click selects all of it)</h4>
        <pre class="curl" tabindex="0">${curl}</pre>`;
}

function checkDetails(check: CheckResult, result: Result, open: boolean): Markup {
  const { id, title, level, failure, curl, requirements } = check;
  const exchanges = decisiveExchanges(check);
  const last = exchanges.length - 1;
  const links = requirements.map(
    (requirement, index) =>
      html`${index === 0 ? '' : ', '}<a href="#${anchor('requirement', requirement)}">${requirement}</a>`,
  );
  return html`<details class="check" id="${anchor('check', id)}" ${new Markup(open ? ' open' : '')}>
    <summary>
      <code>${id}</code> ${levelTag(isScored(check) ? level : 'not scored')}<br /><bdi
        >${shortened(failure?.message ?? title, 400)}</bdi
      >
    </summary>
    <p class="soft small">${prose(title)}. Judges ${links}.</p>
    ${
      failure
        ? html`<h4>Expected and got</h4>
            ${comparison(failure)}
            <p class="advice"><b>To mend:</b> ${prose(failure.advice)}</p>`
        : undefined
    }
    ${exchanges.map((exchange, index) => exchangeBlock(exchange, index === last ? failure?.pointer : undefined))}
    ${curlBlock(curl)}
  </details> `;
}

const MOST_OPEN = 3;

/** Failed checks below the sentence that they break; each check stands once. */
function brokenRequirements(checks: readonly CheckResult[], result: Result, mostOpen: number): Markup {
  const shown = new Set<string>();
  const mustFirst = [...result.requirements].sort((left, right) => left.level.localeCompare(right.level));
  const cards = mustFirst.map(({ id, level, text, source, checks: all }) => {
    const failed = checks.filter((check) => all.includes(check.id));
    const own = failed.filter((check) => !shown.has(check.id));
    const others = failed.length - own.length;
    if (failed.length === 0) return undefined;
    const opened = shown.size;
    for (const check of own) shown.add(check.id);
    return html`<article class="card">
      <h3><a href="#${anchor('requirement', id)}">${id}</a> ${levelTag(level)}</h3>
      <p>${prose(text)}</p>
      <p class="source">Source: ${source}</p>
      ${own.map((check, index) => checkDetails(check, result, opened + index < mostOpen))}
      ${others > 0 ? html`<p class="soft small">Broken as well by ${counted(others, 'check')} above.</p>` : undefined}
    </article> `;
  });
  const left = checks.filter(({ id }) => !shown.has(id));
  return html`${cards}${left.map((check) => checkDetails(check, result, false))}`;
}

function idList(checks: readonly CheckResult[]): Markup {
  const items = checks.map(
    ({ id, level }, index) => html`${index === 0 ? '' : ', '}<code>${id}</code>${level === 'must' ? '' : ' (should)'}`,
  );
  return html`<p class="ids">${items}</p>`;
}

function unseenChecks(checks: readonly CheckResult[]): Markup {
  const cards = groupedByReason(checks).map((group) => {
    const [{ reason, detail = '' } = {}] = group;
    const words =
      reason === 'missing-input'
        ? html`<p>Not set; set it and run again:</p>
            <ul>
              ${missingInputLines(group).map((line) => html`<li>${line}</li>`)}
            </ul>`
        : html`<p><bdi>${detail}</bdi></p>`;
    return html`<div class="card">
      <h3>${reason ?? 'not-applicable'} <span class="soft small">${counted(group.length, 'check')}</span></h3>
      ${reason === undefined ? undefined : html`<p class="soft small">Could not run: ${INCONCLUSIVE_REASONS[reason]}.</p>`}
      ${words}
      <details class="small">
        <summary>Which checks</summary>
        ${idList(group)}
      </details>
    </div> `;
  });
  return html`${cards}`;
}

function excusedChecks(checks: readonly CheckResult[], result: Result): Markup {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const unseen = checks.filter(({ outcome }) => outcome !== 'failed');
  return html`<p>The baseline file names these; they do not decide.</p>
    ${
      failed.length > 0
        ? html`<div class="card">
            <h3>Failed</h3>
            ${failed.map((check) => checkDetails(check, result, false))}
          </div>`
        : undefined
    }
    ${
      unseen.length > 0
        ? html`<div class="card">
            <h3>Could not run</h3>
            ${idList(unseen)}
          </div>`
        : undefined
    }`;
}

function observationsList({ observations }: Result): Markup {
  const rows = observations.map(({ id, observed, text, detail }) => {
    const words =
      observed === undefined
        ? html`<span class="soft">Not seen in this run.</span>`
        : html`${prose(text.replace(/\.$/, ''))}<bdi>${shortened(detailText(detail), 2_000)}</bdi>`;
    return html`<tr role="row">
      <th role="rowheader" scope="row" class="point"><code>${id}</code></th>
      <td role="cell">${words}</td>
      <td role="cell" class="soft">${observed === undefined ? '' : html`<code>${observed}</code>`}</td>
    </tr> `;
  });
  return html`<p>What this target does where the contract is silent. None of it is judged.</p>
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Open point</th>
          <th role="columnheader" scope="col">What was seen</th>
          <th role="columnheader" scope="col">In a word</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows}
      </tbody>
    </table>`;
}

function restorationList({ restoration: { outcome, users, journal } }: Result): Markup {
  if (outcome === 'none') return html`<p>No user was written to.</p>`;
  const items = users.map(({ id, members }) => {
    const lines = members.map(
      (member) =>
        html`<li>
          <span class="${member.outcome === 'restored' ? 'passed' : 'failed'}"
            >${member.outcome === 'restored' ? '✓' : '✗'}</span
          >
          <code>${member.member}</code>:
          ${MEMBER_RESTORATIONS[member.outcome]}${
            member.detail === undefined ? undefined : html` (<bdi>${shortened(member.detail, 1_000)}</bdi>)`
          }
        </li>`,
    );
    return html`<h3>User <code>${id}</code></h3>
      <ul class="list">
        ${lines.length === 0 ? html`<li>nothing was written</li>` : lines}
      </ul>`;
  });
  const words =
    outcome === 'complete' ? 'The users are as they were before the run.' : 'Not every user is as before the run.';
  return html`<p>${words}</p>
    <div class="card">
      ${items}${journal === undefined ? undefined : html`<p>Journal: <code>${journal}</code></p>`}
    </div>`;
}

function radios(name: string, legend: string, options: readonly (readonly [string, string, number])[]): Markup {
  const inputs = options.map(
    ([value, words, count], index) =>
      html`<label class="pick"
        ><input type="radio" name="${name}" id="${name}-${value}" ${new Markup(index === 0 ? ' checked' : '')} /><span
          >${words} (${count})</span
        ></label
      >`,
  );
  return html`<fieldset>
    <legend>${legend}</legend>
    ${inputs}
  </fieldset>`;
}

function requirementRow({ id, level, text, source, outcome, checks: ids }: RequirementResult, result: Result): Markup {
  const checks = result.checks.filter((check) => ids.includes(check.id));
  const lines = checks.map((check) => {
    const standing = standingOf(check, result.selection);
    const name = check.outcome === 'failed' ? html`<a href="#${anchor('check', check.id)}">${check.id}</a>` : check.id;
    return html`<li>${tag(standing)} <code>${name}</code> ${prose(check.title)}</li>`;
  });
  const passed = checks.filter((check) => check.outcome === 'passed').length;
  const applicable = checks.filter((check) => check.outcome !== 'not-applicable').length;
  return html`<tr role="row" id="${anchor('requirement', id)}" class="o-${outcome} l-${level}">
    <td role="cell" class="outcome">${tag(outcome)}</td>
    <td role="cell" class="level">${levelTag(level)}</td>
    <th role="rowheader" scope="row">
      <code>${id}</code><br />${prose(text)}
      <p class="source">Source: ${source}</p>
      <details class="small">
        <summary>${counted(checks.length, 'check')}, ${passed}/${applicable} passed</summary>
        <ul class="list">
          ${lines}
        </ul>
      </details>
    </th>
  </tr> `;
}

function requirementTable(result: Result): Markup {
  const { requirements } = result;
  const count = (test: (requirement: RequirementResult) => boolean): number => requirements.filter(test).length;
  const outcomes = OUTCOMES.map(
    (outcome) => [outcome, STANDING_WORDS[outcome], count((each) => each.outcome === outcome)] as const,
  ).filter(([, , number]) => number > 0);
  return html`<p>Each sentence of the contract is as the worst of its checks.</p>
    ${radios('outcome', 'Outcome', [['all', 'all', requirements.length], ...outcomes])}
    ${radios('level', 'Level', [
      ['all', 'all', requirements.length],
      ['must', 'must', count(({ level }) => level === 'must')],
      ['should', 'should', count(({ level }) => level === 'should')],
    ])}
    <table role="table" class="requirements">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Outcome</th>
          <th role="columnheader" scope="col">Level</th>
          <th role="columnheader" scope="col">Requirement</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${requirements.map((requirement) => requirementRow(requirement, result))}
      </tbody>
    </table>`;
}

/** The filters of the table: what a chosen radio button does not want is not shown. No script is needed. */
const FILTERS = [
  ...OUTCOMES.map((outcome) => [`outcome-${outcome}`, `o-${outcome}`] as const),
  ...(['must', 'should'] as const).map((level) => [`level-${level}`, `l-${level}`] as const),
]
  .map(([id, name]) => `body:has(#${id}:checked) .requirements tbody tr:not(.${name}){display:none}`)
  .join('\n');

const SHEET = `${STYLE}\n${FILTERS}\n`;
/** Made here, since the browser compares its text with the digest to the last blank. */
const STYLE_ELEMENT = new Markup(`<style>${SHEET}</style>`);
const SHEET_DIGEST = createHash('sha256').update(SHEET).digest('base64');

function sectionsOf(result: Result): Section[] {
  const standing = (wanted: Standing): CheckResult[] => checksStanding(result, wanted);
  const [failed, tolerated, excused] = [standing('failed'), standing('tolerated'), standing('known-failure')];
  const [faults, unseen, inapplicable] = [standing('error'), standing('inconclusive'), standing('not-applicable')];
  const { baselineProblems } = result.summary;
  const reasons = [...new Set(tolerated.map(toleratedBecause))];
  const some = (count: number, made: () => Section): Section[] => (count === 0 ? [] : [{ ...made(), count }]);
  return [
    ...some(faults.length, () => ({
      id: 'faults',
      title: 'Faults of the suite',
      content: html`${[...new Set(faults.map(({ detail = '' }) => detail))].map((detail) => html`<div class="card"><p>${detail}</p></div>`)}
      ${idList(faults)}`,
    })),
    ...some(baselineProblems.length, () => ({
      id: 'baseline',
      title: 'The baseline does not fit',
      content: html`<div class="card">
        <ul class="list">
          ${baselineProblems.map(({ kind, message }) => html`<li><b>${kind}</b>: ${message}</li>`)}
        </ul>
      </div>`,
    })),
    ...some(failed.length, () => ({
      id: 'failed',
      title: 'Broken requirements',
      content: brokenRequirements(failed, result, MOST_OPEN),
    })),
    ...some(unseen.length, () => ({ id: 'unseen', title: 'Could not run', content: unseenChecks(unseen) })),
    ...some(tolerated.length, () => ({
      id: 'tolerated',
      title: 'Broken, but not failing the run',
      content: html`<p>Not counted, because ${reasons.join(', or ')}.</p>
        ${brokenRequirements(tolerated, result, 0)}`,
    })),
    ...some(excused.length, () => ({
      id: 'known-failure',
      title: 'Excused by the baseline',
      content: excusedChecks(excused, result),
    })),
    { id: 'requirements', title: 'Requirements', count: result.requirements.length, content: requirementTable(result) },
    ...some(inapplicable.length, () => ({
      id: 'inapplicable',
      title: 'Not applicable',
      content: unseenChecks(inapplicable),
    })),
    ...some(result.observations.length, () => ({
      id: 'observations',
      title: 'Observations',
      content: observationsList(result),
    })),
    { id: 'restoration', title: 'Putting the users back', content: restorationList(result) },
  ];
}

/** One page with everything, for people: it loads nothing, and needs no script. Whatever the target sent is shown as text. */
export function htmlReport(result: Result): string {
  const { verdict, contract, target, summary, tool } = result;
  const { label, words } = HEADLINES[verdict];
  const sections = sectionsOf(result);
  const links = sections.map(
    ({ id, title, count }) => html`<li><a href="#${id}">${title}${count === undefined ? '' : ` (${count})`}</a></li>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'sha256-${new Markup(SHEET_DIGEST)}'; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${label.trim()}: ${target.baseUrl} and ${contract.title} ${contract.version}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">To the findings</a>
        <header>
          <h1>Conformance of <bdi>${target.baseUrl}</bdi></h1>
          <div class="verdict ${verdict}">
            <strong>${label.trim()}</strong>
            <p>${verdictWords(result, words)}</p>
            ${scopeWords(result.selection).map((sentence) => html`<p>${sentence}</p>`)}
            <p class="small">Exit code ${EXIT_CODES[verdict]}: ${EXIT_WORDS[verdict]}.</p>
            ${hintTexts(result).map((text) => html`<p><b>Hint:</b> ${text}</p>`)}
          </div>
          <div class="counts">${countsCard('must', summary.must)}${countsCard('should', summary.should)}</div>
          ${facts(result)}
        </header>
        <nav aria-label="Contents">
          <ul>
            ${links}
          </ul>
        </nav>
        <main id="content">${sections.map(section)}</main>
        <footer>Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.</footer>
      </body>
    </html> `.text;
}
