import type { Comparison, Direction, OutcomeChange } from '../result/compare.ts';
import type { Observation } from '../checks/observations.ts';
import { markdownCode, markdownSentence, markdownTable, markdownText } from '../../common/markdown.ts';
import { observationWords } from './content/observation-words.ts';
import { wrap, type Paint, type PrettyOptions } from './paint.ts';
import { counted } from '../../common/text.ts';

const LABELS = {
  WORSE: { style: ['bgRed', 'white', 'bold'], emoji: '🔴' },
  BETTER: { style: ['bgGreen', 'black', 'bold'], emoji: '🟢' },
  CHANGED: { style: ['bgYellow', 'black', 'bold'], emoji: '🟡' },
  SAME: { style: ['bgGreen', 'black', 'bold'], emoji: '⚪' },
} satisfies Readonly<Record<string, { readonly style: Parameters<Paint>[0]; readonly emoji: string }>>;

/** A label, and one or more sentences. */
function headline(comparison: Comparison): readonly [label: keyof typeof LABELS, words: string] {
  const { verdict, newlyFailing, newlyPassing, otherOutcomes, worse, better } = comparison;
  const counting = [...newlyFailing, ...newlyPassing, ...otherOutcomes].filter(({ counts }) => counts);
  const numberOf = (wanted: Direction): number => counting.filter(({ direction }) => direction === wanted).length;
  const [down, up] = [numberOf('worse'), numberOf('better')];
  const words = [
    ...(down > 0 ? [`${counted(down, 'check')} got worse.`] : []),
    ...(up > 0 ? [`${counted(up, 'check')} got better.`] : []),
    verdict.from === verdict.to
      ? `The verdict is ${verdict.to}, as before.`
      : `The verdict was ${verdict.from} and is ${verdict.to}.`,
    ...(worse && down === 0 ? ['No check that counts got worse: see the scope and the baseline for the reason.'] : []),
  ].join(' ');
  if (worse || better) return [worse ? 'WORSE' : 'BETTER', words];
  const isSame = !verdict.direction && sectionsOf(comparison).every((section) => section.isSame);
  if (isSame) return ['SAME', `${words} Nothing differs.`];
  return ['CHANGED', `${words} Nothing that counts got worse or better.`];
}

type ScopeChange = Comparison['scope']['changes'][number];

const SCOPE_WORDS: Readonly<Record<ScopeChange['id'], string>> = {
  target: 'target',
  'tool-version': 'suite',
  'contract-version': 'contract',
  'contract-text': 'text of the contract',
  'scored-set': 'scored checks',
  only: '--only',
  skip: '--skip',
  'fail-on': '--fail-on',
  inputs: 'inputs given',
  levels: 'levels',
};

function scopeRow({ id, from, to }: ScopeChange): ChangeRow {
  // Nobody reads more than the start of a digest.
  const value = (text: string): string =>
    id === 'contract-text' || id === 'scored-set' ? `${text.slice(0, 12)}…` : text;
  return { name: SCOPE_WORDS[id], from: value(from), to: value(to) };
}

const MOST_LONE = 12;

function loneWords(lone: Comparison['scope']['added']): string {
  const failing = lone.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const ids = lone.slice(0, MOST_LONE).map(({ id }) => id);
  const more = lone.length - ids.length;
  const failed = failing.length === 0 ? '' : ` Failed: ${failing.join(', ')}.`;
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}.${failed}`;
}

function seenWords(observation: Observation | undefined): string {
  return observation ? observationWords(observation) : 'not seen in that run';
}

/** A change with a name and two sides; of a check if it has a level. */
interface ChangeRow extends Partial<Pick<OutcomeChange, 'level' | 'direction' | 'title' | 'detail'>> {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Why it does not decide, if it does not. */
  readonly light?: string;
}

interface Section {
  readonly title: string;
  /** What the section is about, where its title does not say it. */
  readonly lead?: string;
  readonly rows?: readonly ChangeRow[];
  /** Sentences, each under its name if it has one. */
  readonly sentences?: readonly { readonly name?: string; readonly text: string }[];
  /** Whether a comment on a pull request has it open. */
  readonly isOpen?: boolean;
  /** Whether it holds what did not change. */
  readonly isSame?: boolean;
}

function outcomeRow({ id, counts, knownFailure, ...change }: OutcomeChange): ChangeRow {
  const light = counts ? '' : knownFailure ? 'known failure' : 'does not fail the run';
  return { name: id, light, ...change };
}

function scopeSentences({ added, removed, byInputs }: Comparison['scope']): NonNullable<Section['sentences']> {
  const changes = byInputs.map(({ id, from, to }) => `${id} (${from} → ${to})`).join(', ');
  const told: readonly (readonly [readonly unknown[], string, string])[] = [
    [added, 'only in the new result', loneWords(added)],
    [removed, 'only in the old result', loneWords(removed)],
    [byInputs, 'with another outcome because other inputs were given', changes],
  ];
  return told
    .filter(([checks]) => checks.length > 0)
    .map(([checks, what, text]) => ({ name: `${counted(checks.length, 'check')} ${what}`, text }));
}

function findingSections({ findings }: Comparison): Section[] {
  const section = (
    change: (typeof findings)[number]['change'],
    title: string,
    more: Partial<Section> = {},
  ): Section => {
    const own = findings.filter((finding) => finding.change === change);
    const sentences = own.map(({ id, level, title: text, knownFailure }) => {
      return { name: `${id} (${level}${knownFailure ? ', known failure' : ''})`, text };
    });
    return { title, sentences, ...more };
  };
  return [
    section('new', 'New findings', { isOpen: true }),
    section('fixed', 'Fixed findings'),
    section('gone', 'Findings that are gone, but not seen to be fixed'),
    section('still-there', 'Findings that are still there', { isSame: true }),
  ];
}

/** The sections that are not empty, in the order in which both formats have them. */
function sectionsOf(comparison: Comparison): Section[] {
  const { newlyFailing, newlyPassing, otherOutcomes, otherModes, observations, restoration, scope } = comparison;
  const sections: Section[] = [
    ...findingSections(comparison),
    { title: 'Newly failing', rows: newlyFailing.map(outcomeRow), isOpen: true },
    {
      title: 'Baseline entries that no longer hold',
      sentences: comparison.baselineProblems.map((text) => ({ text })),
      isOpen: true,
    },
    {
      title: 'Other changes of outcome',
      rows: otherOutcomes.map(outcomeRow),
      isOpen: otherOutcomes.some(({ direction }) => direction === 'worse'),
    },
    { title: 'Newly passing', rows: newlyPassing.map(outcomeRow) },
    { title: 'Fails in another way', rows: otherModes.map(({ id, ...change }) => ({ name: id, ...change })) },
    {
      title: 'Observations that differ',
      lead: 'What the target does where the contract is silent. None of it is judged.',
      rows: observations.map(({ id, from, to }) => ({ name: id, from: seenWords(from), to: seenWords(to) })),
    },
    {
      title: 'Restoration of the users',
      sentences: restoration ? [{ text: `${restoration.from} → ${restoration.to} (${restoration.direction})` }] : [],
      isOpen: restoration?.direction === 'worse',
    },
    {
      title: 'Scope',
      lead: 'Differences in what was checked, or checked against. They say nothing about the target.',
      rows: scope.changes.map(scopeRow),
      sentences: scopeSentences(scope),
    },
  ];
  return sections.filter(({ rows = [], sentences = [] }) => rows.length + sentences.length > 0);
}

const MARKS = { worse: ['red', '▼'], better: ['green', '▲'], other: ['dim', '·'] } as const;

function prettyRow(row: ChangeRow, { paint, width }: PrettyOptions): string {
  const { name, level, from, to, direction = 'other', light = '', title, detail } = row;
  if (level === undefined) {
    const side = (word: string, text: string): string => wrap(`${word}  ${text}`, width, ' '.repeat(9), '    ');
    return [`  ${paint('bold', name)}`, paint('dim', side('was', from)), side('now', to)].join('\n');
  }
  const [style, mark] = MARKS[direction];
  return [
    `  ${paint(style, mark)} ${paint('bold', name)}  ${paint('dim', level)}  ${from} → ${to}${light === '' ? '' : paint('dim', `  (${light})`)}`,
    ...(title === undefined ? [] : [wrap(title, width, '      ')]),
    ...(detail === undefined ? [] : [paint('dim', wrap(detail, width, '      '))]),
  ].join('\n');
}

/** The comparison for a person at a terminal: the verdict, then every kind of change that there is. */
export function prettyComparison(comparison: Comparison, options: PrettyOptions): string {
  const { paint, width } = options;
  const [label, words] = headline(comparison);
  const sections = sectionsOf(comparison).map(({ title, lead, rows = [], sentences = [] }) =>
    [
      paint(['bold', 'underline'], title),
      ...(lead === undefined ? [] : [paint('dim', wrap(lead, width, '  '))]),
      ...rows.map((row) => prettyRow(row, options)),
      ...sentences.map(({ name, text }) =>
        name === undefined
          ? wrap(text, width, '    ', '  · ')
          : `  ${paint('bold', name)}\n${wrap(text, width, '    ')}`,
      ),
    ].join('\n'),
  );
  const head = wrap(words, width, ' '.repeat(label.length + 4), `${paint(LABELS[label].style, ` ${label} `)}  `);
  return `${[head, ...sections].join('\n\n')}\n`;
}

function markdownRows(rows: readonly ChangeRow[]): string {
  const areChecks = rows.some(({ level }) => level !== undefined);
  const cells = ({ name, level, from, to, title, detail, light = '' }: ChangeRow): string[] => {
    const sides = [from, to].map(markdownSentence);
    const what = [
      ...(title === undefined ? [] : [markdownSentence(title)]),
      ...(detail === undefined ? [] : [markdownText(detail)]),
      ...(light === '' ? [] : [`_${light}_`]),
    ];
    return [markdownCode(name), ...(level === undefined ? sides : [level, ...sides, what.join('<br>')])];
  };
  return markdownTable(areChecks ? ['check', 'level', 'was', 'is', 'what'] : ['what', 'was', 'is'], rows.map(cells));
}

/** The comparison as a comment on a pull request: what got worse is open, the rest is folded. */
export function markdownComparison(comparison: Comparison): string {
  const [label, words] = headline(comparison);
  const sections = sectionsOf(comparison).map(({ title, lead, rows = [], sentences = [], isOpen }) => {
    const lines = sentences.map(({ name, text }) => {
      return `- ${name === undefined ? '' : `${markdownText(name)}: `}${markdownText(text)}`;
    });
    const text = [
      ...(lead === undefined ? [] : [lead]),
      ...(rows.length === 0 ? [] : [markdownRows(rows)]),
      ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ].join('\n\n');
    const count = rows.length + sentences.length;
    return isOpen
      ? `#### ${title}\n\n${text}`
      : `<details>\n<summary>${title} (${count})</summary>\n\n${text}\n\n</details>`;
  });
  return `${[`### ${LABELS[label].emoji} Conformance: ${label.toLowerCase()}`, markdownText(words), ...sections].join('\n\n')}\n`;
}
