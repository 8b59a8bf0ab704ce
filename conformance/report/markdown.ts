import { workflowCommand } from '../../common/github.ts';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { escapeInvisible, present, shortened } from '../../common/text.ts';
import type { Comparison } from '../result/compare.ts';
import type { Finding, Result } from '../facts/result.ts';
import type { Matrix, MatrixTarget } from './matrix.ts';
import { comparisonNotes, comparisonWords, type Note, type Notes, notesOf } from './notes.ts';
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

/** What else failed that is listed; the rest is counted. */
const MOST_FAILURES = 20;

function failureItems(finding: Finding): string[] {
  const all = say.otherFailures(finding);
  if (all.length === 0) return [];
  const rest = all.length > MOST_FAILURES ? [`- and ${all.length - MOST_FAILURES} more`] : [];
  const items = all.slice(0, MOST_FAILURES).map((text) => `- ${markdownSentence(text)}`);
  return [`Also failed:\n\n${[...items, ...rest].join('\n')}`];
}

function exchangeText({ exchange, label, isCause }: say.LabelledExchange): string {
  const { shown, others, count } = say.excerpt(exchange.response?.body ?? '', 1_000);
  const lines = present([say.responseWords(exchange), shown, others !== '' && `… ${count}`]);
  const head = isCause ? [] : [`${label}:`];
  return [...head, markdownBlock(exchange.curl, 'sh'), markdownBlock(lines.join('\n'))].join('\n\n');
}

function findingText(finding: Finding, result: Result, isOpen: boolean): string {
  const { title, expected, actual, fix } = finding;
  const [level = '', ...facts] = say.findingFacts(finding, result);
  const parts = [
    markdownText(facts.join(' · ')),
    `- expected: ${markdownSentence(expected)}\n- actual: ${markdownSentence(actual)}\n- fix: ${markdownSentence(fix)}`,
    ...failureItems(finding),
    ...say.exchangesOf(finding).map(exchangeText),
    markdownBlock(Object.values(say.commandsOf(finding, result)).join('\n'), 'sh'),
  ];
  return folded(`<b>${elementSentence(shortened(title, 400))}</b> (${level})`, parts.join('\n\n'), isOpen);
}

/** As many findings as there is room for, and the ids of the others. */
function findingTexts(result: Result, room: number): string[] {
  const findings = say.findingsStanding(result, 'failed', 'tolerated', 'known');
  const texts = findings.map((finding, index) => findingText(finding, result, index === 0));
  const fitting = texts.filter((_text, index) => texts.slice(0, index + 1).join('\n\n').length <= room);
  const others = findings.slice(fitting.length).map(({ id }) => markdownCode(id));
  return others.length === 0 ? texts : [...fitting, `and ${others.length} more: ${others.slice(0, 50).join(', ')}`];
}

function noteItem({ text, ids = [], command }: Note): string {
  const named = ids.length === 0 ? '' : ` (${markdownText(shortened(ids.join(', '), 300))})`;
  return `- ${markdownSentence(text)}${named}${command === undefined ? '' : ` ${markdownCode(command)}`}`;
}

function sectionText({ title, notes, isMinor }: Notes): string {
  const list = notes.map(noteItem).join('\n');
  return isMinor ? folded(`${title} (${notes.length})`, list) : `### ${title}\n\n${list}`;
}

/** A result as a comment on a pull request, or the summary of a job. Long bodies are cut; findings without room are only named. */
export function markdownReport(result: Result): string {
  const { words, hints } = say.headlineOf(result);
  const { verdict, target, findings, tool } = result;
  const about = `${markdownText(tool.name)} judged ${markdownCode(target.baseUrl)}`;
  const head = present([
    `## ${about}: ${verdict.toUpperCase()}`,
    markdownSentence(words),
    ...hints.map((text) => `<b>Hint:</b> ${markdownSentence(text)}`),
    markdownText(say.runWords(result)),
    `must: ${say.tallyWords(result, 'must')}<br>should: ${say.tallyWords(result, 'should')}`,
    findings.length > 0 && '### Findings',
  ]);
  const notes = notesOf(result).map(sectionText);
  const room = (ROOM - [...head, ...notes].join('\n\n').length) * 0.95;
  return `${[...head, ...findingTexts(result, room), ...notes].join('\n\n')}\n`;
}

/** Several targets as a table. */
export function markdownMatrix({ verdict, words, targets }: Matrix): string {
  const nameOf = ({ name, link }: MatrixTarget): string => {
    const address = encodeURI(escapeInvisible(link ?? '')).replaceAll(')', '%29');
    return link === undefined ? markdownText(name) : `[${markdownText(name)}](${address})`;
  };
  const rows = targets.map((target) => [nameOf(target), target.verdict, markdownSentence(target.words)]);
  return `## ${verdict.toUpperCase()}: ${words}\n\n${markdownTable(['target', 'verdict', ''], rows)}\n`;
}

/** What changed between two results. */
export function markdownComparison(comparison: Comparison): string {
  const head = `## ${comparison.worse ? 'WORSE' : 'NOT WORSE'}: ${comparisonWords(comparison)}`;
  return `${head}\n\n${comparisonNotes(comparison).map(noteItem).join('\n')}\n`;
}

/**
 * The workflow commands with which GitHub Actions annotates a run: an error for each finding that fails it and each baseline entry
 * that does not hold; a warning for each hint, each other finding, and each reason for which checks are inconclusive.
 */
export function annotations(result: Result): string[] {
  const ofFindings = (kind: 'error' | 'warning', standing: say.Standing): string[] =>
    say.findingsStanding(result, standing).map(({ id, level, title, fix, checks }) => {
      const lines = present([title, fix, checks.join(', ')]);
      return workflowCommand(kind, { title: `${id} (${level})` }, lines.join('\n'));
    });
  const ofNotes = (kind: 'error' | 'warning', ...ids: readonly string[]): string[] =>
    notesOf(result)
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ title, notes }) => notes.map(({ text }) => workflowCommand(kind, { title }, text)));
  return [
    ...ofNotes('error', 'errors', 'baseline'),
    ...ofFindings('error', 'failed'),
    ...say.headlineOf(result).hints.map((text) => workflowCommand('warning', { title: 'Hint' }, text)),
    ...ofFindings('warning', 'tolerated'),
    ...ofNotes('warning', 'inconclusive'),
  ];
}
