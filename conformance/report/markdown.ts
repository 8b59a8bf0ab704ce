import { type Counts, type Result, isScored, type CheckResult } from '../result/result.ts';
import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownSentence,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { findingText } from './plain.ts';
import { detailText } from './observation-words.ts';
import { scopeWords } from './scope.ts';
import { counted, shortened } from '../../common/text.ts';
import { checksStanding, exitLine, hintTexts, toleratedBecause } from './standing.ts';
import { groupedByReason, HEADLINES, missingInputLines, verdictWords } from './wording.ts';

/** A comment on GitHub has room for 65,536 characters. */
const ROOM = 60_000;

function countsRow(level: string, counts: Counts): string[] {
  const { passed, total, notApplicable, failed, inconclusive, knownFailure } = counts;
  return [
    level,
    `${passed}/${total - notApplicable}`,
    ...[failed, inconclusive, notApplicable, knownFailure].map(String),
  ];
}

function head(result: Result): string {
  const { verdict, target, contract, summary, tool, selection, durationMs } = result;
  const { label, words } = HEADLINES[verdict];
  const chosen = [
    ...selection.only.map((each) => `only ${markdownCode(each)}`),
    ...selection.skip.map((each) => `without ${markdownCode(each)}`),
    ...(selection.failOn === 'should' ? ['a broken `should` fails the run'] : []),
  ];
  const facts = [
    `Target ${markdownCode(target.baseUrl)}`,
    `contract ${markdownText(contract.title)} ${markdownText(contract.version)} (${markdownCode(contract.digest.slice(0, 12))})`,
    `${markdownText(tool.name)} ${markdownText(tool.version)}`,
    `${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
    ...chosen,
  ];
  return [
    `## ${label.trim()}: ${markdownText(verdictWords(result, words))}`,
    '',
    ...scopeWords(result.selection).map((sentence) => `${markdownText(sentence)}  `),
    `${facts.join(' · ')}  `,
    exitLine(result),
    ...hintTexts(result).flatMap((text) => ['', `**Hint:** ${markdownText(text)}`]),
    '',
    markdownTable(
      ['checks', 'passed / applicable', 'failed', 'inconclusive', 'not applicable', 'known failures'],
      [countsRow('must', summary.must), countsRow('should', summary.should)],
      ['---', '--:', '--:', '--:', '--:', '--:'],
    ),
  ].join('\n');
}

function failedCheck(check: CheckResult, { requirements }: Result): string {
  const { id, level, failure, title, curl } = check;
  const said = markdownElementText(shortened(failure?.message ?? title, 300));
  const broken = requirements.filter((each) => check.requirements.includes(each.id));
  return [
    `<details><summary><b>${markdownElementText(id)}</b> (${level}): ${said}</summary>`,
    '',
    ...broken.map((each) => `${markdownCode(each.id)} ${markdownSentence(each.text)}\n`),
    markdownBlock(findingText(check)),
    ...(curl === undefined ? [] : ['', markdownBlock(curl, 'sh')]),
    '',
    '</details>',
  ].join('\n');
}

/** As many items as there is room for, and the names of the others. */
function fitting(items: readonly { readonly id: string; readonly text: string }[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const [index, { text }] of items.entries()) {
    if (text.length > left) {
      const others = items.slice(index).map(({ id }) => markdownCode(id));
      return [...shown, shortened(`and ${others.length} more: ${others.join(', ')}`, 4_000)];
    }
    left -= text.length;
    shown.push(text);
  }
  return shown;
}

function failures(title: string, checks: readonly CheckResult[], result: Result, room: number): string {
  const items = checks.map((check) => ({ id: check.id, text: failedCheck(check, result) }));
  return [`### ${title}`, ...fitting(items, room)].join('\n\n');
}

function ids(checks: readonly CheckResult[]): string {
  const names = checks
    .map(({ id, level }) => (level === 'must' ? markdownCode(id) : `${markdownCode(id)} (${level})`))
    .join(', ');
  return `<details><summary>${counted(checks.length, 'check')}</summary>\n\n${names}\n\n</details>`;
}

function unseen(checks: readonly CheckResult[]): string {
  return groupedByReason(checks)
    .map((group) => {
      const [first] = group;
      const reason = first?.reason;
      const words =
        reason === 'missing-input'
          ? ['Not set; set it and run again:', ...missingInputLines(group).map((line) => `- ${markdownText(line)}`)]
          : [markdownText(first?.detail ?? '')];
      return [...(reason === undefined ? [] : [`**${reason}**`, '']), ...words, '', ids(group)].join('\n');
    })
    .join('\n\n');
}

function observations({ observations: all }: Result): string {
  const rows = all.map(({ id, observed, text, detail }) => {
    const words =
      observed === undefined
        ? 'not seen in this run'
        : `${markdownSentence(text.replace(/\.$/, ''))}${markdownText(detailText(detail))}`;
    return [markdownCode(id), words];
  });
  return [
    '<details><summary><b>Observations</b>: what this target does where the contract is silent; not judged</summary>',
    '',
    markdownTable(['open point', 'seen'], rows),
    '',
    '</details>',
  ].join('\n');
}

function restoration({ restoration: { outcome, users, journal } }: Result): string {
  if (outcome === 'none') return 'No user was written to.';
  if (outcome === 'complete') return 'The users are as they were before the run.';
  const members = users.flatMap(({ id, members: each }) =>
    each
      .filter((member) => member.outcome !== 'restored')
      .map(
        ({ member, outcome: kind, detail }) =>
          `- user ${markdownText(id)}, ${member}: ${kind}${detail === undefined ? '' : ` (${markdownText(detail)})`}`,
      ),
  );
  const where = journal === undefined ? '' : ` Journal: ${markdownCode(journal)}`;
  return [`**Not every user is as before the run.**${where}`, '', ...members].join('\n');
}

/**
 * A comment on a pull request, or the summary of a job: verdict, counts, failures, what was inconclusive, observations.
 *
 * @param room in characters; where the failures do not fit, the last of them are named only
 */
export function markdownReport(result: Result, room = ROOM): string {
  const failed = checksStanding(result, 'failed');
  const tolerated = checksStanding(result, 'tolerated');
  const excused = checksStanding(result, 'known-failure');
  const faults = checksStanding(result, 'error');
  const inconclusive = checksStanding(result, 'inconclusive');
  const notApplicable = checksStanding(result, 'not-applicable');
  const { baselineProblems } = result.summary;
  const before = [
    head(result),
    ...(faults.length > 0
      ? [
          `### Faults of the suite\n\n${[...new Set(faults.map(({ detail = '' }) => `- ${markdownText(detail)}`))].join('\n')}`,
        ]
      : []),
    ...(baselineProblems.length > 0
      ? [
          `### Baseline\n\n${baselineProblems.map(({ kind, message }) => `- ${kind}: ${markdownText(message)}`).join('\n')}`,
        ]
      : []),
  ];
  const after = [
    ...(inconclusive.length > 0 ? [`### Could not run\n\n${unseen(inconclusive)}`] : []),
    ...(notApplicable.length > 0 ? [`### Not applicable\n\n${unseen(notApplicable)}`] : []),
    ...(excused.length > 0 ? [`### Excused by the baseline\n\n${ids(excused)}`] : []),
    ...(result.observations.length > 0 ? [observations(result)] : []),
    restoration(result),
  ];
  const rest = room - [...before, ...after].join('\n\n').length;
  const reason = tolerated.every(isScored) ? toleratedBecause : () => 'these do not fail the run';
  const [first] = tolerated;
  const sections = [
    ...before,
    ...(failed.length > 0 ? [failures('Failed', failed, result, rest * (tolerated.length > 0 ? 0.75 : 1))] : []),
    ...(first ? [failures(`Failed, but ${reason(first)}`, tolerated, result, rest * 0.2)] : []),
    ...after,
  ];
  return `${sections.join('\n\n')}\n`;
}
