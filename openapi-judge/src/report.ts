import { markdownCode, markdownSentence, markdownTable } from '../../common/markdown.ts';
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
  return each.bump === 'patch' ? 'Wording' : 'Compatible';
}

/** The changes by whom they concern, each in one group; groups without changes are left out. */
function groups(changes: readonly Change[]) {
  const all = TITLES.map((title) => ({ title, changes: changes.filter((each) => titleOf(each) === title) }));
  return all.filter((group) => group.changes.length > 0);
}

function lineOf(each: Change): string {
  const { message, rule, review, document } = each;
  const where = document === 'base' ? ' of the older document' : '';
  const place = `${each.pointer === '' ? 'the document' : each.pointer}${where}`;
  return `${message} (${rule}, ${place})${review ? ' — needs review' : ''}`;
}

/** A judgement for people at a terminal. */
export function toText(judgement: Judgement): string {
  return [
    ...verdictLines(judgement),
    bumpLine(judgement.bump),
    ...groups(judgement.changes).flatMap(({ title, changes }) => [
      '',
      `${title} (${changes.length})`,
      ...changes.map((each) => `  ${lineOf(each)}`),
    ]),
    '',
  ].join('\n');
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
        ['change', 'place', 'rule'],
        changes.map(({ message, review, pointer, rule }) => [
          `${markdownSentence(message)}${review ? ' **(needs review)**' : ''}`,
          pointer === '' ? 'the document' : markdownCode(pointer),
          rule,
        ]),
      ),
    ]),
    '',
  ].join('\n');
}
