import type { Counts, Result } from '../../result/result.ts';
import type { Outcome } from '../../result/verdict.ts';
import { html, type Html } from '../../../common/html.ts';
import { valueText } from '../content/failure.ts';
import { headlineOf } from '../content/headline.ts';
import { counted } from '../../../common/text.ts';
import { STANDING_WORDS } from './parts.ts';

function countsCard(level: string, counts: Counts): Html {
  const { notApplicable, knownFailures, total } = counts;
  const applicable = total - notApplicable;
  const shown = ['passed', 'failed', 'inconclusive', 'error'] as const satisfies readonly Outcome[];
  let before = 0;
  const bars = shown.map((outcome) => {
    const bar = html`<rect class="${outcome}" x="${before}" y="0" width="${counts[outcome]}" height="1"></rect>`;
    before += counts[outcome];
    return bar;
  });
  const words = shown
    .filter((outcome) => outcome !== 'error' || counts.error > 0)
    .map(
      (outcome) =>
        html`<li>
          <span class="${counts[outcome] === 0 ? 'soft' : outcome}">${counts[outcome]}</span> ${STANDING_WORDS[outcome]}
        </li>`,
    );
  return html`<div class="card">
    <h2>${level} checks</h2>
    <div class="big">${counts.passed}/${applicable} <span class="soft small">passed of those that apply</span></div>
    <svg class="bar" viewBox="0 0 ${Math.max(applicable, 1)} 1" preserveAspectRatio="none" aria-hidden="true">
      ${bars}
    </svg>
    <ul class="parts">
      ${words}
      <li>${notApplicable} not applicable</li>
      ${knownFailures > 0 ? html`<li>${counted(knownFailures, 'known failure')}</li>` : undefined}
    </ul>
  </div> `;
}

type Fact = readonly [name: string, value: Html | string];

function factList(facts: readonly Fact[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd> `,
    )}
  </dl>`;
}

function codes(values: readonly unknown[]): Html {
  return html`${values.map((value, index) => html`${index === 0 ? '' : ', '}<code>${valueText(value)}</code>`)}`;
}

function factsCard({ target, contract, tool, selection, startedAt, durationMs, summary }: Result): Html {
  const selected = (name: string, entries: readonly string[]): Fact[] =>
    entries.length === 0 ? [] : [[name, codes(entries)]];
  const given = (name: string, values: readonly unknown[] | undefined): Fact => [
    name,
    values === undefined || values.length === 0 ? 'not given' : codes(values),
  ];
  const one = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
  const keys = [...(target.adminKey ? ['admin key'] : []), ...(target.restrictedKey ? ['restricted key'] : [])];
  const time = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return html`<div class="card">
    ${factList([
      ['Target', html`<code><bdi>${target.baseUrl}</bdi></code>`],
      ['Contract', `${contract.title} ${contract.version}`],
      [
        'Run',
        html`<time datetime="${startedAt}">${time}</time>, ${counted(summary.requests, 'request')} in
          ${(durationMs / 1000).toFixed(1)} s`,
      ],
      ...selected('Only', selection.only),
      ...selected('Without', selection.skip),
      ['Fails on', selection.failOn === 'must' ? 'a failed must' : 'a failed must or should'],
    ])}
    <details class="small">
      <summary>Inputs and versions</summary>
      ${factList([
        ['Keys', keys.join(', ') || 'none'],
        given('User', one(target.userId)),
        given('Other user', one(target.otherUserId)),
        given('Missing user', one(target.missingUserId)),
        given('Roles', target.roleIds),
        given('Banners', target.bannerIds),
        given('E-mail domain', [target.emailDomain]),
        ['Suite', `${tool.name} ${tool.version}`],
        ['Contract digest', codes([contract.digest])],
        ['Scored checks digest', codes([contract.scoredSetDigest])],
      ])}
    </details>
  </div> `;
}

/** The verdict, the counts, and what was checked. */
export function pageHead(result: Result): Html {
  const { label, words, scope, exit, hints } = headlineOf(result);
  const { verdict, target, summary } = result;
  return html`<header>
    <h1>Conformance of <bdi>${target.baseUrl}</bdi></h1>
    <div class="verdict ${verdict}">
      <strong>${label}</strong>
      <p>${words}</p>
      ${scope.map((sentence) => html`<p>${sentence}</p>`)}
      <p class="small">${exit.replace('e', 'E')}.</p>
      ${hints.map((text) => html`<p><b>Hint:</b> ${text}</p>`)}
    </div>
    <div class="counts">${countsCard('must', summary.must)}${countsCard('should', summary.should)}</div>
    ${factsCard(result)}
  </header>`;
}
