/** A judgement for people at a terminal. */
import { counted, groupedBy } from '../../../common/text.ts';
import type { Change, Judgement } from '../change.ts';
import {
  bumpLine,
  groupsOf,
  inOneLine,
  legible,
  messageBehind,
  messageOf,
  operationsOf,
  referenceOf,
  remarkOn,
  verdictLines,
  type View,
} from './groups.ts';

function placeOf({ pointer, document }: Change): string {
  return `${pointer === '' ? 'the document' : pointer}${document === 'base' ? ' of the older document' : ''}`;
}

/** The changes of one group by operation, then by message, then by the reference that leads elsewhere. */
function blocksOf(changes: readonly Change[], verbose: boolean): string[][] {
  return groupedBy(changes, (each) => JSON.stringify(each.operations ?? [])).map(([, some]) => {
    const [first] = some;
    const operations = verbose ? (first?.operations ?? ['The document']).join(', ') : first && operationsOf(first);
    const inside = groupedBy(some, ({ messages = [] }) => messages.join(' and '));
    return [`  ${operations ?? ''}`, ...inside.flatMap(([message, each]) => messageBlock(message, each, verbose))];
  });
}

function messageBlock(message: string, changes: readonly Change[], verbose: boolean): readonly string[] {
  const indent = message === '' ? '    ' : '      ';
  const lines = groupedBy(changes, ({ reference }) => (reference === undefined ? '' : referenceOf(reference)));
  return [
    ...(message === '' ? [] : [`    ${message}`]),
    ...lines.flatMap(([reference, some]) => [
      ...(reference === '' ? [] : [`${indent}${reference}:`]),
      ...onceEach(some.map((each) => lineOf(each, `${indent}${reference === '' ? '' : '  '}`, verbose))),
    ]),
  ];
}

function lineOf(each: Change, indent: string, verbose: boolean): string {
  const where = verbose ? `${each.rule}, ${placeOf(each)}` : each.rule;
  return `${indent}${messageBehind(each)} (${where})${remarkOn(each)}`;
}

/** Lines that say the same, once, with how often. */
function onceEach(lines: readonly string[]): string[] {
  return groupedBy(lines, (line) => line).map(([line, { length }]) =>
    length > 1 ? `${line} — ${length} times` : line,
  );
}

/** Lines of changes that are shown without being asked for all. */
const MOST_LINES = 170;

const RED = 31;
const YELLOW = 33;
const GREEN = 32;

function painted(line: string, color: number): string {
  return `\u001b[${color}m${line}\u001b[0m`;
}

/** A line of a verdict or a heading, in the colour of what it says. */
function emphasized(line: string, { colored }: View): string {
  if (colored !== true) return line;
  if (/^Breaks clients|^Clients: breaking/.test(line)) return painted(line, RED);
  if (/^Breaks|^Implementers: breaking/.test(line)) return painted(line, YELLOW);
  return line.includes(': compatible.') ? painted(line, GREEN) : line;
}

/** By operation, then request or response. What breaks clients is hidden last. */
export function toText(judgement: Judgement, view: View = {}): string {
  const { verbose = false } = view;
  let left = verbose ? Infinity : MOST_LINES;
  const collapsed: string[] = [];
  const sections = groupsOf(judgement.changes, view).flatMap(({ title, changes }) => {
    const heading = `${title} (${changes.length})`;
    const blocks = blocksOf(changes, verbose);
    const shown = blocks.filter((block) => (left -= block.length) >= 0);
    if (shown.length === 0) {
      collapsed.push(heading);
      return [];
    }
    const hidden = blocks.length - shown.length;
    const rest = hidden === 0 ? [] : [`  … and ${counted(hidden, 'more group')}; --verbose shows all.`];
    return ['', emphasized(heading, view), ...shown.flat(), ...rest];
  });
  const others = collapsed.length === 0 ? [] : ['', `Not shown: ${collapsed.join(', ')}; --verbose shows all.`];
  const verdicts = verdictLines(judgement, view).map((line) => emphasized(line, view));
  return [...verdicts, bumpLine(judgement), ...sections, ...others, ...acceptedLines(judgement), ''].join('\n');
}

function acceptedLines({ accepted = [] }: Judgement): readonly string[] {
  if (accepted.length === 0) return [];
  const lines = accepted.map((each) => {
    const by = each.byPattern ? ' — by a pattern' : '';
    return `  ${operationsOf(legible(each))}: ${messageOf(each)} (${each.rule})${by} — ${inOneLine(each.reason)}`;
  });
  return ['', `Accepted (${accepted.length})`, ...lines];
}
