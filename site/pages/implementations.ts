import { LEVELS, type Level } from '../../contract/document.ts';
import { isRecord } from '../../common/json.ts';
import { apartFromFindings } from '../../conformance/report/content/check-standing.ts';
import { findingFacts } from '../../conformance/report/content/failure.ts';
import type { CheckResult, Counts, Finding } from '../../conformance/result/result.ts';
import { html, join, type Content, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Link, Page } from '../layout.ts';
import { inline } from '../markdown.ts';
import { at, staleness, type Implementation, type SiteData } from '../model.ts';
import { code, definitions, folded, idLink, idLinks, levelLabel, outcomeLabel, sectioned, table } from '../parts.ts';

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

/** A detail of an observation for a table cell: the values, without JSON syntax. */
function brief(detail: unknown): string {
  if (Array.isArray(detail)) return detail.map(brief).join(', ');
  if (isRecord(detail))
    return Object.entries(detail)
      .map(([name, value]) => `${name}: ${brief(value)}`)
      .join('; ');
  return String(detail);
}

/** An id as a link, if the site still has it. */
function knownId(id: string, known: readonly { readonly id: string }[], target: string, to: Link): Html {
  return known.some((each) => each.id === id) ? idLink(id, target, to) : html`<code>${id}</code>`;
}

/** The ids that the site still has. */
function known(ids: readonly string[], { checks }: SiteData): string[] {
  return ids.filter((id) => checks.some((each) => each.id === id));
}

function findingEntry(finding: Finding, data: SiteData, to: Link): Html {
  const { id, title, level, requirements, expected, actual, checks, consequences, fix, curl, knownFailure } = finding;
  const links = requirements.map((each) => knownId(each, data.requirements, at.requirement(each), to));
  const rows: [string, Content][] = [
    ['Expected', html`<code>${shown(expected)}</code>`],
    ['Actual', html`<code>${shown(actual)}</code>`],
    ['Fix', inline(fix)],
    ['Failed checks', idLinks(known(checks, data), at.check, to)],
  ];
  const inconclusive = known(consequences, data);
  if (inconclusive.length > 0) rows.push(['Inconclusive because of it', idLinks(inconclusive, at.check, to)]);
  return html`<section class="entry">
    <h3>${title} ${levelLabel(level)}</h3>
    <p>${join(links, ', ')}: ${findingFacts(finding).join(', ')}${knownFailure && ' (known failure)'}</p>
    ${folded(
      'Expected, actual, and how to reproduce it',
      html`${definitions(rows, 'judged')} ${curl !== '' && code(curl, `curl for ${id}`)}`,
    )}
  </section> `;
}

function findings({ result }: Implementation, data: SiteData, to: Link): Html {
  if (result.findings.length === 0) return html`<p>Nothing failed.</p>`;
  return html`${result.findings.map((finding) => findingEntry(finding, data, to))}`;
}

function unseen({ result }: Implementation, data: SiteData, to: Link): Html {
  const inconclusive = result.checks.filter(({ outcome }) => outcome === 'inconclusive');
  const without = apartFromFindings(inconclusive, result);
  if (without.length === 0) return html`<p>No other check was inconclusive.</p>`;
  const idsOf = (own: readonly CheckResult[]): string[] => own.map(({ id }) => id);
  const groups = groupedBy(without, ({ detail, reason = '' }) => detail ?? reason);
  return definitions(
    groups.map(([detail, own]) => [detail, idLinks(known(idsOf(own), data), at.check, to)]),
    'judged',
  );
}

const RESTORED = { none: 'not changed', complete: 'restored', partial: 'not fully restored' } as const;

function verdict(implementation: Implementation, data: SiteData, to: Link): Html {
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

function observed({ result }: Implementation, { openPoints }: SiteData, to: Link): Html {
  return html`<p>Observed, not judged.</p>
    ${table(
      'Observations',
      ['Open point', 'What it does', 'Detail'],
      result.observations.map(({ id, text, detail }) => [
        knownId(id, openPoints, at.openPoint(id), to),
        inline(text),
        detail === undefined ? '' : html`<code>${shown(detail)}</code>`,
      ]),
    )}`;
}

/** The page of one implementation. */
export function implementationPage(implementation: Implementation, data: SiteData): Page {
  const { id, title, summary, script, result } = implementation;
  return {
    path: at.implementation(id),
    title,
    description: `${title}: judged ${result.verdict} by contract ${result.contract.version}.`,
    within: 'implementations/index.html',
    ...sectioned(
      () => html`<p class="lead">${inline(summary)}</p>`,
      [
        ['site-verdict', 'Verdict', (to) => verdict(implementation, data, to)],
        ['site-findings', 'Findings', (to) => findings(implementation, data, to)],
        ['site-unseen', 'Inconclusive checks', (to) => unseen(implementation, data, to)],
        ['site-observed', 'Where the contract is silent', (to) => observed(implementation, data, to)],
        [
          'site-reproduce',
          'How to reproduce it',
          () =>
            html`<p>
                In a clone of the repository, after <code>npm ci</code> and <code>npm run build</code>;
                <code>npm run implementations -- ${id}</code> runs this script:
              </p>
              ${code(script, 'Script')}`,
        ],
      ],
    ),
  };
}

function results(data: SiteData, to: Link): Html {
  const { implementations } = data;
  return html`${table(
    'Implementations and their verdicts',
    ['Implementation', 'Verdict', 'Must', 'Should', 'Language', 'Version', 'Judged'],
    implementations.map(({ id, title, language, version, result }) => [
      html`<a href="${to(at.implementation(id))}">${title}</a>`,
      html`${outcomeLabel(result.verdict)}${staleness(result, data) && html` <span class="note">outdated</span>`}`,
      ...LEVELS.map((level) => `${result.summary[level].passed} of ${result.summary[level].total} passed`),
      language,
      version,
      html`${day(result.startedAt)}<br /><span class="note">contract ${result.contract.version}</span>`,
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

function comparison({ implementations, openPoints }: SiteData, to: Link): Html {
  const observable = openPoints.filter(({ observations }) => observations.length > 0);
  const cell = ({ result }: Implementation, point: string): Content => {
    const found = result.observations.find(({ id }) => id === point);
    if (found?.observed === undefined) return '–';
    return html`${inline(found.text)}${found.detail !== undefined && html` <span class="note">${brief(found.detail)}</span>`}`;
  };
  return html`<p>
      What each does at the <a href="${to('open-points.html')}">open points</a>, which are never judged. If
      implementations agree, a later version of the contract may require it.
    </p>
    ${table(
      'Observations by implementation',
      ['Open point', ...implementations.map(({ title }) => title)],
      observable.map(({ id }) => [idLink(id, at.openPoint(id), to), ...implementations.map((each) => cell(each, id))]),
    )}`;
}

/** All implementations in comparison. */
export function implementationsPage(data: SiteData): Page {
  return {
    path: 'implementations/index.html',
    title: 'Implementations',
    description:
      'Results of known implementations, unmodified and reproducible, and what they do where the contract is silent.',
    ...sectioned(
      (to) =>
        html`<p class="lead">
          Unmodified results of the suite, each with a script that reproduces it.
          <a href="${to('docs/implementations.html')}">Add yours.</a>
        </p>`,
      [
        ['site-verdicts', 'Results', (to) => results(data, to)],
        ['site-observed', 'Where the contract is silent', (to) => comparison(data, to)],
      ],
    ),
  };
}
