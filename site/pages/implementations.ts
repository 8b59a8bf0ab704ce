import { LEVELS } from '../../contract/document.ts';
import { resultDocument } from '../../conformance/report/documents/result.ts';
import { markdownOf } from '../../conformance/report/markdown.ts';
import { html, prose, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { at, to } from '../places.ts';
import { areaOf, staleness } from '../model.ts';
import type { Implementation, SiteData } from '../read.ts';
import {
  areaChoice,
  type Choice,
  code,
  definitions,
  filterForm,
  idLink,
  LEVEL_CHOICE,
  levelLabel,
  outcomeLabel,
  section,
  table,
} from '../parts.ts';

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

/** The report of a run as the suite writes it, with links from ids to what the site says of them. */
function report({ result }: Implementation, { checks, requirements, openPoints }: SiteData): string {
  const addresses = new Map([
    ...checks.map(({ id }) => [id, at.check(id)] as const),
    ...[...requirements, ...openPoints].map(({ id }) => [id, at.item(id)] as const),
  ]);
  const linked = (text: string): string =>
    text.replaceAll(/`([\w.-]+)`/g, (code, id: string) => {
      const address = addresses.get(id);
      return address === undefined ? code : `[${code}](${address})`;
    });
  const parts = markdownOf(resultDocument(result)).split(/(^ *(`{3,}).*\n[^]*?\n *\2$)/m);
  // Every third part is a block of code, and the one behind it is its fence.
  return parts.map((part, index) => (index % 3 === 0 ? linked(part) : index % 3 === 1 ? part : '')).join('');
}

const RESTORED = { none: 'not changed', complete: 'restored', partial: 'not fully restored' } as const;

function facts({ id, language, version, result, resultText }: Implementation): Html {
  const { tool, startedAt, restoration, contract } = result;
  return html`${definitions(
      [
        ['Language', language],
        ['Version', version],
        ['Judged', `${day(startedAt)} with ${tool.name} ${tool.version}, by contract ${contract.version}`],
        ['Users', RESTORED[restoration.outcome]],
      ],
      'facts',
    )}
    <p>
      <a href="${to(`implementations/${id}.json`)}">The unmodified result</a> (JSON,
      ${Math.round(resultText.length / 1024)} KB).
      <code>npx admin-api-conformance render ${id}.json --format html</code> makes a report from it.
    </p>`;
}

/** The page of one implementation. */
export function implementationPage(implementation: Implementation, data: SiteData): Page {
  const { id, title, summary, script, result } = implementation;
  return {
    path: `implementations/${id}.html`,
    title,
    description: `${title}: judged ${result.verdict} by contract ${result.contract.version}.`,
    depth: 3,
    parts: [
      html`<p class="lead">${prose(summary)}</p>
        ${staleNote(implementation, data)} ${facts(implementation)}`,
      report(implementation, data),
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
      ...LEVELS.map((level) => {
        const { passed, total } = result.summary[level];
        return html`<span class="whole">${passed}/${total}</span>`;
      }),
      html`${language}<br /><span class="note">${version}</span>`,
      html`<span class="whole">${day(result.startedAt)}</span><br /><span class="note"
          >contract ${result.contract.version}</span
        >`,
      html`<a href="${to(`implementations/${id}.json`)}" download aria-label="JSON: the result of ${title}">JSON</a>`,
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
  return html`${filterForm('outcomes', [LEVEL_CHOICE, areaChoice(areas), DIFFERENCE_CHOICE])}
  ${table(
    'Requirements by implementation',
    ['Requirement', ...heads(data)],
    requirements.map(({ id, level }) => ({
      data: { level, area: areaOf(id), differs: same(id) ? 'no' : 'yes' },
      cells: [
        html`${idLink(id, at.requirement(id))} ${levelLabel(level)}`,
        ...implementations.map((each) => outcomeCell(each, id)),
      ],
    })),
    { id: 'outcomes' },
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
          html`${idLink(id, at.openPoint(id))} ${differs && html`<strong class="differs">differ</strong>`}`,
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
    ${filterForm('observed', [DIFFERENCE_CHOICE])}
    ${table('Observations by implementation', ['Open point', ...heads(data)], rows, {
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
