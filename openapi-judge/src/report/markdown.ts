import { markdownCode, markdownSentence, markdownTable } from '../../../common/markdown.ts';
import { counted } from '../../../common/text.ts';
import type { Change, Judgement } from '../change.ts';
import { bumpLine, groupsOf, messageOf, operationsOf, remarkOn, verdictLines, type View } from './text.ts';

/** Bytes. A comment of GitHub holds 65,536 characters, and a job may add something of its own. */
export const MOST_BYTES = 60_000;

function rowOf(each: Change): string {
  const operations = each.operations === undefined ? '' : markdownCode(operationsOf(each));
  const cells = [
    `${operations} ${(each.messages ?? []).join(' and ')}`.trim(),
    `${markdownSentence(messageOf(each))}${remarkOn(each)}`,
    each.pointer === '' ? 'the document' : markdownCode(each.pointer.slice(0, 300)),
    each.rule,
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * A judgement as Markdown, for a pull request. Each group is cut where the whole would be too long for a comment.
 *
 * @param most bytes
 */
export function toMarkdown(judgement: Judgement, view: View = {}, most = MOST_BYTES): string {
  const groups = groupsOf(judgement.changes, view);
  const start = [...verdictLines(judgement, view), bumpLine(judgement.bump)].map((line) => `- ${line}`);
  let left = most - Buffer.byteLength(start.join('\n')) - 300 * groups.length;
  const sections = groups.flatMap(({ title, changes }, index) => {
    // Later groups have what earlier ones leave, and at least their share.
    const share = left - (groups.length - index - 1) * (most / 10);
    let room = share;
    const rows = changes.map(rowOf).filter((row) => (room -= Buffer.byteLength(row) + 1) >= 0);
    left -= share - Math.max(0, room);
    const hidden = changes.length - rows.length;
    const rest = hidden === 0 ? [] : ['', `… and ${counted(hidden, 'more change')} of this kind.`];
    const head = markdownTable(['operation', 'change', 'place', 'rule'], []);
    return ['', `### ${title} (${changes.length})`, '', head, ...rows, ...rest];
  });
  return [...start, ...sections, ''].join('\n');
}
