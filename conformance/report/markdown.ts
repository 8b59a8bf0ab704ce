import { type Counts, type Result, isScored, type CheckResult } from '../result.ts';
import { legible } from './legible.ts';
import { findingText } from './plain.ts';
import { detailText } from './observation-words.ts';
import { checkCount, groupedBy, HEADLINES, missingInputLines, verdictWords } from './pretty.ts';
import { scopeWords } from './scope.ts';
import { checksStanding, exitLine, hintTexts, shortened, toleratedBecause } from './standing.ts';

/** A comment on GitHub has room for 65,536 characters. */
const ROOM = 60_000;

/** What would not be shown as it is, anywhere in a line or at its start. */
const SPECIAL = /[\\`*_[\]<>|~:@&$]|(?<=^ ?)[-+#=]|(?<=^ ?\d+)[.)](?=\s|$)/g;
const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };

/** What would call a person, an issue or an address: GitHub looks for them in what is rendered, so escapes do not help. */
function uncalled(text: string): string {
  return text.replaceAll(/(?<!\w)([@#])(?=\w)|\b(www)(?=\.)/g, '$1$2\u200b');
}

/** A text within a line, shown as it is. */
function inline(text: string): string {
  const shown = legible(shortened(text, 1_000)).replaceAll(/\s+/g, ' ');
  return uncalled(shown).replaceAll(SPECIAL, (char) => ENTITIES[char] ?? `\\${char}`);
}

function longestRun(text: string, char: string): number {
  return Math.max(0, ...(text.match(new RegExp(`${char}+`, 'g')) ?? []).map(({ length }) => length));
}

/** A text within a line in the font of code. */
function code(text: string): string {
  const shown = legible(shortened(text, 1_000)).replaceAll(/\s+/g, ' ');
  const fence = '`'.repeat(longestRun(shown, '`') + 1);
  const pad = /^`|`$/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A sentence of the suite or the contract within a line, in which what stands between backticks is code. */
function prose(text: string): string {
  return text
    .split(/`([^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : inline(part)))
    .join('');
}

function block(text: string, language = ''): string {
  const shown = legible(text);
  const fence = '`'.repeat(Math.max(3, longestRun(shown, '`') + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A text of an HTML element that GitHub leaves in Markdown. */
function markup(text: string): string {
  return uncalled(legible(text))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>"'`*_~@#[\]\\|:]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function countsRow(level: string, counts: Counts): string {
  const { passed, total, notApplicable, failed, couldNotRun, waived } = counts;
  return `| ${level} | ${passed}/${total - notApplicable} | ${failed} | ${couldNotRun} | ${notApplicable} | ${waived} |`;
}

function head(result: Result): string {
  const { verdict, target, contract, summary, tool, selection, durationMs } = result;
  const { label, words } = HEADLINES[verdict];
  const chosen = [
    ...selection.only.map((each) => `only ${code(each)}`),
    ...selection.skip.map((each) => `without ${code(each)}`),
    ...(selection.failOn === 'should' ? ['a broken `should` fails the run'] : []),
  ];
  const facts = [
    `Target ${code(target.baseUrl)}`,
    `contract ${inline(contract.title)} ${inline(contract.version)} (${code(contract.digest.slice(0, 12))})`,
    `${inline(tool.name)} ${inline(tool.version)}`,
    `${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s`,
    ...chosen,
  ];
  return [
    `## ${label.trim()}: ${inline(verdictWords(result, words))}`,
    '',
    ...scopeWords(result.selection).map((sentence) => `${inline(sentence)}  `),
    `${facts.join(' · ')}  `,
    exitLine(result),
    ...hintTexts(result).flatMap((text) => ['', `**Hint:** ${inline(text)}`]),
    '',
    '| checks | passed / applicable | failed | could not run | not applicable | excused |',
    '| --- | --: | --: | --: | --: | --: |',
    countsRow('must', summary.must),
    countsRow('should', summary.should),
  ].join('\n');
}

function failedCheck(check: CheckResult, { requirements }: Result): string {
  const { id, level, failure, title, curl } = check;
  const said = markup(shortened(failure?.message ?? title, 300));
  const broken = requirements.filter((each) => check.requirements.includes(each.id));
  return [
    `<details><summary><b>${markup(id)}</b> (${level}): ${said}</summary>`,
    '',
    ...broken.map((each) => `${code(each.id)} ${prose(each.text)}\n`),
    block(findingText(check)),
    ...(curl === undefined ? [] : ['', block(curl, 'sh')]),
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
      const others = items.slice(index).map(({ id }) => code(id));
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
  const names = checks.map(({ id, level }) => (level === 'must' ? code(id) : `${code(id)} (${level})`)).join(', ');
  return `<details><summary>${checkCount(checks.length)}</summary>\n\n${names}\n\n</details>`;
}

function unseen(checks: readonly CheckResult[]): string {
  const groups = groupedBy(checks, ({ reason = 'not-applicable', detail = '' }) =>
    reason === 'missing-input' ? reason : `${reason}\n${detail}`,
  );
  return [...groups.values()]
    .map((group) => {
      const [first] = group;
      const reason = first?.reason;
      const words =
        reason === 'missing-input'
          ? ['Not set; set it and run again:', ...missingInputLines(group).map((line) => `- ${inline(line)}`)]
          : [inline(first?.detail ?? '')];
      return [...(reason === undefined ? [] : [`**${reason}**`, '']), ...words, '', ids(group)].join('\n');
    })
    .join('\n\n');
}

function observations({ observations: all }: Result): string {
  const lines = all.map(({ id, observed, text, detail }) => {
    const words =
      observed === undefined
        ? 'not seen in this run'
        : `${prose(text.replace(/\.$/, ''))}${inline(detailText(detail))}`;
    return `| ${code(id).replaceAll('|', '\\|')} | ${words} |`;
  });
  return [
    '<details><summary><b>Observations</b>: what this target does where the contract is silent; not judged</summary>',
    '',
    '| open point | seen |',
    '| --- | --- |',
    ...lines,
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
          `- user ${inline(id)}, ${member}: ${kind}${detail === undefined ? '' : ` (${inline(detail)})`}`,
      ),
  );
  const where = journal === undefined ? '' : ` Journal: ${code(journal)}`;
  return [`**Not every user is as before the run.**${where}`, '', ...members].join('\n');
}

/**
 * A comment on a pull request, or the summary of a job: verdict, counts, failures, what could not run, observations.
 *
 * @param room in characters; where the failures do not fit, the last of them are named only
 */
export function markdownReport(result: Result, room = ROOM): string {
  const failed = checksStanding(result, 'failed');
  const tolerated = checksStanding(result, 'tolerated');
  const excused = checksStanding(result, 'excused');
  const faults = checksStanding(result, 'suite-fault');
  const couldNotRun = checksStanding(result, 'could-not-run');
  const notApplicable = checksStanding(result, 'not-applicable');
  const { baselineProblems } = result.summary;
  const before = [
    head(result),
    ...(faults.length > 0
      ? [
          `### Faults of the suite\n\n${[...new Set(faults.map(({ detail = '' }) => `- ${inline(detail)}`))].join('\n')}`,
        ]
      : []),
    ...(baselineProblems.length > 0
      ? [`### Baseline\n\n${baselineProblems.map(({ kind, message }) => `- ${kind}: ${inline(message)}`).join('\n')}`]
      : []),
  ];
  const after = [
    ...(couldNotRun.length > 0 ? [`### Could not run\n\n${unseen(couldNotRun)}`] : []),
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
