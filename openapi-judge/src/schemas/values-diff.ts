/** Compares the values that two alternatives of one type list, and how they bound them. */
import type { Located } from '../documents/description.ts';
import type { Rule } from '../rules.ts';
import { BOTH_WAYS, difference, listOf, moved } from './difference.ts';
import type { CompareShapes, SchemaDifference } from './difference.ts';
import { fitsFormat } from './values/formats.ts';
import { isMultiple, listed } from './values/schema-values.ts';
import type { JsonType, Shape } from './values/value-set.ts';

/** Compares the lists of values that two schemas allow for one type. That all values stay, or all were there, the proof says. */
export const compareValues: CompareShapes = ({ base, head, type, at }) => {
  if (base.values === undefined && head.values === undefined) return [];
  const [before, after] = [listed(base, type), listed(head, type)];
  const both = { moves: BOTH_WAYS };
  if (before === undefined) return [difference('enum-added', at, `only ${listOf(after ?? [])} is allowed now`, both)];
  if (after === undefined)
    return [difference('enum-removed', at, `any value is allowed now, where it was ${listOf(before)}`, both)];
  const gone = [...before].filter((value) => !after.has(value));
  const come = [...after].filter((value) => !before.has(value));
  return [
    ...(gone.length > 0 ? [difference('enum-values-removed', at, `${thoseWhich(gone)} no longer allowed`)] : []),
    ...(come.length > 0 ? [difference('enum-values-added', at, `${thoseWhich(come)} allowed now`)] : []),
  ];
};

function thoseWhich(values: readonly string[]): string {
  return `${listOf(values)} ${values.length === 1 ? 'is' : 'are'}`;
}

/** What is bounded, and the rules for a bound that leaves less or more. */
interface Bounded {
  readonly what: string;
  readonly tightened: Rule;
  readonly loosened: Rule;
  /** The greater, the less it leaves. */
  readonly tightness: (shape: Shape) => number;
  /** What decides between two that are equal so. */
  readonly strictness?: (shape: Shape) => number;
  readonly show: (shape: Shape) => string;
}

function showLimit(limit: Shape['minimum']): string {
  if (limit === undefined) return 'none';
  return limit.exclusive ? `${limit.value} (exclusive)` : String(limit.value);
}

const BOUNDS: readonly Bounded[] = [
  {
    what: 'minimum',
    tightened: 'minimum-tightened',
    loosened: 'minimum-loosened',
    tightness: ({ minimum }) => minimum?.value ?? -Infinity,
    strictness: ({ minimum }) => Number(minimum?.exclusive ?? false),
    show: ({ minimum }) => showLimit(minimum),
  },
  {
    what: 'maximum',
    tightened: 'maximum-tightened',
    loosened: 'maximum-loosened',
    tightness: ({ maximum }) => (maximum === undefined ? -Infinity : -maximum.value),
    strictness: ({ maximum }) => Number(maximum?.exclusive ?? false),
    show: ({ maximum }) => showLimit(maximum),
  },
  {
    what: 'least LENGTH',
    tightened: 'minimum-size-changed',
    loosened: 'minimum-size-changed',
    tightness: ({ least }) => least,
    show: ({ least }) => String(least),
  },
  {
    what: 'greatest LENGTH',
    tightened: 'maximum-size-changed',
    loosened: 'maximum-size-changed',
    tightness: ({ most }) => -most,
    show: ({ most }) => (most === Infinity ? 'none' : String(most)),
  },
  {
    what: 'rule for equal elements',
    tightened: 'unique-items-changed',
    loosened: 'unique-items-changed',
    tightness: ({ unique }) => Number(unique),
    show: ({ unique }) => (unique ? 'forbidden' : 'allowed'),
  },
];

/** What is counted of the values of a type. */
const LENGTHS: Partial<Record<JsonType, string>> = { array: 'number of elements', object: 'number of members' };

/** A demand of which there may be several: a value has to meet each of them. */
interface Demanded {
  readonly rule: Rule;
  /** Whether a value that meets one of them meets another. */
  readonly covers: (base: Shape, head: Shape) => boolean;
  readonly what: string;
  readonly show: (shape: Shape) => string;
}

function covering<T>(demandsOf: (shape: Shape) => Iterable<T>, fits: (own: T, other: T) => boolean) {
  return (inner: Shape, outer: Shape): boolean =>
    [...demandsOf(outer)].every((each) => [...demandsOf(inner)].some((own) => fits(own, each)));
}

const DEMANDS: readonly Demanded[] = [
  {
    rule: 'multiple-of-changed',
    covers: covering(({ multiples }) => multiples, isMultiple),
    what: 'what is allowed',
    show: ({ multiples }) => asMultiples(multiples),
  },
  {
    rule: 'format-changed',
    covers: covering(({ formats }) => formats, fitsFormat),
    what: 'the format',
    show: ({ formats }) => listOf(formats) || 'none',
  },
  {
    rule: 'pattern-changed',
    covers: covering(({ patterns }) => patterns, Object.is),
    what: 'the pattern',
    show: ({ patterns }) => listOf(patterns) || 'none',
  },
];

function asMultiples(multiples: readonly number[]): string {
  const each = multiples.map((of) => (of === 1 ? 'whole numbers' : `multiples of ${of}`));
  return each.join(' and ') || 'any number';
}

/** Compares the bounds of numbers, lengths and counts, the formats and the patterns; a list of values makes those beside it idle. */
export const compareBounds: CompareShapes = ({ base, head, type, at }) => {
  if (base.values !== undefined || head.values !== undefined) return [];
  return [
    ...BOUNDS.flatMap((each) => compareBound(each, base, head, { type, at })),
    ...DEMANDS.flatMap(({ rule, covers, what, show }) => {
      const moves = { narrows: !covers(base, head), widens: !covers(head, base) };
      return moved(rule, at, `${what} changes from ${show(base)} to ${show(head)}`, moves);
    }),
  ];
};

function compareBound(
  { what, tightened, loosened, tightness, strictness = () => 0, show }: Bounded,
  base: Shape,
  head: Shape,
  { type, at }: { readonly type: JsonType; readonly at: Located },
): readonly SchemaDifference[] {
  const compared = (of: (shape: Shape) => number): number => Number(of(head) > of(base)) - Number(of(head) < of(base));
  const tighter = compared(tightness) || compared(strictness);
  const fact = `the ${what.replace('LENGTH', LENGTHS[type] ?? 'length')} changes from ${show(base)} to ${show(head)}`;
  const moves = { narrows: tighter > 0, widens: tighter < 0 };
  return moved(tighter > 0 ? tightened : loosened, at, fact, moves);
}
