import { counted, groupedBy, escapeInvisible } from '../../../common/text.ts';
import {
  brokenSides,
  forClients,
  levelOfEffect,
  type Bump,
  type Change,
  type Effect,
  type Judgement,
} from '../change.ts';

/** For whom a report is. */
export interface View {
  /** Clients alone: nothing is said of implementers. */
  readonly clientsOnly?: boolean;
  /** Only what breaks somebody. */
  readonly breakingOnly?: boolean;
  /** Every change, and where it stands. */
  readonly verbose?: boolean;
}

/** The verdicts in words. */
export function verdictLines({ clients, implementers }: Effect, { clientsOnly }: View = {}): readonly string[] {
  const lines = [
    clients === 'breaking'
      ? 'Clients: breaking. A client of the older contract may fail with a server of the newer.'
      : 'Clients: compatible. A client of the older contract that ignores what it does not know works with servers of the newer.',
    implementers === 'breaking'
      ? 'Implementers: breaking. A server of the older contract has to change to conform to the newer.'
      : 'Implementers: compatible. A server of the older contract conforms to the newer.',
  ];
  return clientsOnly === true ? lines.slice(0, 1) : lines;
}

/** What the bump means for `info.version`. */
export function bumpLine(bump: Bump): string {
  return bump === 'none' ? 'Version: no bump is needed.' : `Version: at least a ${bump} bump.`;
}

const TITLES = ['Breaks clients and implementers', 'Breaks clients', 'Breaks implementers', 'Compatible', 'Wording'];

function titleOf(each: Change): string {
  const broken = brokenSides(each);
  if (broken !== '') return `Breaks ${broken}`;
  return each.bump === 'patch' && !each.review ? 'Wording' : 'Compatible';
}

/** The changes by whom they concern, each in one group; groups without changes are left out. */
export function groupsOf(changes: readonly Change[], { clientsOnly, breakingOnly }: View = {}) {
  const seen = clientsOnly === true ? forClients(changes) : changes;
  const shown = seen.filter((each) => breakingOnly !== true || brokenSides(each) !== '');
  const all = TITLES.map((title) => ({ title, changes: shown.filter((each) => titleOf(each) === title) }));
  return all.filter((group) => group.changes.length > 0);
}

/** The operations of a change in a few words. */
export function operationsOf({ operations = [] }: Change): string {
  const [first, second, ...more] = operations;
  if (first === undefined) return 'The document';
  if (second === undefined) return first;
  return more.length === 0 ? `${first}, ${second}` : `${first}, ${second}, and ${more.length} more`;
}

/** Characters of a message that are shown. */
const MOST_SHOWN = 400;

/** A message as it is shown. */
export function messageOf({ message }: Change): string {
  const text = escapeInvisible(message).replaceAll('\n', ' ');
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, MOST_SHOWN)}… (${text.length - MOST_SHOWN} more characters)`;
}

/** What is to be said of a change beside what it is: that its level is not the one of its effect, and that a person has to look. */
export function remarkOn(change: Change): string {
  const { level, review } = change;
  const another = level === undefined || level === levelOfEffect(change) ? '' : ` — ${level}`;
  return review ? `${another} — needs review` : another;
}

function placeOf({ pointer, document }: Change): string {
  return `${pointer === '' ? 'the document' : pointer}${document === 'base' ? ' of the older document' : ''}`;
}

/** The changes of one group by operation, then by message. */
function blocksOf(changes: readonly Change[], verbose: boolean): string[][] {
  return groupedBy(changes, (each) => JSON.stringify(each.operations ?? [])).map(([, some]) => {
    const [first] = some;
    const operations = verbose ? (first?.operations ?? ['The document']).join(', ') : first && operationsOf(first);
    return [
      `  ${operations ?? ''}`,
      ...groupedBy(some, ({ messages = [] }) => messages.join(' and ')).flatMap(([message, inside]) => [
        ...(message === '' ? [] : [`    ${message}`]),
        ...onceEach(
          inside.map((each) => {
            const where = verbose ? `${each.rule}, ${placeOf(each)}` : each.rule;
            return `${message === '' ? '    ' : '      '}${messageOf(each)} (${where})${remarkOn(each)}`;
          }),
        ),
      ]),
    ];
  });
}

/** Lines that say the same, once, with how often. */
function onceEach(lines: readonly string[]): string[] {
  return groupedBy(lines, (line) => line).map(([line, { length }]) =>
    length > 1 ? `${line} — ${length} times` : line,
  );
}

/** Lines of changes that are shown without being asked for all. */
const MOST_LINES = 170;

/** A judgement for people at a terminal: by operation, then request or response. What breaks clients is hidden last. */
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
    return ['', heading, ...shown.flat(), ...rest];
  });
  const others = collapsed.length === 0 ? [] : ['', `Not shown: ${collapsed.join(', ')}; --verbose shows all.`];
  return [...verdictLines(judgement, view), bumpLine(judgement.bump), ...sections, ...others, ''].join('\n');
}
