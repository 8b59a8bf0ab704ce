import type { Counts, Result } from '../../result/result.ts';
import type { Outcome } from '../../result/verdict.ts';
import { html, type Html } from '../../../common/html.ts';
import { valueText } from '../content/failure.ts';
import { headlineOf } from '../content/headline.ts';
import { capitalized, counted } from '../../../common/text.ts';
import { card, codes, rowList, standingWords, type Row } from './parts.ts';

function countsCard(level: string, counts: Counts): Html {
  const { notApplicable, knownFailures, total, passed } = counts;
  const shown = ['passed', 'failed', 'inconclusive', 'error'] as const satisfies readonly Outcome[];
  const bars = shown.map((outcome, index) => {
    const before = shown.slice(0, index).reduce((sum, each) => sum + counts[each], 0);
    return html`<rect class="${outcome}" x="${before}" y="0" width="${counts[outcome]}" height="1"></rect>`;
  });
  const words = shown
    .filter((outcome) => outcome !== 'error' || counts.error > 0)
    .map((outcome) => {
      const style = counts[outcome] === 0 ? 'soft' : outcome;
      return html`<li><span class="${style}">${counts[outcome]}</span> ${standingWords(outcome)}</li> `;
    });
  return card(
    html`<h2>${level} checks</h2>
      <div class="big">${passed}/${total} <span class="soft small">passed</span></div>
      <svg class="bar" viewBox="0 0 ${Math.max(total, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
      <ul class="parts">
        ${words}
        <li>${notApplicable} not applicable</li>
        ${knownFailures > 0 && html`<li>${counted(knownFailures, 'known failure')}</li>`}
      </ul>`,
  );
}

function timeText(startedAt: string): string {
  return startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}

function runText({ requests }: Result['summary'], durationMs: number): string {
  return `${counted(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s`;
}

/** What was judged, with what, and by which contract. */
export function factsCard({ target, contract, tool, selection, startedAt, durationMs, summary }: Result): Html {
  const selected = (name: string, entries: readonly string[]): Row[] =>
    entries.length === 0 ? [] : [[name, codes(entries)]];
  const given = (name: string, ...values: readonly unknown[]): Row => {
    const texts = values.filter((value) => value !== undefined).map((value) => valueText(value));
    return [name, texts.length === 0 ? 'not given' : codes(texts)];
  };
  const keys = [...(target.adminKey ? ['admin key'] : []), ...(target.restrictedKey ? ['restricted key'] : [])];
  const facts: Row[] = [
    ['Target', html`<code><bdi>${target.baseUrl}</bdi></code>`],
    ['Contract', `${contract.title} ${contract.version}`],
    ['Run', html`<time datetime="${startedAt}">${timeText(startedAt)}</time>, ${runText(summary, durationMs)}`],
    ...selected('Only', selection.only),
    ...selected('Without', selection.skip),
    ['Fails on', selection.failOn === 'must' ? 'a failed must' : 'a failed must or should'],
    ['Keys', keys.join(', ') || 'none'],
    given('User', target.userId),
    given('Other user', target.otherUserId),
    given('Missing user', target.missingUserId),
    given('Roles', ...(target.roleIds ?? [])),
    given('Banners', ...(target.bannerIds ?? [])),
    given('E-mail domain', target.emailDomain),
    ['Suite', `${tool.name} ${tool.version}`],
    ['Contract digest', codes([contract.digest])],
    ['Scored checks digest', codes([contract.scoredSetDigest])],
  ];
  return card(rowList(facts, 'facts'));
}

/** The verdict, the counts, and what was checked. */
export function pageHead(result: Result): Html {
  const { label, words, scope, exit, hints } = headlineOf(result);
  const { verdict, target, summary, contract, startedAt, durationMs } = result;
  return html`<header>
    <h1>Conformance of <bdi>${target.baseUrl}</bdi></h1>
    <div class="verdict ${verdict}">
      <strong>${label}</strong>
      <p>${words}</p>
      ${scope.map((sentence) => html`<p>${sentence}</p>`)}
      <p class="small">${capitalized(exit)}.</p>
      ${hints.map((text) => html`<p><b>Hint:</b> ${text}</p>`)}
    </div>
    <div class="counts">${countsCard('must', summary.must)}${countsCard('should', summary.should)}</div>
    <p class="soft small">
      ${contract.title} ${contract.version} · ${timeText(startedAt)} · ${runText(summary, durationMs)}
    </p>
  </header>`;
}
