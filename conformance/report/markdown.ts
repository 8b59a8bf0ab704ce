import { workflowCommand } from '../../common/github.ts';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { counted, shortened } from '../../common/text.ts';
import type { Change, Comparison } from '../result/compare.ts';
import type { Matrix } from '../result/matrix.ts';
import { EXIT_CODES, type ExchangeRecord, type Finding, type Result } from '../result/result.ts';
import { comparisonWords } from './terminal.ts';
import * as say from './words.ts';

/** Characters. A comment on GitHub has room for 65,536. */
const ROOM = 60_000;

function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A sentence where only HTML counts, as in a summary. */
function elementSentence(text: string): string {
  const parts = text.split(/`([^`]*)`/).map(markdownElementText);
  return parts.map((part, index) => (index % 2 === 1 ? `<code>${part}</code>` : part)).join('');
}

function exchangeText(exchange: ExchangeRecord): string {
  const [body, rest] = say.excerpt(say.indented(exchange.response?.body ?? ''), 10, 1_000);
  const response = [say.responseWords(exchange), body, rest === '' ? '' : `… ${rest}`].filter((line) => line !== '');
  return [markdownBlock(exchange.curl, 'sh'), markdownBlock(response.join('\n'))].join('\n\n');
}

function findingText(finding: Finding, result: Result, isOpen: boolean): string {
  const { title, level, expected, actual, fix, exchanges } = finding;
  const [, ...facts] = say.findingFacts(finding);
  const commands = `${say.rerunOf(finding, result)}\n${say.explainOf(finding, result)}`;
  const parts = [
    markdownText(facts.join(' · ')),
    `- expected: ${markdownSentence(expected)}\n- actual: ${markdownSentence(actual)}\n- fix: ${markdownSentence(fix)}`,
    ...exchanges.map(exchangeText),
    markdownBlock(commands, 'sh'),
  ];
  return folded(`<b>${elementSentence(shortened(title, 400))}</b> (${level})`, parts.join('\n\n'), isOpen);
}

/** As many findings as there is room for, and the names of the others. */
function findingTexts(findings: readonly Finding[], result: Result, room: number): string {
  const texts: string[] = [];
  let left = room;
  for (const [index, finding] of findings.entries()) {
    const text = findingText(finding, result, index === 0);
    if (text.length > left) {
      const ids = findings.slice(index).map(({ id }) => markdownCode(id));
      return [...texts, `and ${ids.length} more: ${ids.slice(0, 50).join(', ')}`].join('\n\n');
    }
    left -= text.length;
    texts.push(text);
  }
  return texts.join('\n\n');
}

function listSection(title: string, items: readonly string[], isFolded = false): string[] {
  if (items.length === 0) return [];
  const text = items.map((item) => `- ${item}`).join('\n');
  return [isFolded ? folded(`${title} (${items.length})`, text) : `### ${title}\n\n${text}`];
}

function reasonItems(result: Result, outcome: 'inconclusive' | 'not-applicable'): string[] {
  return say
    .reasonGroups(result, outcome)
    .map(
      ({ reason, checks }) =>
        `${counted(checks.length, 'check')}: ${markdownSentence(reason)} (${markdownText(shortened(checks.map(({ id }) => id).join(', '), 300))})`,
    );
}

function headText(result: Result): string {
  const { label, words, more, hints } = say.headlineOf(result);
  const { must, should } = result.summary;
  return [
    `## ${label}: ${markdownSentence(words)}`,
    ...more.map(markdownSentence),
    ...hints.map((text) => `<b>Hint:</b> ${markdownSentence(text)}`),
    `${markdownCode(result.target.baseUrl)} · ${markdownText(say.runWords(result))} · exit code ${EXIT_CODES[result.verdict]}`,
    `must: ${say.countsWords(must)}<br>should: ${say.countsWords(should)}`,
  ].join('\n\n');
}

/**
 * A result as a comment on a pull request, or the summary of a job. Long bodies are cut.
 *
 * @param room in characters; findings that do not fit are only named
 */
export function markdownReport(result: Result, room = ROOM): string {
  const seen = result.observations.filter(({ observed }) => observed !== undefined);
  const known = say.findingsStanding(result, 'known');
  const before = [
    headText(result),
    ...listSection('Errors of the suite', say.suiteErrors(result).map(markdownText)),
    ...listSection(
      'Baseline entries that do not hold',
      result.summary.baselineProblems.map(({ kind, message }) => `${kind}: ${markdownText(message)}`),
    ),
    ...listSection(
      'What became of the earlier result',
      (result.again ?? []).map(
        ({ id, title, outcome }) => `${say.AGAIN_WORDS[outcome]}: ${markdownCode(id)} ${markdownSentence(title)}`,
      ),
    ),
  ];
  const after = [
    ...listSection(
      'Known failures',
      known.map(({ title }) => markdownSentence(title)),
      true,
    ),
    ...listSection('Inconclusive', reasonItems(result, 'inconclusive')),
    ...listSection('Not applicable', reasonItems(result, 'not-applicable'), true),
    ...listSection(
      'Observations',
      seen.map((each) => markdownSentence(say.observationWords(each))),
      true,
    ),
    ...listSection(
      'Users',
      say.restorationLines(result).map(({ text }) => markdownText(text)),
    ),
  ];
  const left = room - [...before, ...after].join('\n\n').length;
  const [failed, tolerated] = [say.findingsStanding(result, 'failed'), say.findingsStanding(result, 'tolerated')];
  const first = failed.length === 0 ? '' : `### Findings\n\n${findingTexts(failed, result, left * 0.8)}`;
  const second =
    tolerated.length === 0
      ? ''
      : `### Findings that do not fail the run\n\n${findingTexts(tolerated, result, left - first.length)}`;
  return `${[...before, first, second, ...after].filter((text) => text !== '').join('\n\n')}\n`;
}

/** Several targets as a table, those that did not pass first. */
export function markdownMatrix({ verdict, targets }: Matrix): string {
  const isPassed = (target: (typeof targets)[number]): number => Number(target.verdict === 'passed');
  const rows = targets
    .toSorted((one, other) => isPassed(one) - isPassed(other))
    .map(({ name, verdict: own, result, problem, link }) => [
      link === undefined ? markdownText(name) : `[${markdownText(name)}](${encodeURI(link).replaceAll(')', '%29')})`,
      own,
      markdownSentence(shortened(result ? say.headlineOf(result).words : (problem ?? ''), 300)),
    ]);
  return `## ${verdict.toUpperCase()}: ${counted(targets.length, 'target')}\n\n${markdownTable(['target', 'verdict', ''], rows)}\n`;
}

/** What changed between two results. */
export function markdownComparison(comparison: Comparison): string {
  const items = (changes: readonly Change[]): string[] =>
    changes.map(
      ({ id, level, from, to, title }) =>
        `${markdownCode(id)} (${level}, ${from} → ${to}) ${markdownSentence(shortened(title, 300))}`,
    );
  const parts = [
    `## ${comparison.worse ? 'WORSE' : 'NOT WORSE'}: ${comparisonWords(comparison)}`,
    ...listSection('New', items(comparison.new)),
    ...listSection('Still there', items(comparison.still), true),
    ...listSection('Not seen again', items(comparison.notSeenAgain), true),
    ...listSection('Fixed', items(comparison.fixed), true),
  ];
  return `${parts.join('\n\n')}\n`;
}

type Annotation = readonly [title: string, message: string];

/** GitHub shows no more of each kind for a step. */
const MOST_OF_A_KIND = 10;

function commands(kind: 'error' | 'warning', annotations: readonly Annotation[]): string[] {
  const shown = annotations.slice(0, annotations.length > MOST_OF_A_KIND ? MOST_OF_A_KIND - 1 : MOST_OF_A_KIND);
  const others = annotations.slice(shown.length).map(([title]) => title);
  if (others.length > 0) shown.push([`and ${others.length} more`, others.join('\n')]);
  return shown.map(([title, message]) => workflowCommand(kind, { title }, message));
}

/**
 * The workflow commands with which GitHub Actions annotates a run: an error for each finding that fails it and each baseline entry
 * that does not hold; a warning for each hint, each other finding, and each reason for which checks are inconclusive.
 */
export function annotations(result: Result): string[] {
  const ofFinding = ({ id, level, title, fix, checks }: Finding): Annotation => [
    `${id} (${level})`,
    [title, fix, checks.join(', ')].filter((line) => line !== '').join('\n'),
  ];
  const { words, hints } = say.headlineOf(result);
  return [
    ...commands('error', [
      ...say.suiteErrors(result).map((text): Annotation => ['Error of the suite', text]),
      ...say.findingsStanding(result, 'failed').map(ofFinding),
      ...result.summary.baselineProblems.map(({ id, message }): Annotation => [`baseline: ${id}`, message]),
    ]),
    ...commands('warning', [
      ...(result.verdict === 'inconclusive' ? [['Inconclusive', words] as const] : []),
      ...hints.map((text): Annotation => ['Hint', text]),
      ...say.findingsStanding(result, 'tolerated').map(ofFinding),
      ...say
        .reasonGroups(result, 'inconclusive')
        .map(({ reason, checks }): Annotation => [`${counted(checks.length, 'check')} inconclusive`, reason]),
    ]),
  ];
}
