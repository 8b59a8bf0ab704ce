import type { Comparison, Direction, OutcomeChange } from '../../result/several/compare.ts';
import type { Observation } from '../../checks/observations.ts';
import { counted } from '../../../common/text.ts';
import { observationWords } from '../content/observation-words.ts';
import { joined, prose, type Document, type Inline, type Item, type Section, type Text } from '../document.ts';

const TONES = { WORSE: 'failed', BETTER: 'passed', CHANGED: 'inconclusive', SAME: 'passed' } as const;

function headline(comparison: Comparison, areSame: boolean): readonly [label: keyof typeof TONES, words: string] {
  const { verdict, findings, newlyFailing, newlyPassing, otherOutcomes, worse, better } = comparison;
  const changes = [...newlyFailing, ...newlyPassing, ...otherOutcomes];
  const numberOf = (wanted: Direction): number =>
    changes.filter(({ counts, direction }) => counts && direction === wanted).length;
  const told = (count: number, what: string): string[] => (count > 0 ? [`${counted(count, 'check')} ${what}.`] : []);
  const [down, up] = [numberOf('worse'), numberOf('better')];
  const known = knownWords(findings);
  const words = [
    ...told(down, 'got worse'),
    ...told(up, 'got better'),
    ...known,
    verdict.from === verdict.to
      ? `The verdict is ${verdict.to}, as before.`
      : `The verdict was ${verdict.from} and is ${verdict.to}.`,
    ...(worse && down === 0 ? ['No check that counts got worse: see the scope and the baseline for the reason.'] : []),
  ].join(' ');
  if (worse || better) return [worse ? 'WORSE' : 'BETTER', words];
  if (!verdict.direction && areSame && known.length === 0) return ['SAME', `${words} Nothing differs.`];
  return ['CHANGED', `${words} Nothing that counts got worse or better.`];
}

type FindingChange = Comparison['findings'][number];

/** What a baseline hides from the verdict, in words for one finding and for several. */
const KNOWN: readonly { is: (finding: FindingChange) => boolean; one: string; many: string }[] = [
  {
    is: ({ change, knownFailure, wasKnown }) => knownFailure && !wasKnown && change !== 'fixed',
    one: 'became a known failure',
    many: 'became known failures',
  },
  {
    is: ({ change, knownFailure, wasKnown }) => wasKnown && !knownFailure && change === 'still-there',
    one: 'is no longer a known failure',
    many: 'are no longer known failures',
  },
  {
    is: ({ change, wasKnown }) => wasKnown && change === 'fixed',
    one: 'that was a known failure is fixed',
    many: 'that were known failures are fixed',
  },
];

function knownWords(findings: readonly FindingChange[]): string[] {
  return KNOWN.flatMap(({ is, one, many }) => {
    const { length } = findings.filter(is);
    return length > 0 ? [`${counted(length, 'finding')} ${length === 1 ? one : many}.`] : [];
  });
}

/** Something that was one thing and is another. */
function sidesItem(name: string, from: Text, to: Text): Item {
  return { lines: [{ bold: name }, { soft: joined(['was ', from], '') }, joined(['now ', to], '')] };
}

function scopeItem({ id, from, to }: Comparison['scope']['changes'][number]): Item {
  // Nobody reads more than the start of a digest.
  const isDigest = id === 'contract-text' || id === 'scored-set';
  const [before = '', after = ''] = [from, to].map((text) => (isDigest ? `${text.slice(0, 12)}…` : text));
  return sidesItem(id.replaceAll('-', ' '), before, after);
}

const MOST_LONE = 12;

function loneWords(lone: Comparison['scope']['added']): string {
  const failing = lone.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const ids = lone.slice(0, MOST_LONE).map(({ id }) => id);
  const more = lone.length - ids.length;
  const failed = failing.length === 0 ? '' : ` Failed: ${failing.join(', ')}.`;
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}.${failed}`;
}

function seenWords(observation: Observation | undefined): Text {
  return observation ? prose(observationWords(observation)) : 'not seen in that run';
}

function outcomeItem({ id, level, from, to, counts, knownFailure, direction, title, detail }: OutcomeChange): Item {
  const light = counts ? [] : [{ soft: ` (${knownFailure ? 'known failure' : 'does not fail the run'})` }];
  const head: Inline[] = [{ bold: id }, ' ', { soft: level }, ` ${from} → ${to}`, ...light];
  const notes = [prose(title), ...(detail === undefined ? [] : [{ soft: detail }])];
  return { mark: direction === 'worse' ? 'bad' : direction === 'better' ? 'good' : 'other', lines: [head, ...notes] };
}

function scopeItems({ changes, added, removed, byInputs }: Comparison['scope']): Item[] {
  const others = byInputs.map(({ id, from, to }) => `${id} (${from} → ${to})`).join(', ');
  const told: readonly (readonly [readonly unknown[], string, string])[] = [
    [added, 'only in the new result', loneWords(added)],
    [removed, 'only in the old result', loneWords(removed)],
    [byInputs, 'with another outcome because other inputs were given', others],
  ];
  const lone = told.filter(([checks]) => checks.length > 0);
  return [
    ...changes.map(scopeItem),
    ...lone.map(([checks, what, text]) => ({ lines: [{ bold: `${counted(checks.length, 'check')} ${what}` }, text] })),
  ];
}

function findingItems({ findings }: Comparison, wanted: Comparison['findings'][number]['change']): Item[] {
  const own = findings.filter(({ change }) => change === wanted);
  return own.map(({ id, level, title, knownFailure }) => {
    const kind = ` (${level}${knownFailure ? ', known failure' : ''})`;
    return { lines: [[{ bold: id }, kind], prose(title)] };
  });
}

const UNJUDGED = 'What the target does where the contract is silent. None of it is judged.';
const OF_SCOPE = 'Differences in what was checked, or checked against. They say nothing about the target.';

/** The sections that are not empty; a comment on a pull request has those open that say what got worse. */
function sectionsOf(comparison: Comparison): Section[] {
  const { newlyFailing, newlyPassing, otherOutcomes, otherModes, observations, restoration, scope } = comparison;
  const restored = restoration ? [`${restoration.from} → ${restoration.to} (${restoration.direction})`] : [];
  const modes = otherModes.map(({ id, level, from, to, detail }): Item => {
    return { lines: [[{ bold: id }, ' ', { soft: level }, ` ${from} → ${to}`], prose(detail)] };
  });
  const observed = observations.map(({ id, from, to }) => sidesItem(id, seenWords(from), seenWords(to)));
  const isWorse = ({ direction }: OutcomeChange): boolean => direction === 'worse';
  const asItems = (texts: readonly string[]): Item[] => texts.map((text) => ({ lines: [text] }));
  const changed = (wanted: FindingChange['change']): Item[] => findingItems(comparison, wanted);
  const all: readonly (readonly [id: string, title: string, items: readonly Item[], isOpen: boolean, lead?: string])[] =
    [
      ['new', 'New findings', changed('new'), true],
      ['fixed', 'Fixed findings', changed('fixed'), false],
      ['gone', 'Findings that are gone, but not seen to be fixed', changed('gone'), false],
      ['still-there', 'Findings that are still there', changed('still-there'), false],
      ['failing', 'Newly failing', newlyFailing.map(outcomeItem), true],
      ['baseline', 'Baseline entries that no longer hold', asItems(comparison.baselineProblems), true],
      ['others', 'Other changes of outcome', otherOutcomes.map(outcomeItem), otherOutcomes.some(isWorse)],
      ['passing', 'Newly passing', newlyPassing.map(outcomeItem), false],
      ['modes', 'Fails in another way', modes, false],
      ['observations', 'Observations that differ', observed, false, UNJUDGED],
      ['restoration', 'Restoration of the users', asItems(restored), restoration?.direction === 'worse'],
      ['scope', 'Scope', scopeItems(scope), false, OF_SCOPE],
    ];
  return all.flatMap(([id, title, items, isOpen, lead]) => {
    const own = { id, title, count: items.length, isFolded: !isOpen, ...(lead !== undefined && { lead }) };
    return items.length === 0 ? [] : [{ ...own, nodes: [{ type: 'list', items }] } as const];
  });
}

/** The comparison of two results: the verdict, then every kind of change that there is. */
export function comparisonDocument(comparison: Comparison): Document {
  const sections = sectionsOf(comparison);
  const [label, words] = headline(
    comparison,
    sections.every(({ id }) => id === 'still-there'),
  );
  return {
    title: 'Comparison of two results',
    tone: TONES[label],
    label,
    words,
    notes: [],
    hints: [],
    nodes: [],
    sections,
  };
}
