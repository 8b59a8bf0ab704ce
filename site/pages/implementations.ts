import { isRecord } from '../../common/json.ts';
import type { CheckResult, Counts } from '../../conformance/result/result.ts';
import { html, type Content, type Html } from '../../common/html.ts';
import { counted, groupedBy } from '../../common/text.ts';
import type { Link, Page } from '../layout.ts';
import { inline } from '../markdown.ts';
import { at, staleness, type Implementation, type SiteData } from '../model.ts';
import { code, folded, idLinks, levelLabel, outcomeLabel, table } from '../parts.ts';

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

function countRow(level: 'must' | 'should', counts: Counts): Content[] {
  return [
    levelLabel(level),
    counts.total,
    counts.passed,
    counts.failed,
    counts.inconclusive,
    counts.notApplicable,
    counts.knownFailures,
  ];
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

function failedCheck(check: CheckResult, known: ReadonlySet<string>, to: Link): Html {
  const { id, level, title, failure, curl, knownFailure } = check;
  const name = html`<code>${id}</code>`;
  const mode = failure && html`<code>${failure.mode}</code>`;
  return html`<li>
    ${known.has(id) ? html`<a href="${to(at.check(id))}">${name}</a>` : name} ${levelLabel(level)}
    ${inline(title)}${knownFailure && ' (known failure)'}
    ${
      failure &&
      html`<p>
          ${known.has(id) ? html`<a href="${to(at.mode(id, failure.mode))}">${mode}</a>` : mode}: ${failure.message}
        </p>
        ${folded(
          'Expected, actual, and how to reproduce it',
          html`<dl class="judged">
              <dt>Expected</dt>
              <dd><code>${shown(failure.expected)}</code></dd>
              <dt>Actual</dt>
              <dd><code>${shown(failure.actual)}</code></dd>
            </dl>
            ${curl !== undefined && code(curl, `curl for ${id}`)}`,
        )}`
    }
  </li> `;
}

function failures({ result }: Implementation, data: SiteData, to: Link): Html {
  const known = new Set(data.checks.map(({ id }) => id));
  const knownRequirements = new Set(data.requirements.map(({ id }) => id));
  const broken = result.requirements.filter(({ outcome }) => outcome === 'failed');
  if (broken.length === 0) return html`<p>No requirement is broken.</p>`;
  return html`${broken.map(({ id, level, text }) => {
    const failed = result.checks.filter((check) => check.outcome === 'failed' && check.requirements.includes(id));
    return html`<section class="entry">
      <h3>
        ${knownRequirements.has(id) ? html`<a href="${to(at.requirement(id))}"><code>${id}</code></a>` : html`<code>${id}</code>`}
        ${levelLabel(level)}
      </h3>
      <p>${inline(text)}</p>
      ${folded(
        counted(failed.length, 'failed check'),
        html`<ul class="failures">
          ${failed.map((check) => failedCheck(check, known, to))}
        </ul>`,
      )}
    </section> `;
  })}`;
}

function unseen({ result }: Implementation, data: SiteData, to: Link): Html {
  const without = result.checks.filter(({ outcome }) => outcome === 'inconclusive');
  if (without.length === 0) return html`<p>No check was inconclusive.</p>`;
  const known = new Set(data.checks.map(({ id }) => id));
  return html`<dl class="judged">
    ${groupedBy(without, ({ detail, reason = '' }) => detail ?? reason).map(
      ([detail, own]) =>
        html`<dt>${detail}</dt>
          <dd>
            ${idLinks(
              own.map(({ id }) => id).filter((id) => known.has(id)),
              at.check,
              to,
            )}
          </dd> `,
    )}
  </dl>`;
}

/** The page of one implementation. */
export function implementationPage(implementation: Implementation, data: SiteData): Page {
  const { id, title, language, version, summary, script, result, resultText } = implementation;
  return {
    path: at.implementation(id),
    title,
    description: `${title}: judged ${result.verdict} by contract ${result.contract.version}.`,
    within: 'implementations/index.html',
    contents: [
      { id: 'site-verdict', title: 'Verdict' },
      { id: 'site-broken', title: 'Broken requirements' },
      { id: 'site-unseen', title: 'Inconclusive checks' },
      { id: 'site-observed', title: 'Where the contract is silent' },
      { id: 'site-reproduce', title: 'How to reproduce it' },
    ],
    body: (to) =>
      html` <p class="lead">${inline(summary)}</p>
        <h2 id="site-verdict">Verdict</h2>
        ${staleNote(implementation, data)}
        <p class="verdict">${outcomeLabel(result.verdict)} by contract ${result.contract.version}</p>
        <dl class="facts">
          <dt>Language</dt>
          <dd>${language}</dd>
          <dt>Version</dt>
          <dd>${version}</dd>
          <dt>Judged</dt>
          <dd>
            ${day(result.startedAt)} with ${result.tool.name} ${result.tool.version},
            ${counted(result.summary.requests, 'request')}
          </dd>
          <dt>Users</dt>
          <dd>
            ${{ none: 'not changed', complete: 'restored', partial: 'not fully restored' }[result.restoration.outcome]}
          </dd>
        </dl>
        ${table(
          'Checks by level and outcome',
          ['Level', 'Checks', 'Passed', 'Failed', 'Inconclusive', 'Not applicable', 'Known failures'],
          [countRow('must', result.summary.must), countRow('should', result.summary.should)],
        )}
        <p>
          <a href="${to(`implementations/${id}.json`)}">The unmodified result</a> (JSON,
          ${Math.round(resultText.length / 1024)} KB).
          <code>npx admin-api-conformance render ${id}.json --format html</code> makes a report from it.
        </p>
        <h2 id="site-broken">Broken requirements</h2>
        ${failures(implementation, data, to)}
        <h2 id="site-unseen">Inconclusive checks</h2>
        ${unseen(implementation, data, to)}
        <h2 id="site-observed">Where the contract is silent</h2>
        <p>Observed, not judged.</p>
        ${table(
          'Observations',
          ['Open point', 'What it does', 'Detail'],
          result.observations.map((each) => [
            data.openPoints.some((point) => point.id === each.id)
              ? html`<a href="${to(at.openPoint(each.id))}"><code>${each.id}</code></a>`
              : html`<code>${each.id}</code>`,
            inline(each.text),
            each.detail === undefined ? '' : html`<code>${shown(each.detail)}</code>`,
          ]),
        )}
        <h2 id="site-reproduce">How to reproduce it</h2>
        <p>
          In a clone of the repository, after <code>npm ci</code> and <code>npm run build</code>;
          <code>npm run implementations -- ${id}</code> runs this script:
        </p>
        ${code(script, 'Script')}`,
  };
}

/** All implementations in comparison. */
export function implementationsPage(data: SiteData): Page {
  const { implementations, openPoints } = data;
  const observable = openPoints.filter(({ observations }) => observations.length > 0);
  return {
    path: 'implementations/index.html',
    title: 'Implementations',
    description:
      'Results of known implementations, unmodified and reproducible, and what they do where the contract is silent.',
    contents: [
      { id: 'site-verdicts', title: 'Results' },
      { id: 'site-observed', title: 'Where the contract is silent' },
    ],
    body: (to) =>
      html` <p class="lead">
          Unmodified results of the suite, each with a script that reproduces it.
          <a href="${to('implement.html')}">Add yours.</a>
        </p>
        <h2 id="site-verdicts">Results</h2>
        ${table(
          'Implementations and their verdicts',
          ['Implementation', 'Verdict', 'Must', 'Should', 'Language', 'Version', 'Judged'],
          implementations.map((each) => {
            const { id, title, language, version, result } = each;
            const { must, should } = result.summary;
            return [
              html`<a href="${to(at.implementation(id))}">${title}</a>`,
              html`${outcomeLabel(result.verdict)}${staleness(result, data) && html` <span class="note">outdated</span>`}`,
              `${must.passed} of ${must.total} passed`,
              `${should.passed} of ${should.total} passed`,
              language,
              version,
              html`${day(result.startedAt)}<br /><span class="note">contract ${result.contract.version}</span>`,
            ];
          }),
        )}
        ${implementations.map((each) => {
          const note = staleNote(each, data);
          return (
            note &&
            html`<h3>${each.title}</h3>
              ${note}`
          );
        })}
        <h2 id="site-observed">Where the contract is silent</h2>
        <p>
          What each does at the <a href="${to('open-points.html')}">open points</a>, which are never judged. If
          implementations agree, a later version of the contract may require it.
        </p>
        ${table(
          'Observations by implementation',
          ['Open point', ...implementations.map(({ title }) => title)],
          observable.map((point) => [
            html`<a href="${to(at.openPoint(point.id))}"><code>${point.id}</code></a>`,
            ...implementations.map(({ result }) => {
              const found = result.observations.find(({ id }) => id === point.id);
              if (found?.observed === undefined) return '–';
              return html`${inline(found.text)}${found.detail !== undefined && html` <span class="note">${brief(found.detail)}</span>`}`;
            }),
          ]),
        )}`,
  };
}
