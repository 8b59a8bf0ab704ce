import { LEVELS, type Level } from '../../contract/document.ts';
import { apartFromFindings } from '../../conformance/report/content/check-standing.ts';
import { findingFacts } from '../../conformance/report/content/failure.ts';
import type { CheckResult, Counts, Finding } from '../../conformance/result/result.ts';
import { html, join, prose, type Content, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { at, to } from '../places.ts';
import { areaOf, staleness, type Implementation, type SiteData } from '../model.ts';
import {
  areaChoice,
  type Choice,
  code,
  definitions,
  filterForm,
  folded,
  idLink,
  idLinks,
  LEVEL_CHOICE,
  levelLabel,
  outcomeLabel,
  section,
  table,
} from '../parts.ts';

const SHOWN_VALUE = 400;

function staleNote({ result }: Implementation, data: SiteData): Html | undefined {
  const stale = staleness(result, data);
  if (!stale) return undefined;
  const { contractVersion, otherText, checksNow, checksThen } = stale;
  return html`<p class="stale">
    <strong>Outdated.</strong> ${
      contractVersion !== undefined &&
      `It was judged by contract ${contractVersion}; this site describes ${data.contract.version}. `
    }${otherText && `It was judged by an earlier text of contract ${data.contract.version}. `}${
      checksNow.length > 0 && `It lacks ${counted(checksNow.length, 'current check')}. `
    }${checksThen.length > 0 && `It has ${counted(checksThen.length, 'check')} that no longer ${checksThen.length === 1 ? 'exists' : 'exist'}.`}
  </p>`;
}

/** A day, in an unambiguous form. */
function day(time: string): string {
  return time.slice(0, 10);
}

function countRow(level: Level, counts: Counts): Content[] {
  const { total, passed, failed, inconclusive, notApplicable, knownFailures } = counts;
  return [levelLabel(level), total, passed, failed, inconclusive, notApplicable, knownFailures];
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value, null, 1);
  return text.length > SHOWN_VALUE ? `${text.slice(0, SHOWN_VALUE)} …` : text;
}

/** An id as a link, if the site still has it. */
function knownId(id: string, known: readonly { readonly id: string }[], target: string): Html {
  return known.some((each) => each.id === id) ? idLink(id, target) : html`<code>${id}</code>`;
}

/** The ids that the site still has. */
function known(ids: readonly string[], { checks }: SiteData): string[] {
  return ids.filter((id) => checks.some((each) => each.id === id));
}

function findingEntry(finding: Finding, data: SiteData): Html {
  const { id, title, level, requirements, expected, actual, checks, consequences, fix, curl, knownFailure } = finding;
  const links = requirements.map((each) => knownId(each, data.requirements, at.requirement(each)));
  const rows: [string, Content][] = [
    ['Expected', html`<code>${shown(expected)}</code>`],
    ['Actual', html`<code>${shown(actual)}</code>`],
    ['Fix', prose(fix)],
    ['Failed checks', idLinks(known(checks, data), at.check)],
  ];
  const inconclusive = known(consequences, data);
  if (inconclusive.length > 0) rows.push(['Inconclusive because of it', idLinks(inconclusive, at.check)]);
  return html`<section class="entry">
    <h3>${title} ${levelLabel(level)}</h3>
    <p>${join(links, ', ')}: ${findingFacts(finding).join(', ')}${knownFailure && ' (known failure)'}</p>
    ${folded(
      'Expected, actual, and how to reproduce it',
      html`${definitions(rows, 'judged')} ${curl !== '' && code(curl, `curl for ${id}`)}`,
    )}
  </section> `;
}

function findings({ result }: Implementation, data: SiteData): Html {
  if (result.findings.length === 0) return html`<p>Nothing failed.</p>`;
  return html`${result.findings.map((finding) => findingEntry(finding, data))}`;
}

function unseen({ result }: Implementation, data: SiteData): Html {
  const inconclusive = result.checks.filter(({ outcome }) => outcome === 'inconclusive');
  const without = apartFromFindings(inconclusive, result);
  if (without.length === 0) return html`<p>No other check was inconclusive.</p>`;
  const idsOf = (own: readonly CheckResult[]): string[] => own.map(({ id }) => id);
  const groups = groupedBy(without, ({ detail, reason = '' }) => detail ?? reason);
  return definitions(
    groups.map(([detail, own]) => [detail, idLinks(known(idsOf(own), data), at.check)]),
    'judged',
  );
}

const RESTORED = { none: 'not changed', complete: 'restored', partial: 'not fully restored' } as const;

function verdict(implementation: Implementation, data: SiteData): Html {
  const { id, language, version, result, resultText } = implementation;
  const { tool, startedAt, restoration, summary } = result;
  return html`${staleNote(implementation, data)}
    <p class="verdict">${outcomeLabel(result.verdict)} by contract ${result.contract.version}</p>
    ${definitions(
      [
        ['Language', language],
        ['Version', version],
        ['Judged', `${day(startedAt)} with ${tool.name} ${tool.version}, ${counted(summary.requests, 'request')}`],
        ['Users', RESTORED[restoration.outcome]],
      ],
      'facts',
    )}
    ${table(
      'Checks by level and outcome',
      ['Level', 'Checks', 'Passed', 'Failed', 'Inconclusive', 'Not applicable', 'Known failures'],
      LEVELS.map((level) => countRow(level, summary[level])),
    )}
    <p>
      <a href="${to(`implementations/${id}.json`)}">The unmodified result</a> (JSON,
      ${Math.round(resultText.length / 1024)} KB).
      <code>npx admin-api-conformance render ${id}.json --format html</code> makes a report from it.
    </p>`;
}

function observed({ result }: Implementation, { openPoints }: SiteData): Html {
  return html`<p>Observed, not judged.</p>
    ${table(
      'Observations',
      ['Open point', 'What it does', 'Detail'],
      result.observations.map(({ id, text, detail }) => [
        knownId(id, openPoints, at.openPoint(id)),
        prose(text),
        detail === undefined ? '' : html`<code>${shown(detail)}</code>`,
      ]),
    )}`;
}

/** The page of one implementation. */
export function implementationPage(implementation: Implementation, data: SiteData): Page {
  const { id, title, summary, script, result } = implementation;
  return {
    path: `implementations/${id}.html`,
    title,
    description: `${title}: judged ${result.verdict} by contract ${result.contract.version}.`,
    parts: [
      html`<p class="lead">${prose(summary)}</p>`,
      section('site-verdict', 'Verdict', verdict(implementation, data)),
      section('site-findings', 'Findings', findings(implementation, data)),
      section('site-unseen', 'Inconclusive checks', unseen(implementation, data)),
      section('site-observed', 'Where the contract is silent', observed(implementation, data)),
      section(
        'site-reproduce',
        'How to reproduce it',
        html`<p>
            In a clone of the repository, after <code>npm ci</code> and <code>npm run build</code>;
            <code>npm run implementations -- ${id}</code> runs this script:
          </p>
          ${code(script, 'Script')}`,
      ),
    ],
  };
}

function results(data: SiteData): Html {
  const { implementations } = data;
  return html`${table(
    'Implementations and their verdicts',
    ['Implementation', 'Verdict', 'must passed', 'should passed', 'Language', 'Judged', 'Result'],
    implementations.map(({ id, title, language, version, result }) => [
      html`<a href="${at.implementation(id)}">${title}</a>`,
      html`${outcomeLabel(result.verdict)}${staleness(result, data) && html` <span class="note">outdated</span>`}`,
      ...LEVELS.map((level) => `${result.summary[level].passed} of ${result.summary[level].total}`),
      html`${language}<br /><span class="note">${version}</span>`,
      html`${day(result.startedAt)}<br /><span class="note">contract ${result.contract.version}</span>`,
      html`<a href="${to(`implementations/${id}.json`)}" download aria-label="The result of ${title}">JSON</a>`,
    ]),
  )}
  ${implementations.map((each) => {
    const note = staleNote(each, data);
    return (
      note &&
      html`<h3>${each.title}</h3>
        ${note}`
    );
  })}`;
}

const heads = ({ implementations }: SiteData): Html[] =>
  implementations.map(({ id, title }) => html`<a href="${at.implementation(id)}">${title}</a>`);

/** A cell that says by its words and by its colour what came out. */
function outcomeCell({ result }: Implementation, requirement: string): Html {
  const outcome = result.requirements.find(({ id }) => id === requirement)?.outcome;
  return outcome === undefined ? html`<span class="note">–</span>` : outcomeLabel(outcome);
}

function outcomes(data: SiteData): Html {
  const { implementations, requirements } = data;
  const areas = groupedBy(requirements, ({ id }) => areaOf(id));
  const same = (id: string): boolean =>
    new Set(implementations.map(({ result }) => result.requirements.find((each) => each.id === id)?.outcome)).size < 2;
  return html`${filterForm('outcomes', 'requirement', [LEVEL_CHOICE, areaChoice(areas), DIFFERENCE_CHOICE])}
  ${table(
    'Requirements by implementation',
    ['Requirement', 'Level', ...heads(data)],
    requirements.map(({ id, level }) => ({
      data: { level, area: areaOf(id), differs: same(id) ? 'no' : 'yes' },
      cells: [
        idLink(id, at.requirement(id)),
        levelLabel(level),
        ...implementations.map((each) => outcomeCell(each, id)),
      ],
    })),
    { kind: 'compare', id: 'outcomes' },
  )}`;
}

const DIFFERENCE_CHOICE: Choice = { name: 'differs', label: 'Implementations', options: [['yes', 'that differ']] };

function comparison(data: SiteData): Html {
  const { implementations, openPoints } = data;
  const observedBy = ({ result }: Implementation, point: string): string | undefined =>
    result.observations.find(({ id }) => id === point)?.observed;
  const rows = openPoints
    .filter(({ observations }) => observations.length > 0)
    .map(({ id, observations }) => {
      const seen = implementations.map((each) => observedBy(each, id));
      const differs = new Set(seen.filter((each) => each !== undefined)).size > 1;
      const meaning = (each: string): string => observations.find((known) => known.id === each)?.text ?? '';
      return {
        data: { differs: differs ? 'yes' : 'no' },
        cells: [
          idLink(id, at.openPoint(id)),
          differs ? html`<strong class="differs">differ</strong>` : 'same',
          ...seen.map((each) =>
            each === undefined
              ? html`<span class="note">–</span>`
              : html`<span title="${meaning(each)}">${each}</span>`,
          ),
        ],
      };
    });
  return html`<p>
      What each does at the <a href="${to('open-points.html')}">open points</a>, which are never judged. The page of an
      open point says what each word means, the page of an implementation what exactly was seen. If implementations
      agree, a later version of the contract may require it.
    </p>
    ${filterForm('observed', 'open point', [DIFFERENCE_CHOICE])}
    ${table('Observations by implementation', ['Open point', 'Implementations', ...heads(data)], rows, {
      kind: 'compare',
      id: 'observed',
    })}`;
}

/** All implementations in comparison. */
export function implementationsPage(data: SiteData): Page {
  return {
    path: 'implementations.html',
    title: 'Implementations',
    description:
      'Results of known implementations, unmodified and reproducible, and what they do where the contract is silent.',
    parts: [
      html`<p class="lead">
        Unmodified results of the suite, each with a script that reproduces it.
        <a href="${to('docs/implementations.html')}">Add yours.</a>
      </p>`,
      section('site-verdicts', 'Results', results(data)),
      section('site-outcomes', 'Requirements', outcomes(data)),
      section('site-observed', 'Where the contract is silent', comparison(data)),
    ],
  };
}
