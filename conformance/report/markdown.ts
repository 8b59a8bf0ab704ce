import { workflowCommand } from '../../common/github.ts';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { counted, escapeInvisible, shortened } from '../../common/text.ts';
import type { Comparison } from '../result/compare.ts';
import type { Matrix, MatrixTarget } from '../result/matrix.ts';
import { EXIT_CODES, type ExchangeRecord, type Finding, type Result } from '../result/result.ts';
import { comparisonNotes, comparisonWords, type Notes, notesOf } from './notes.ts';
import * as say from './words.ts';

/** Characters. A comment on GitHub has room for 65,536. */
const ROOM = 60_000;

function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A sentence within HTML, such as a `summary`, where Markdown does not count. */
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

function noteText({ title, notes, isMinor }: Notes): string {
  const items = notes.map(({ text, ids = [] }) => {
    const named = ids.length === 0 ? '' : ` (${markdownText(shortened(ids.join(', '), 300))})`;
    return `- ${markdownSentence(text)}${named}`;
  });
  const list = items.join('\n');
  return isMinor ? folded(`${title} (${items.length})`, list) : `### ${title}\n\n${list}`;
}

function headText(result: Result): string {
  const { words, more, hints } = say.headlineOf(result);
  return [
    `## ${result.verdict.toUpperCase()}: ${markdownSentence(words)}`,
    ...more.map(markdownSentence),
    ...hints.map((text) => `<b>Hint:</b> ${markdownSentence(text)}`),
    `${markdownCode(result.target.baseUrl)} · ${markdownText(say.runWords(result))} · exit code ${EXIT_CODES[result.verdict]}`,
    `must: ${say.tallyWords(result, 'must')}<br>should: ${say.tallyWords(result, 'should')}`,
  ].join('\n\n');
}

/** A result as a comment on a pull request, or the summary of a job. Long bodies are cut; findings without room are only named. */
export function markdownReport(result: Result): string {
  const head = headText(result);
  const notes = notesOf(result).map(noteText);
  let left = ROOM - [head, ...notes].join('\n\n').length;
  const findings = (['failed', 'tolerated'] as const).flatMap((standing) => {
    const own = say.findingsStanding(result, standing);
    if (own.length === 0) return [];
    const text = `### ${say.FINDING_TITLES[standing]}\n\n${findingTexts(own, result, left * 0.8)}`;
    left -= text.length;
    return [text];
  });
  return `${[head, ...findings, ...notes].join('\n\n')}\n`;
}

/** Several targets as a table, those that did not pass first. */
export function markdownMatrix({ verdict, targets }: Matrix): string {
  const isPassed = (target: MatrixTarget): boolean => target.verdict === 'passed';
  const nameOf = ({ name, link }: MatrixTarget): string => {
    const address = encodeURI(escapeInvisible(link ?? '')).replaceAll(')', '%29');
    return link === undefined ? markdownText(name) : `[${markdownText(name)}](${address})`;
  };
  const rows = [...targets.filter((each) => !isPassed(each)), ...targets.filter(isPassed)].map((target) => [
    nameOf(target),
    target.verdict,
    markdownSentence(say.targetWords(target)),
  ]);
  return `## ${verdict.toUpperCase()}: ${counted(targets.length, 'target')}\n\n${markdownTable(['target', 'verdict', ''], rows)}\n`;
}

/** What changed between two results. */
export function markdownComparison(comparison: Comparison): string {
  const head = `## ${comparison.worse ? 'WORSE' : 'NOT WORSE'}: ${comparisonWords(comparison)}`;
  return `${[head, ...comparisonNotes(comparison).map(noteText)].join('\n\n')}\n`;
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
  const { hints } = say.headlineOf(result);
  const notes = notesOf(result);
  const ofNotes = (wanted: string): Annotation[] =>
    notes
      .filter(({ id }) => id === wanted)
      .flatMap(({ title, notes: own }) => own.map(({ text }) => [title, text] as const));
  return [
    ...commands('error', [
      ...ofNotes('errors'),
      ...say.findingsStanding(result, 'failed').map(ofFinding),
      ...ofNotes('baseline'),
    ]),
    ...commands('warning', [
      ...hints.map((text): Annotation => ['Hint', text]),
      ...say.findingsStanding(result, 'tolerated').map(ofFinding),
      ...ofNotes('inconclusive'),
    ]),
  ];
}
