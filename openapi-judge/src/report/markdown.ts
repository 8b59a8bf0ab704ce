import type { Change, Judgement } from '../change.ts';
import { counted } from '../tools/text.ts';
import { bumpLine, groupsOf, messageOf, operationsOf, remarkOn, verdictLines, type View } from './text.ts';

/** What Markdown would not show as it is. */
const SPECIAL = /[\\`*_[\]<>|~&$#@]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '@': '&#64;',
  '#': '&#35;',
};

function plain(text: string): string {
  return text.replaceAll(SPECIAL, (char) => ENTITIES[char] ?? `\\${char}`);
}

function code(text: string): string {
  // Between backticks nothing can be escaped, and a table would end the cell at the bar.
  return /[`|]/.test(text) ? `<code>${plain(text)}</code>` : `\`${text}\``;
}

/** A sentence in which what stands between backticks is code. */
function sentence(text: string): string {
  const parts = text.split(/`([^`]*)`/);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : plain(part))).join('');
}

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Bytes. A comment of GitHub holds 65,536 characters, and a job may add something of its own. */
export const MOST_BYTES = 60_000;

function rowOf(each: Change): string {
  const operations = each.operations === undefined ? '' : code(operationsOf(each));
  const cells = [
    `${operations} ${(each.messages ?? []).join(' and ')}`.trim(),
    `${sentence(messageOf(each))}${remarkOn(each)}`,
    each.pointer === '' ? 'the document' : code(each.pointer.slice(0, 300)),
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
    const head = table(['operation', 'change', 'place', 'rule'], []);
    return ['', `### ${title} (${changes.length})`, '', head, ...rows, ...rest];
  });
  return [...start, ...sections, ''].join('\n');
}
