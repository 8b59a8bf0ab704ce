import type { CheckResult, Counts, Finding, Result } from '../result/result.ts';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { findingFacts, linesText, requirementsOf } from './content/failure.ts';
import { headlineOf } from './content/headline.ts';
import { detailText } from './content/observation-words.ts';
import type { ReasonGroup } from './content/reason-groups.ts';
import { sectionsOf, type Content, type Section } from './content/sections.ts';
import { counted, shortened } from '../../common/text.ts';

/** A comment on GitHub has room for 65,536 characters. */
const ROOM = 60_000;

function countsRow(level: string, counts: Counts): string[] {
  const { passed, total, notApplicable, failed, inconclusive, knownFailures } = counts;
  const numbers = [failed, inconclusive, notApplicable, knownFailures].map(String);
  return [level, `${passed}/${total}`, ...numbers];
}

function head(result: Result): string {
  const { target, contract, summary, tool, selection, durationMs } = result;
  const { label, words, scope, exit, hints } = headlineOf(result);
  const facts = [
    `Target ${markdownCode(target.baseUrl)}`,
    `contract ${markdownText(contract.title)} ${markdownText(contract.version)} (${markdownCode(contract.digest.slice(0, 12))})`,
    `${markdownText(tool.name)} ${markdownText(tool.version)}`,
    `${counted(summary.requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s`,
    ...selection.only.map((each) => `only ${markdownCode(each)}`),
    ...selection.skip.map((each) => `without ${markdownCode(each)}`),
    ...(selection.failOn === 'should' ? ['a failed `should` fails the run'] : []),
  ];
  return [
    `## ${label}: ${markdownText(words)}`,
    '',
    ...scope.map((sentence) => `${markdownText(sentence)}  `),
    `${facts.join(' · ')}  `,
    exit,
    ...hints.flatMap((text) => ['', `**Hint:** ${markdownText(text)}`]),
    '',
    markdownTable(
      ['checks', 'passed / applicable', 'failed', 'inconclusive', 'not applicable', 'known failures'],
      [countsRow('must', summary.must), countsRow('should', summary.should)],
      ['---', '--:', '--:', '--:', '--:', '--:'],
    ),
  ].join('\n');
}

function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Requirements, lines and curl lines of a finding or a failed check. */
function detailParts(failed: CheckResult | Finding, result: Result): string[] {
  const { curl } = failed;
  return [
    ...requirementsOf(failed, result).map(({ id, text }) => `${markdownCode(id)} ${markdownSentence(text)}`),
    markdownBlock(linesText(failed)),
    ...(curl === undefined ? [] : [markdownBlock(curl, 'sh')]),
  ];
}

function codes(all: readonly string[]): string {
  return all.map(markdownCode).join(', ');
}

function findingText(finding: Finding, result: Result, isOpen: boolean): string {
  const { title, level, checks, consequences } = finding;
  const parts = [
    findingFacts(finding).join(' · '),
    ...detailParts(finding, result),
    `Failed checks: ${codes(checks)}`,
    ...(consequences.length === 0 ? [] : [`Inconclusive because of it: ${codes(consequences)}`]),
  ];
  return folded(`<b>${markdownElementText(shortened(title, 300))}</b> (${level})`, parts.join('\n\n'), isOpen);
}

function failedCheck(check: CheckResult, result: Result): string {
  const { id, level, failure, title } = check;
  const message = markdownElementText(shortened(failure?.message ?? title, 300));
  return folded(`<b>${markdownElementText(id)}</b> (${level}): ${message}`, detailParts(check, result).join('\n\n'));
}

/** As many items as there is room for, and the names of the others. */
function listed<T extends { readonly id: string }>(
  all: readonly T[],
  textOf: (item: T) => string,
  room: number,
): string {
  const shown: string[] = [];
  let left = room;
  for (const [index, item] of all.entries()) {
    const text = textOf(item);
    if (text.length > left) {
      const others = all.slice(index);
      shown.push(shortened(`and ${others.length} more: ${codes(others.map(({ id }) => id))}`, 4_000));
      break;
    }
    left -= text.length;
    shown.push(text);
  }
  return shown.join('\n\n');
}

function ids(checks: readonly CheckResult[]): string {
  const names = checks.map(({ id, level }) => `${markdownCode(id)}${level === 'must' ? '' : ` (${level})`}`);
  return folded(counted(checks.length, 'check'), names.join(', '));
}

function reasonGroup({ reason, detail, missing, checks }: ReasonGroup): string {
  const head = reason === undefined ? [] : [`**${reason}**`, ''];
  return [...head, markdownText(detail), ...missing.map((line) => `- ${markdownText(line)}`), '', ids(checks)].join(
    '\n',
  );
}

function observationRow({ id, observed, text, detail }: Result['observations'][number]): string[] {
  const words = `${markdownSentence(text.replace(/\.$/, ''))}${markdownText(detailText(detail))}`;
  return [markdownCode(id), observed === undefined ? 'not seen in this run' : words];
}

/** @param room for findings or failures, in characters */
function contentText(content: Content, result: Result, room: number): string {
  switch (content.kind) {
    case 'sentences':
      return content.sentences.map((sentence) => `- ${markdownText(sentence)}`).join('\n');
    case 'findings': {
      const { findings, standing } = content;
      const isOpen = (finding: Finding): boolean => standing === 'failed' && finding === findings[0];
      return listed(findings, (finding) => findingText(finding, result, isOpen(finding)), room);
    }
    case 'failures':
      return listed(content.checks, (check) => failedCheck(check, result), room);
    case 'reasons':
      return content.groups.map(reasonGroup).join('\n\n');
    case 'checks':
      return ids(content.checks);
    case 'observations':
      return markdownTable(['open point', 'seen'], content.observations.map(observationRow));
    case 'restoration':
      return content.lines.map(({ text }) => `- ${markdownText(text)}`).join('\n');
  }
}

const FOLDED = new Set<Content['kind']>(['failures', 'observations']);

function sectionText(section: Section, result: Result, room: number): string {
  const { title, lead, content } = section;
  const about = lead === undefined ? '' : `${markdownSentence(lead)}\n\n`;
  const text = about + contentText(content, result, room);
  return FOLDED.has(content.kind) ? folded(`<b>${title}</b>`, text) : `### ${title}\n\n${text}`;
}

/** The part of the room that is left which a section may take, if it needs much. */
const SHARES: Readonly<Partial<Record<string, number>>> = { 'findings-failed': 0.75, failures: 1 };

/**
 * A comment on a pull request, or the summary of a job: verdict, counts, and the sections of every report.
 *
 * @param room in characters; findings and failed checks that do not fit are only named
 */
export function markdownReport(result: Result, room = ROOM): string {
  const first = head(result);
  const sections = sectionsOf(result);
  const needsMuch = ({ content: { kind } }: Section): boolean => kind === 'findings' || kind === 'failures';
  const others = sections.filter((section) => !needsMuch(section)).map((section) => sectionText(section, result, 0));
  let left = room - [first, ...others].join('\n\n').length;
  const texts = sections.map((section) => {
    const text = sectionText(section, result, left * (SHARES[section.id] ?? 0.4));
    if (needsMuch(section)) left -= text.length;
    return text;
  });
  return `${[first, ...texts].join('\n\n')}\n`;
}
