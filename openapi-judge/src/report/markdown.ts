/** A judgement for the text of a pull request. */
import { markdownCode, markdownSentence, markdownTable, markdownText } from '../../../common/markdown.ts';
import { counted } from '../../../common/text.ts';
import type { Change, Judgement } from '../change.ts';
import { bumpLine, groupsOf, messageOf, operationsOf, remarkOn, verdictLines, type View } from './groups.ts';

/** Bytes. A comment of GitHub holds 65,536 characters, and a job may add something of its own. */
export const MOST_BYTES = 60_000;

const HEAD = ['operation', 'change', 'place', 'rule'];

function cellsOf(each: Change): readonly string[] {
  const operations = each.operations === undefined ? '' : markdownCode(operationsOf(each));
  return [
    `${operations} ${(each.messages ?? []).join(' and ')}`.trim(),
    `${markdownSentence(messageOf(each))}${remarkOn(each)}`,
    each.pointer === '' ? 'the document' : markdownCode(each.pointer.slice(0, 300)),
    markdownText(each.rule),
  ];
}

/** The groups of changes that a report shows, and why some are accepted. */
function sectionsOf(judgement: Judgement, view: View) {
  const accepted = (judgement.accepted ?? []).map((each) => {
    const by = each.byPattern ? ' (by a pattern)' : '';
    const [operation = '', change = '', ...rest] = cellsOf(each);
    return [operation, `${change} — ${markdownText(each.reason)}${by}`, ...rest];
  });
  const groups = groupsOf(judgement.changes, view).map(({ title, changes }) => ({ title, rows: changes.map(cellsOf) }));
  return accepted.length === 0 ? groups : [...groups, { title: 'Accepted', rows: accepted }];
}

/**
 * A judgement as Markdown. Each group is cut where the whole would be too long for a comment.
 *
 * @param most bytes
 */
export function toMarkdown(judgement: Judgement, view: View = {}, most = MOST_BYTES): string {
  const groups = sectionsOf(judgement, view);
  const start = [...verdictLines(judgement, view), bumpLine(judgement)].map((line) => `- ${line}`);
  let left = most - Buffer.byteLength(start.join('\n')) - 300 * groups.length;
  const sections = groups.flatMap(({ title, rows }, index) => {
    // Later groups have what earlier ones leave, and at least their share.
    const share = left - (groups.length - index - 1) * (most / 10);
    let room = share;
    const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
    const shown = lines.filter((line) => (room -= Buffer.byteLength(line) + 1) >= 0);
    left -= share - Math.max(0, room);
    const hidden = rows.length - shown.length;
    const rest = hidden === 0 ? [] : ['', `… and ${counted(hidden, 'more change')} of this kind.`];
    return ['', `### ${title} (${rows.length})`, '', markdownTable(HEAD, []), ...shown, ...rest];
  });
  return [...start, ...sections, ''].join('\n');
}
