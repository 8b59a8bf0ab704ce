import type { CheckResult, Finding, RequirementResult, Result } from '../../result/result.ts';
import { OUTCOMES, type Outcome } from '../../result/verdict.ts';
import { html, Html, join, prose } from '../../../common/html.ts';
import { LEVELS } from '../../../contract/document.ts';
import { standingOf } from '../content/check-standing.ts';
import { headlineOf } from '../content/headline.ts';
import { detailText } from '../content/observation-words.ts';
import type { ReasonGroup } from '../content/reason-groups.ts';
import type { RestorationLine } from '../content/restoration.ts';
import { sectionsOf, type Content, type Section } from '../content/sections.ts';
import { counted, shortened } from '../../../common/text.ts';
import { failureDetails, findingDetails } from './failure.ts';
import { factsCard, pageHead } from './head.ts';
import { page } from './page.ts';
import { anchor, card, folded, levelTag, plainList, standingTag, standingWords } from './parts.ts';
import { SEARCH } from './search.ts';

function idList(checks: readonly CheckResult[]): Html {
  const items = checks.map(({ id, level }) => html`<code>${id}</code>${level !== 'must' && ' (should)'}`);
  return html`<p class="ids">${join(items, ', ')}</p>`;
}

function reasonCard({ reason, detail, missing, checks }: ReasonGroup): Html {
  return card(
    html`<h3>${reason ?? 'not-applicable'} <span class="soft small">${counted(checks.length, 'check')}</span></h3>
      <p><bdi>${detail}</bdi></p>
      ${missing.length > 0 && plainList(missing)} ${folded('Which checks', idList(checks))}`,
  );
}

function table(columns: readonly string[], rows: readonly Html[], className = ''): Html {
  return html`<table role="table" class="${className}">
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`;
}

function observationRow({ id, observed, text, detail }: Result['observations'][number]): Html {
  const words =
    observed === undefined
      ? html`<span class="soft">Not seen in this run.</span>`
      : html`${prose(text.replace(/\.$/, ''))}<bdi>${shortened(detailText(detail), 2_000)}</bdi>`;
  return html`<tr role="row">
    <th role="rowheader" scope="row" class="point"><code>${id}</code></th>
    <td role="cell">${words}</td>
    <td role="cell" class="soft">${observed === undefined ? '' : html`<code>${observed}</code>`}</td>
  </tr> `;
}

function restorationItem({ text, restored }: RestorationLine): Html {
  const [style, sign] = restored ? ['passed', '✓'] : ['failed', '✗'];
  return html`<span class="${style}">${sign}</span> <bdi>${shortened(text, 1_000)}</bdi>`;
}

function radios(
  name: string,
  legend: string,
  options: readonly (readonly [string, string, number])[],
  more?: Html,
): Html {
  const inputs = options.map(
    ([value, words, count], index) =>
      html`<label class="pick"
        ><input type="radio" name="${name}" id="${name}-${value}" ${new Html(index === 0 ? ' checked' : '')} /><span
          >${words} (${count})</span
        ></label
      >`,
  );
  return html`<fieldset>
    <legend>${legend}</legend>
    ${inputs} ${more}
  </fieldset>`;
}

function levelRadios(name: string, all: readonly (Finding | RequirementResult)[], more?: Html): Html {
  const count = (wanted: string): number => all.filter(({ level }) => level === wanted).length;
  const levels = LEVELS.map((level) => [level, level, count(level)] as const);
  return radios(name, 'Level', [['all', 'all', all.length], ...levels], more);
}

function contentMarkup(content: Content, result: Result): Html {
  switch (content.kind) {
    case 'sentences':
      return card(plainList(content.sentences));
    case 'findings':
      return html`${content.findings.map((finding, index) => {
        return findingDetails(finding, result, index === 0 && content.standing === 'failed');
      })}`;
    case 'failures':
      return card(content.checks.map((check) => failureDetails(check, result)));
    case 'reasons':
      return html`${content.groups.map(reasonCard)}`;
    case 'checks':
      return card(idList(content.checks));
    case 'observations':
      return table(['Open point', 'What was seen', 'In a word'], content.observations.map(observationRow));
    case 'restoration':
      return card(plainList(content.lines.map(restorationItem)));
  }
}

function requirementRow({ id, level, text, source, outcome, checks: ids }: RequirementResult, result: Result): Html {
  const checks = result.checks.filter((check) => ids.includes(check.id));
  const lines = checks.map((check) => {
    const name = check.outcome === 'failed' ? html`<a href="#${anchor('check', check.id)}">${check.id}</a>` : check.id;
    const tag = standingTag(standingOf(check, result.selection));
    return html`${tag} <code>${name}</code> ${prose(check.title)}`;
  });
  const passed = checks.filter((check) => check.outcome === 'passed').length;
  const applicable = checks.filter((check) => check.outcome !== 'not-applicable').length;
  return html`<tr role="row" id="${anchor('requirement', id)}" class="o-${outcome} l-${level}">
    <td role="cell" class="outcome">${standingTag(outcome)}</td>
    <td role="cell" class="level">${levelTag(level)}</td>
    <th role="rowheader" scope="row">
      <code>${id}</code><br />${prose(text)}
      <p class="source">Source: ${source}</p>
      ${folded(`${counted(checks.length, 'check')}, ${passed}/${applicable} passed`, plainList(lines))}
    </th>
  </tr> `;
}

function requirementTable(result: Result): Html {
  const { requirements } = result;
  const count = (wanted: Outcome): number => requirements.filter(({ outcome }) => outcome === wanted).length;
  const outcomes = OUTCOMES.map((outcome) => [outcome, standingWords(outcome), count(outcome)] as const).filter(
    ([, , number]) => number > 0,
  );
  return html`${radios('outcome', 'Outcome', [['all', 'all', requirements.length], ...outcomes])}
  ${levelRadios('level', requirements)}
  ${table(
    ['Outcome', 'Level', 'Requirement'],
    requirements.map((requirement) => requirementRow(requirement, result)),
    'requirements',
  )}`;
}

/** The filters: what a chosen radio button does not want is not shown. No script is needed. */
const FILTERS = [
  ...OUTCOMES.map((outcome) => [`outcome-${outcome}`, `o-${outcome}`] as const),
  ...LEVELS.map((level) => [`level-${level}`, `l-${level}`] as const),
]
  .map(([id, name]) => `body:has(#${id}:checked) .requirements tbody tr:not(.${name}){display:none}`)
  .concat(LEVELS.map((level) => `body:has(#finding-${level}:checked) .finding:not(.l-${level}){display:none}`))
  .join('\n');

type Chapter = Pick<Section, 'id' | 'title' | 'lead' | 'count'> & { readonly markup: Html };

/** For where scripts run. */
const SEARCH_FIELD = html`<label class="search" hidden>Search <input type="search" id="search" /></label>`;

/** The sections of every report; this format adds all requirements before the observations, and the settings at the end. */
function chaptersOf(result: Result): Chapter[] {
  const requirements: Chapter = {
    id: 'requirements',
    title: 'Requirements',
    lead: 'Each requirement takes the outcome of its worst check.',
    count: result.requirements.length,
    markup: requirementTable(result),
  };
  const sections = sectionsOf(result);
  const first = sections.find(({ content }) => content.kind === 'findings');
  const chapters = sections.map((section): Chapter => {
    const isFiltered = section === first && result.findings.length > 1;
    const filter = isFiltered && levelRadios('finding', result.findings, SEARCH_FIELD);
    return { ...section, markup: html`${filter} ${contentMarkup(section.content, result)}` };
  });
  const place = chapters.findIndex(({ id }) => id === 'observations' || id === 'restoration');
  const settings: Chapter = { id: 'settings', title: 'Settings and versions', markup: factsCard(result) };
  return [...chapters.toSpliced(place, 0, requirements), settings];
}

function chapterMarkup({ id, title, lead, markup }: Chapter): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${lead !== undefined && html`<p>${prose(lead)}</p>`} ${markup}
  </section> `;
}

/** One page with everything, for people: it loads nothing, and only the search needs its script. Whatever the target sent is shown as text. */
export function htmlReport(result: Result): string {
  const { contract, target, tool } = result;
  const { label } = headlineOf(result);
  const chapters = chaptersOf(result);
  const links = chapters.map(
    ({ id, title, count }) => html`<li><a href="#${id}">${title}${count === undefined ? '' : ` (${count})`}</a></li>`,
  );
  const body = html`<a class="skip" href="#content">To the findings</a>
    ${pageHead(result)}
    <nav aria-label="Contents">
      <ul>
        ${links}
      </ul>
    </nav>
    <main id="content">${chapters.map(chapterMarkup)}</main>
    <footer>Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.</footer>`;
  const title = `${label}: ${target.baseUrl} and ${contract.title} ${contract.version}`;
  return page({ title, body, style: FILTERS, script: SEARCH });
}
