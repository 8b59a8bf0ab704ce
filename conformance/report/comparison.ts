import type { Comparison, Direction, LoneCheck, ModeChange, OutcomeChange, ScopeChange } from '../result/compare.ts';
import type { Observation } from '../checks/observations.ts';
import { markdownCode, markdownSentence, markdownTable, markdownText } from '../../common/markdown.ts';
import { observationWords } from './observation-words.ts';
import { wrap, type Paint } from './paint.ts';
import { counted } from '../../common/text.ts';

/** How a comparison for people is laid out. */
export interface ComparisonOptions {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
}

interface Headline {
  readonly label: 'WORSE' | 'BETTER' | 'CHANGED' | 'SAME';
  readonly style: Parameters<Paint>[0];
  /** One or more sentences. */
  readonly words: string;
}

function numberOf(changes: readonly OutcomeChange[], direction: Direction): number {
  return changes.filter((change) => change.counts && change.direction === direction).length;
}

function isEmpty(comparison: Comparison): boolean {
  const { scope } = comparison;
  const lists = [
    comparison.newlyFailing,
    comparison.newlyPassing,
    comparison.otherOutcomes,
    comparison.otherModes,
    comparison.baselineProblems,
    comparison.observations,
    scope.changes,
    scope.added,
    scope.removed,
    scope.byInputs,
  ];
  return lists.every(({ length }) => length === 0) && !comparison.restoration && !comparison.verdict.direction;
}

function headline(comparison: Comparison): Headline {
  const { verdict, newlyFailing, newlyPassing, otherOutcomes, worse, better } = comparison;
  const all = [...newlyFailing, ...newlyPassing, ...otherOutcomes];
  const [down, up] = [numberOf(all, 'worse'), numberOf(all, 'better')];
  const verdictWords =
    verdict.from === verdict.to
      ? `The verdict is ${verdict.to}, as before.`
      : `The verdict was ${verdict.from} and is ${verdict.to}.`;
  const words = [
    ...(down > 0 ? [`${counted(down, 'check')} got worse.`] : []),
    ...(up > 0 ? [`${counted(up, 'check')} got better.`] : []),
    verdictWords,
    ...(worse && down === 0 ? ['No check that counts got worse: see the scope and the baseline for the reason.'] : []),
  ].join(' ');
  if (worse) return { label: 'WORSE', style: ['bgRed', 'white', 'bold'], words };
  if (better) return { label: 'BETTER', style: ['bgGreen', 'black', 'bold'], words };
  return isEmpty(comparison)
    ? { label: 'SAME', style: ['bgGreen', 'black', 'bold'], words: `${words} Nothing differs.` }
    : {
        label: 'CHANGED',
        style: ['bgYellow', 'black', 'bold'],
        words: `${words} Nothing that counts got worse or better.`,
      };
}

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

/** Digests are named by their start: nobody reads the rest. */
function scopeValue({ id }: ScopeChange, value: string): string {
  return id === 'contract-text' || id === 'scored-set' ? `${value.slice(0, 12)}…` : value;
}

/** Why a change does not weigh, if it does not. */
function lightness({ counts, knownFailure }: OutcomeChange): string {
  if (counts) return '';
  return knownFailure ? 'known failure' : 'does not fail the run';
}

const MOST_LONE = 12;

function loneWords(lone: readonly LoneCheck[]): string {
  const failing = lone.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const ids = lone.slice(0, MOST_LONE).map(({ id }) => id);
  const more = lone.length - ids.length;
  const failed = failing.length === 0 ? '' : ` Failed: ${failing.join(', ')}.`;
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}.${failed}`;
}

interface Titled {
  readonly title: string;
  /** What the section is about, where its title does not say it. */
  readonly lead?: string;
}

const SECTIONS = {
  newlyFailing: { title: 'Newly failing' },
  newlyPassing: { title: 'Newly passing' },
  otherOutcomes: { title: 'Other changes of outcome' },
  otherModes: { title: 'Fails in another way' },
  baselineProblems: { title: 'Baseline entries that no longer hold' },
  observations: {
    title: 'Observations that differ',
    lead: 'What the target does where the contract is silent. None of it is judged.',
  },
  restoration: { title: 'Putting the users back' },
  scope: {
    title: 'Scope',
    lead: 'What was judged, or judged with, differs. This says nothing of the target by itself.',
  },
} as const satisfies Record<string, Titled>;

function seenWords(observation: Observation | undefined): string {
  return observation ? observationWords(observation) : 'not seen in that run';
}

/** The comparison for a person at a terminal: the verdict first, then each kind of change that there is. */
export function prettyComparison(comparison: Comparison, { paint, width }: ComparisonOptions): string {
  const { label, style, words } = headline(comparison);
  const section = ({ title, lead }: Titled, blocks: readonly string[]): string[] =>
    blocks.length === 0
      ? []
      : [
          [
            paint(['bold', 'underline'], title),
            ...(lead === undefined ? [] : [paint('dim', wrap(lead, width, '  '))]),
            ...blocks,
          ].join('\n'),
        ];
  const fromTo = (name: string, from: string, to: string): string =>
    `${paint('dim', wrap(`was  ${from}`, width, `${name}     `, name))}\n${wrap(`now  ${to}`, width, `${name}     `, name)}`;
  const outcome = (change: OutcomeChange): string => {
    const { id, level, from, to, direction, title, detail } = change;
    const mark = { worse: paint('red', '▼'), better: paint('green', '▲'), other: paint('dim', '·') }[direction];
    const light = lightness(change);
    return [
      `  ${mark} ${paint('bold', id)}  ${paint('dim', level)}  ${from} → ${to}${light === '' ? '' : paint('dim', `  (${light})`)}`,
      wrap(title, width, '      '),
      ...(detail === undefined ? [] : [paint('dim', wrap(detail, width, '      '))]),
    ].join('\n');
  };
  const mode = ({ id, level, from, to, detail }: ModeChange): string =>
    [
      `  · ${paint('bold', id)}  ${paint('dim', level)}  ${from} → ${to}`,
      paint('dim', wrap(detail, width, '      ')),
    ].join('\n');
  const { scope, restoration } = comparison;
  const scopeBlocks = [
    ...scope.changes.map(
      (change) =>
        `  ${paint('bold', SCOPE_WORDS[change.id])}\n${fromTo('    ', scopeValue(change, change.from), scopeValue(change, change.to))}`,
    ),
    ...(scope.added.length > 0
      ? [
          `  ${paint('bold', `${counted(scope.added.length, 'check')} only in the new result`)}\n${wrap(loneWords(scope.added), width, '    ')}`,
        ]
      : []),
    ...(scope.removed.length > 0
      ? [
          `  ${paint('bold', `${counted(scope.removed.length, 'check')} only in the old result`)}\n${wrap(loneWords(scope.removed), width, '    ')}`,
        ]
      : []),
    ...(scope.byInputs.length > 0
      ? [
          `  ${paint('bold', `${counted(scope.byInputs.length, 'check')} judged otherwise because other inputs were given`)}\n${wrap(scope.byInputs.map(({ id, from, to }) => `${id} (${from} → ${to})`).join(', '), width, '    ')}`,
        ]
      : []),
  ];
  const sections = [
    wrap(words, width, ' '.repeat(label.length + 4), `${paint(style, ` ${label} `)}  `),
    ...section(SECTIONS.newlyFailing, comparison.newlyFailing.map(outcome)),
    ...section(SECTIONS.newlyPassing, comparison.newlyPassing.map(outcome)),
    ...section(SECTIONS.otherOutcomes, comparison.otherOutcomes.map(outcome)),
    ...section(SECTIONS.otherModes, comparison.otherModes.map(mode)),
    ...section(
      SECTIONS.baselineProblems,
      comparison.baselineProblems.map((message) => wrap(message, width, '    ', '  · ')),
    ),
    ...section(
      SECTIONS.observations,
      comparison.observations.map(
        ({ id, from, to }) => `  ${paint('bold', id)}\n${fromTo('    ', seenWords(from), seenWords(to))}`,
      ),
    ),
    ...section(
      SECTIONS.restoration,
      restoration ? [`  ${restoration.from} → ${restoration.to} (${restoration.direction})`] : [],
    ),
    ...section(SECTIONS.scope, scopeBlocks),
  ];
  return `${sections.join('\n\n')}\n`;
}

const EMOJI: Readonly<Record<Headline['label'], string>> = { WORSE: '🔴', BETTER: '🟢', CHANGED: '🟡', SAME: '⚪' };

function outcomeRows(changes: readonly OutcomeChange[]): string {
  return markdownTable(
    ['check', 'level', 'was', 'is', 'what'],
    changes.map((change) => {
      const { id, level, from, to, title, detail } = change;
      const light = lightness(change);
      const what = [
        markdownSentence(title),
        ...(detail === undefined ? [] : [markdownText(detail)]),
        ...(light === '' ? [] : [`_${light}_`]),
      ];
      return [markdownCode(id), level, from, to, what.join('<br>')];
    }),
  );
}

/** The comparison as a comment of a pull request: what got worse is open, the rest is folded. */
export function markdownComparison(comparison: Comparison): string {
  const { label, words } = headline(comparison);
  const { newlyFailing, newlyPassing, otherOutcomes, otherModes, baselineProblems, observations, restoration, scope } =
    comparison;
  const titled = ({ title, lead }: Titled, count: number, body: string, folded = true): string[] => {
    if (count === 0) return [];
    const text = [...(lead === undefined ? [] : [lead]), body].join('\n\n');
    return [
      folded
        ? `<details>\n<summary>${title} (${count})</summary>\n\n${text}\n\n</details>`
        : `#### ${title}\n\n${text}`,
    ];
  };
  const lone = (checks: readonly LoneCheck[], where: string): string[] =>
    checks.length === 0
      ? []
      : [`- ${counted(checks.length, 'check')} only in the ${where} result: ${markdownText(loneWords(checks))}`];
  const scopeLines = [
    ...scope.changes.map(
      (change) =>
        `- ${SCOPE_WORDS[change.id]}: ${markdownText(scopeValue(change, change.from))} → ${markdownText(scopeValue(change, change.to))}`,
    ),
    ...lone(scope.added, 'new'),
    ...lone(scope.removed, 'old'),
    ...(scope.byInputs.length > 0
      ? [
          `- ${counted(scope.byInputs.length, 'check')} judged otherwise because other inputs were given: ${scope.byInputs.map(({ id, from, to }) => `${markdownCode(id)} (${from} → ${to})`).join(', ')}`,
        ]
      : []),
  ];
  const parts = [
    `### ${EMOJI[label]} Conformance: ${label.toLowerCase()}`,
    markdownText(words),
    ...titled(SECTIONS.newlyFailing, newlyFailing.length, outcomeRows(newlyFailing), false),
    ...titled(
      SECTIONS.baselineProblems,
      baselineProblems.length,
      baselineProblems.map((each) => `- ${markdownText(each)}`).join('\n'),
      false,
    ),
    ...titled(
      SECTIONS.otherOutcomes,
      otherOutcomes.length,
      outcomeRows(otherOutcomes),
      !otherOutcomes.some(({ direction }) => direction === 'worse'),
    ),
    ...titled(SECTIONS.newlyPassing, newlyPassing.length, outcomeRows(newlyPassing)),
    ...titled(
      SECTIONS.otherModes,
      otherModes.length,
      markdownTable(
        ['check', 'level', 'was', 'is', 'what'],
        otherModes.map(({ id, level, from, to, detail }) => [
          markdownCode(id),
          level,
          markdownCode(from),
          markdownCode(to),
          markdownText(detail),
        ]),
      ),
    ),
    ...titled(
      SECTIONS.observations,
      observations.length,
      markdownTable(
        ['open point', 'was', 'is'],
        observations.map(({ id, from, to }) => [
          markdownCode(id),
          markdownSentence(seenWords(from)),
          markdownSentence(seenWords(to)),
        ]),
      ),
    ),
    ...titled(
      SECTIONS.restoration,
      restoration ? 1 : 0,
      restoration ? `${restoration.from} → ${restoration.to} (${restoration.direction})` : '',
      restoration?.direction !== 'worse',
    ),
    ...titled(SECTIONS.scope, scopeLines.length, scopeLines.join('\n')),
  ];
  return `${parts.join('\n\n')}\n`;
}
