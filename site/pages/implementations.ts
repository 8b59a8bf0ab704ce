import { LEVELS, type Level } from '../../contract/document.ts';
import { resultDocument } from '../../conformance/report/documents/result.ts';
import { SIGNS } from '../../conformance/report/document.ts';
import { markdownOf } from '../../conformance/report/markdown.ts';
import { html, join, prose, type Content, type Html } from '../../common/html.ts';
import { groupedBy } from '../../common/text.ts';
import type { Page } from '../page.ts';
import { at, DOCUMENTS, type DocumentPlace, to } from '../places.ts';
import { areaOf, staleness } from '../model.ts';
import { byVersion, findingCounts, type Implementation, type SiteData } from '../read.ts';
import {
  areaChoice,
  type Choice,
  codeBlock,
  definitions,
  filterForm,
  idLink,
  LEVEL_CHOICE,
  levelLabel,
  outcomeLabel,
  section,
  table,
} from '../parts.ts';

function staleNote(words: string, whose?: Html): Html | undefined {
  if (words === '') return undefined;
  const text = whose === undefined ? words : html`${words.replace(/\.$/, ':')} ${whose}`;
  return html`<p class="stale"><strong>Outdated.</strong> ${text}</p>`;
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
  const { id, title, summary, script, server, folder, result } = implementation;
  const guide = Object.values<DocumentPlace>(DOCUMENTS).find(({ path }) => path === `docs/servers/${id}.html`);
  return {
    path: `implementations/${id}.html`,
    title: `${title}: result`,
    description: `${title}: judged ${result.verdict} by contract ${result.contract.version}.`,
    depth: 3,
    parts: [
      html`<p class="lead">${prose(summary)}</p>
        ${
          guide &&
          html`<p><a href="${to(guide.path)}">What ${guide.title} does by default</a>, and the whole server.</p>`
        }
        ${staleNote(staleness(result, data))} ${facts(implementation)}`,
      report(implementation, data),
      section(
        'site-reproduce',
        'How to reproduce it',
        html`<p>
          In a clone of the repository, after <code>npm ci</code>: <code>npm run implementations -- ${id}</code> runs
          this${folder !== undefined && html` in a copy of <code>${folder}</code>`}${
            script === undefined && html` and judges the server at <code>$PORT</code>`
          }:
        </p>`,
      ),
      codeBlock('sh', (script ?? server ?? '').trim()),
    ],
  };
}

function results(data: SiteData): Html {
  const { implementations } = data;
  const linkOf = ({ id, title }: Implementation): Html => html`<a href="${at.implementation(id)}">${title}</a>`;
  return html`${table(
    'Implementations and their verdicts, those with the fewest findings first',
    ['Implementation', 'Findings', 'Passed checks'],
    implementations.map((each) => [
      html`${linkOf(each)} ${outcomeLabel(each.result.verdict)}<br /><span class="note"
          >${each.language}: ${each.version}</span
        ><br /><span class="note whole"
          >${day(each.result.startedAt)}:
          <a href="${to(`implementations/${each.id}.json`)}" download aria-label="JSON: the result of ${each.title}"
            >JSON</a
          ></span
        >`,
      levelLines(String, findingCounts(each.result)),
      levelLines(({ passed, total, notApplicable }) => `${passed} of ${total - notApplicable}`, each.result.summary),
    ]),
  )}
  ${groupedBy(implementations, ({ result }) => staleness(result, data)).map(([words, own]) =>
    staleNote(words, join(own.map(linkOf), ', ')),
  )}`;
}

function levelLines<T>(text: (own: T) => Content, byLevel: Readonly<Record<Level, T>>): Html {
  return html`${LEVELS.map((level) => html`<div class="whole">${text(byLevel[level])} ${level}</div>`)}`;
}

function findingsLine(counts: Readonly<Record<Level, number>>): Html {
  return html`<span class="whole">${LEVELS.map((level) => `${counts[level]} ${level}`).join(', ')}</span>`;
}

/** What the versions of one server have in common with the version before, and what not. */
function serverVersions({ implementations }: SiteData): Html {
  const bySeries = groupedBy(
    implementations.filter(({ series }) => series !== undefined),
    ({ series = '' }) => series,
  );
  const titles = ({ result }: Implementation): Map<string, string> =>
    new Map(result.findings.map(({ id, title }) => [id, title]));
  const rows = [...bySeries].flatMap(([, versions]) => {
    const ordered = [...versions].sort((left, right) => byVersion(left.title, right.title));
    return ordered.map((each, index): Content[] => {
      const [now, before] = [titles(each), titles(ordered[index - 1] ?? each)];
      const beside = (own: Map<string, string>, other: Map<string, string>): Html =>
        [...own.keys()].every((id) => other.has(id))
          ? html`<span class="note">–</span>`
          : html`${[...own].map(([id, title]) => !other.has(id) && html`<div>${prose(title)}</div>`)}`;
      return [
        html`<a href="${at.implementation(each.id)}" class="whole">${each.title}</a>`,
        findingsLine(findingCounts(each.result)),
        beside(now, before),
        beside(before, now),
      ];
    });
  });
  return table('Findings by version of a server', ['Version', 'Findings', 'New', 'Gone'], rows, { unseen: true });
}

/** What earlier runs said, where it differs from a run before. */
function earlierResults({ implementations, history }: SiteData): Html {
  const rows = implementations.flatMap(({ id, title }) => {
    const entries = history[id] ?? [];
    if (entries.length < 2) return [];
    return entries.map((entry, index): Content[] => [
      index === 0 ? html`<a href="${at.implementation(id)}">${title}</a>` : '',
      html`<span class="whole">${entry.judged}</span>`,
      entry.suite,
      entry.contract,
      findingsLine(entry),
    ]);
  });
  return html`<p>
      How many findings each had, whenever the number or a version changed. The same server has fewer findings in a
      later run where the suite has learned to tell a cause from its consequences.
    </p>
    ${table('Findings over time', ['Implementation', 'Judged', 'Suite', 'Contract', 'Findings'], rows, { unseen: true })}`;
}

const heads = ({ implementations }: SiteData): Html[] =>
  implementations.map(({ id, title }) => html`<a href="${at.implementation(id)}">${title}</a>`);

/** A cell that says by a sign and by its colour what came out. */
function outcomeCell({ result }: Implementation, requirement: string): Html {
  const outcome = result.requirements.find(({ id }) => id === requirement)?.outcome;
  if (outcome === undefined) return html`<span class="note">–</span>`;
  return html`<span class="outcome ${outcome}" title="${outcome}"
    >${SIGNS[outcome]}<span class="unseen">${outcome}</span></span
  >`;
}

function outcomes(data: SiteData): Html {
  const { implementations, requirements } = data;
  const areas = groupedBy(requirements, ({ id }) => areaOf(id));
  const same = (id: string): boolean =>
    new Set(implementations.map(({ result }) => result.requirements.find((each) => each.id === id)?.outcome)).size < 2;
  const legend = Object.entries(SIGNS).map(([outcome, sign]) => `${sign} ${outcome.replace('-', ' ')}`);
  return html`<p class="note">${legend.join(', ')}</p>
    ${filterForm('outcomes', [LEVEL_CHOICE, areaChoice(areas), DIFFERENCE_CHOICE])}
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
        Unmodified results of the suite, each with a command that reproduces it.
        <a href="${to('docs/implementations.html')}">Add yours.</a>
      </p>`,
      section('site-verdicts', 'Results', results(data)),
      section('site-versions', 'Versions of a server', serverVersions(data)),
      section('site-history', 'Over time', earlierResults(data)),
      section('site-outcomes', 'Requirements', outcomes(data)),
      section('site-observed', 'Where the contract is silent', comparison(data)),
    ],
  };
}
