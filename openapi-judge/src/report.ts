import { markdownCode, markdownSentence, markdownTable } from '../../common/markdown.ts';
import { counted, groupedBy } from '../../common/text.ts';
import { brokenSides, type Bump, type Change, type Effect, type Judgement } from './change.ts';

/** The two verdicts in words. */
function verdictLines({ clients, implementers }: Effect): readonly [string, string] {
  return [
    clients === 'breaking'
      ? 'Clients: breaking. Some client that works with every server of the older contract may fail with one of the newer.'
      : 'Clients: compatible. Every client of the older contract works with every server of the newer.',
    implementers === 'breaking'
      ? 'Implementers: breaking. Some server that conforms to the older contract does not conform to the newer.'
      : 'Implementers: compatible. Every server that conforms to the older contract conforms to the newer.',
  ];
}

/** What the bump means for `info.version`. */
function bumpLine(bump: Bump): string {
  return bump === 'none' ? 'Version: no bump is needed.' : `Version: at least a ${bump} bump.`;
}

const TITLES = ['Breaks clients and implementers', 'Breaks clients', 'Breaks implementers', 'Compatible', 'Wording'];

function titleOf(each: Change): string {
  const broken = brokenSides(each);
  if (broken !== '') return `Breaks ${broken}`;
  return each.bump === 'patch' && !each.review ? 'Wording' : 'Compatible';
}

/** The changes by whom they concern, each in one group; groups without changes are left out. */
function groups(changes: readonly Change[]) {
  const all = TITLES.map((title) => ({ title, changes: changes.filter((each) => titleOf(each) === title) }));
  return all.filter((group) => group.changes.length > 0);
}

/** The operations of a change in a few words. */
function operationsOf({ operations = [] }: Change): string {
  const [first, second, ...more] = operations;
  if (first === undefined) return 'The document';
  if (second === undefined) return first;
  return more.length === 0 ? `${first}, ${second}` : `${first}, ${second}, and ${more.length} more`;
}

function placeOf({ pointer, document }: Change): string {
  return `${pointer === '' ? 'the document' : pointer}${document === 'base' ? ' of the older document' : ''}`;
}

/** What a person has to look at. */
function remarkOn({ review, redocly }: Change): string {
  if (review) return ' — needs review';
  return redocly?.length === 0 ? ' — `redocly diff` does not call this breaking' : '';
}

/** The changes of one group by operation, then by message. */
function linesOf(changes: readonly Change[], verbose: boolean): string[][] {
  return groupedBy(changes, (each) => JSON.stringify(each.operations ?? [])).map(([, some]) => {
    const [first] = some;
    const operations = verbose ? (first?.operations ?? ['The document']).join(', ') : first && operationsOf(first);
    return [
      `  ${operations ?? ''}`,
      ...groupedBy(some, ({ messages = [] }) => messages.join(' and ')).flatMap(([message, inside]) => [
        ...(message === '' ? [] : [`    ${message}`]),
        ...inside.map((each) => {
          const where = verbose ? `${each.rule}, ${placeOf(each)}` : each.rule;
          const indent = message === '' ? '    ' : '      ';
          return `${indent}${each.message} (${where})${remarkOn(each)}`;
        }),
      ]),
    ];
  });
}

/** Lines of changes that are shown without being asked for all. */
const MOST_LINES = 170;

/**
 * A judgement for people at a terminal: by operation, then request or response.
 *
 * @param verbose with every change, and where it stands
 */
export function toText(judgement: Judgement, verbose = false): string {
  let left = verbose ? Infinity : MOST_LINES;
  const sections = groups(judgement.changes).flatMap(({ title, changes }) => {
    const blocks = linesOf(changes, verbose);
    const shown: string[] = [];
    let hidden = 0;
    for (const block of blocks) {
      left -= block.length;
      if (left >= 0) shown.push(...block);
      else hidden += 1;
    }
    const rest = hidden === 0 ? [] : [`  … and ${counted(hidden, 'more group')}; --verbose shows all.`];
    return ['', `${title} (${changes.length})`, ...shown, ...rest];
  });
  return [...verdictLines(judgement), bumpLine(judgement.bump), ...sections, ''].join('\n');
}

/** A judgement as Markdown, for a pull request. */
export function toMarkdown(judgement: Judgement): string {
  return [
    ...verdictLines(judgement).map((line) => `- ${line}`),
    `- ${bumpLine(judgement.bump)}`,
    ...groups(judgement.changes).flatMap(({ title, changes }) => [
      '',
      `### ${title} (${changes.length})`,
      '',
      markdownTable(
        ['operation', 'change', 'place', 'rule'],
        changes.map((each) => [
          (each.operations === undefined ? '' : markdownCode(operationsOf(each))) +
            (each.messages === undefined ? '' : ` ${each.messages.join(' and ')}`),
          `${markdownSentence(each.message)}${markdownSentence(remarkOn(each))}`,
          each.pointer === '' ? 'the document' : markdownCode(each.pointer),
          each.rule,
        ]),
      ),
    ]),
    '',
  ].join('\n');
}
