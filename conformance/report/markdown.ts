import type { CheckResult, Counts, RequirementResult, Result } from '../result/result.ts';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { failureText } from './content/failure.ts';
import { headlineOf } from './content/headline.ts';
import { detailText } from './content/observation-words.ts';
import type { ReasonGroup } from './content/reason-groups.ts';
import { sectionsOf, type BrokenRequirement, type Section } from './content/sections.ts';
import { counted, shortened } from '../../common/text.ts';

/** A comment on GitHub has room for 65,536 characters. */
const ROOM = 60_000;

function countsRow(level: string, counts: Counts): string[] {
  const { passed, total, notApplicable, failed, inconclusive, knownFailures } = counts;
  const numbers = [failed, inconclusive, notApplicable, knownFailures].map(String);
  return [level, `${passed}/${total - notApplicable}`, ...numbers];
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

function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function failedCheck(check: CheckResult, requirements: readonly RequirementResult[]): string {
  const { id, level, failure, title, curl } = check;
  const message = markdownElementText(shortened(failure?.message ?? title, 300));
  const judged = requirements.filter((each) => check.requirements.includes(each.id));
  return folded(
    `<b>${markdownElementText(id)}</b> (${level}): ${message}`,
    [
      ...judged.map((each) => `${markdownCode(each.id)} ${markdownSentence(each.text)}`),
      markdownBlock(failureText(check)),
      ...(curl === undefined ? [] : [markdownBlock(curl, 'sh')]),
    ].join('\n\n'),
  );
}

/** As many failures as there is room for, and the names of the others. */
function failures(broken: readonly BrokenRequirement[], { requirements }: Result, room: number): string {
  const checks = broken.flatMap((each) => each.checks);
  const shown: string[] = [];
  let left = room;
  for (const [index, check] of checks.entries()) {
    const text = failedCheck(check, requirements);
    if (text.length > left) {
      const others = checks.slice(index).map(({ id }) => markdownCode(id));
      shown.push(shortened(`and ${others.length} more: ${others.join(', ')}`, 4_000));
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

/** @param room for failures, in characters */
function contentText({ content }: Section, result: Result, room: number): string {
  switch (content.kind) {
    case 'sentences':
      return content.sentences.map((sentence) => `- ${markdownText(sentence)}`).join('\n');
    case 'failures':
      return failures(content.broken, result, room);
    case 'reasons':
      return content.groups.map(reasonGroup).join('\n\n');
    case 'known-failures':
      return ids(content.checks);
    case 'observations':
      return markdownTable(['open point', 'seen'], content.observations.map(observationRow));
    case 'restoration':
      return content.lines.map(({ text }) => `- ${markdownText(text)}`).join('\n');
  }
}

function sectionText(section: Section, result: Result, room: number): string {
  const { title, lead, content } = section;
  const about = lead === undefined ? '' : `${markdownSentence(lead)}\n\n`;
  const text = about + contentText(section, result, room);
  return content.kind === 'observations' ? folded(`<b>${title}</b>`, text) : `### ${title}\n\n${text}`;
}

/**
 * A comment on a pull request, or the summary of a job: verdict, counts, and the sections of every report.
 *
 * @param room in characters; failures that do not fit are only named
 */
export function markdownReport(result: Result, room = ROOM): string {
  const first = head(result);
  const sections = sectionsOf(result);
  const isFailures = ({ content }: Section): boolean => content.kind === 'failures';
  const others = sections.filter((section) => !isFailures(section)).map((section) => sectionText(section, result, 0));
  const left = room - [first, ...others].join('\n\n').length;
  const isAlone = sections.filter(isFailures).length === 1;
  const shareOf = ({ id }: Section): number => (id === 'tolerated' ? 0.2 : isAlone ? 1 : 0.75);
  return `${[first, ...sections.map((section) => sectionText(section, result, left * shareOf(section)))].join('\n\n')}\n`;
}
