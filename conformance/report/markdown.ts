import {
  markdownBlock,
  markdownCode,
  markdownElementText,
  markdownTable,
  markdownText,
} from '../../common/markdown.ts';
import { shortened } from '../../common/text.ts';
import { linesText } from './content/failure.ts';
import {
  joined,
  piecesOf,
  prose,
  type Deviation,
  type Document,
  type Item,
  type Node,
  type Section,
  type Text,
} from './document.ts';

/** A comment on GitHub has room for 65,536 characters. */
const ROOM = 60_000;
const MARKS = { bad: '🔴 ', good: '🟢 ', other: '' } as const;

function inline(text: Text): string {
  return piecesOf(text)
    .map((piece) => {
      if (typeof piece === 'string') return markdownText(piece);
      if ('code' in piece) return markdownCode(piece.code);
      if ('bold' in piece) return `<b>${inline(piece.bold)}</b>`;
      if ('soft' in piece) return inline(piece.soft);
      if ('link' in piece) return inline(piece.text);
      return 'tag' in piece ? (piece.text ?? piece.tag) : '<br>';
    })
    .join('');
}

/** A text where only HTML counts, such as in a summary. */
function element(text: Text): string {
  return piecesOf(text)
    .map((piece) => {
      if (typeof piece === 'string') return markdownElementText(piece);
      return typeof piece === 'object' && 'code' in piece ? `<code>${markdownElementText(piece.code)}</code>` : '';
    })
    .join('');
}

function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function deviationText({
  name,
  isFinding,
  level,
  title,
  facts,
  requirements,
  lines,
  curl,
  related,
  form,
}: Deviation): string {
  const head = isFinding
    ? `<b>${element(title)}</b> (${level})`
    : `<b>${markdownElementText(name)}</b> (${level}): ${element(title)}`;
  const parts = [
    markdownText(facts.join(' · ')),
    ...requirements.map(({ id, text }) => `${markdownCode(id)} ${inline(text)}`),
    markdownBlock(linesText(lines)),
    ...(curl.length === 0 ? [] : [markdownBlock(curl.join('\n'), 'sh')]),
    ...related.map(([label, ids]) => `${label}: ${inline(joined(ids))}`),
  ];
  return folded(head, parts.join('\n\n'), form === 'open');
}

function itemText({ mark = 'other', lines }: Item): string {
  return `- ${MARKS[mark]}${lines.map(inline).join('<br>')}`;
}

function nodeText(node: Node): string {
  switch (node.type) {
    case 'deviation':
      return deviationText(node);
    case 'paragraph':
      return inline(node.text);
    case 'list':
      return node.items.map(itemText).join('\n');
    case 'fields':
      return node.rows.map(([label, value]) => `${label} ${inline(value)}`.trim()).join(' · ');
    case 'counts':
      return markdownTable(
        ['', 'passed / applicable', 'failed', 'inconclusive', 'not applicable', 'known failures'],
        node.rows.map(([label, { passed, total, failed, inconclusive, notApplicable, knownFailures }]) => [
          ...[label, `${passed}/${total - notApplicable}`],
          ...[failed, inconclusive, notApplicable, knownFailures].map(String),
        ]),
        ['---', '--:', '--:', '--:', '--:', '--:'],
      );
    case 'ids':
      return folded(node.title, inline(joined(node.ids.map((id) => ({ code: id })))));
    case 'group':
      return [`<b>${inline(node.title)}</b>`, ...node.nodes.map(nodeText)].join('\n\n');
    case 'entry':
      return folded(element(node.summary), node.nodes.map(nodeText).join('\n\n'));
    case 'table':
      return markdownTable(
        node.columns.map(inline),
        node.rows.map((row) => row.map(inline)),
      );
  }
}

/** As many deviations as there is room for, and the names of the others; the other nodes have room in any case. */
function nodesText(nodes: readonly Node[], room: number): string {
  const shown: string[] = [];
  let left = room;
  for (const [index, node] of nodes.entries()) {
    const text = nodeText(node);
    if (node.type === 'deviation' && text.length > left) {
      const names = nodes.slice(index).flatMap((each) => (each.type === 'deviation' ? [each.name] : []));
      shown.push(shortened(`and ${names.length} more: ${names.map(markdownCode).join(', ')}`, 4_000));
      break;
    }
    left -= text.length;
    shown.push(text);
  }
  return shown.join('\n\n');
}

function sectionText({ title, lead, nodes, count, isFolded }: Section, room: number): string {
  const text = [...(lead === undefined ? [] : [inline(lead)]), nodesText(nodes, room)].join('\n\n');
  const counted = count === undefined ? '' : ` (${count})`;
  return isFolded ? folded(`<b>${title}</b>${counted}`, text) : `### ${title}\n\n${text}`;
}

function headText({ label, scope, words, notes, exit, hints, nodes }: Document): string {
  return [
    `## ${label}${scope === undefined ? '' : ` (${scope})`}: ${markdownText(words)}`,
    ...[...notes, ...(exit === undefined ? [] : [exit])].map(inline),
    ...hints.map((hint) => `<b>Hint:</b> ${inline(prose(hint))}`),
    ...nodes.map(nodeText),
  ].join('\n\n');
}

/**
 * A document as a comment on a pull request, or the summary of a job.
 *
 * @param room in characters; findings and failed checks that do not fit are only named
 */
export function markdownOf(document: Document, room = ROOM): string {
  const sections = document.sections.filter(({ isForPage }) => !isForPage);
  const needsMuch = ({ nodes }: Section): boolean => nodes.some(({ type }) => type === 'deviation');
  const others = sections.filter((section) => !needsMuch(section)).map((section) => sectionText(section, 0));
  let left = room - [headText(document), ...others].join('\n\n').length;
  const last = sections.findLast(needsMuch);
  const texts = sections.map((section) => {
    const text = sectionText(section, section === last ? left : left * 0.7);
    if (needsMuch(section)) left -= text.length;
    return text;
  });
  return `${[headText(document), ...texts].join('\n\n')}\n`;
}
