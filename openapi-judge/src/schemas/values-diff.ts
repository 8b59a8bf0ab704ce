import type { Located } from '../documents/description.ts';
import type { Rule } from '../rules.ts';
import { difference, listOf, moved } from './difference.ts';
import type { CompareShapes, Comparison, SchemaDifference } from './difference.ts';
import { fitsFormat } from './values/formats.ts';
import { isMultiple, listed } from './values/schema-values.ts';
import type { JsonType, Shape } from './values/value-set.ts';

/** Any other value; that all values stay, or all of them were there, the proof of inclusion says. */
const BOTH_WAYS = [true, true] as const;

/** Compares the lists of values that two schemas allow for one type. */
export function compareValues(
  base: Shape,
  head: Shape,
  type: JsonType,
  at: Located,
  { name }: Comparison,
): SchemaDifference[] {
  if (base.values === undefined && head.values === undefined) return [];
  const [before, after] = [listed(base, type), listed(head, type)];
  if (before === undefined)
    return [difference('enum-added', at, `${name}: only ${listOf(after ?? [])} is allowed now`, BOTH_WAYS)];
  if (after === undefined) return [difference('enum-removed', at, `${name}: any value is allowed now`, BOTH_WAYS)];
  const gone = [...before].filter((value) => !after.has(value));
  const come = [...after].filter((value) => !before.has(value));
  return [
    ...(gone.length > 0
      ? [difference('enum-values-removed', at, `${name}: ${thoseWhich(gone)} no longer allowed`)]
      : []),
    ...(come.length > 0 ? [difference('enum-values-added', at, `${name}: ${thoseWhich(come)} allowed now`)] : []),
  ];
}

function thoseWhich(values: readonly string[]): string {
  return `${listOf(values)} ${values.length === 1 ? 'is' : 'are'}`;
}

/** What is bounded, the rules for a bound that leaves less or more, by how much it leaves less, and its value in messages. */
type Bound = readonly [
  what: string,
  tightened: Rule,
  loosened: Rule,
  tighter: (base: Shape, head: Shape) => number,
  show: (shape: Shape) => string,
];

function limit(what: 'minimum' | 'maximum', sign: 1 | -1): Bound {
  const position = ({ [what]: bound }: Shape): number => (bound === undefined ? -Infinity : sign * bound.value);
  const exclusive = ({ [what]: bound }: Shape): number => Number(bound?.exclusive ?? false);
  return [
    what,
    `${what}-tightened`,
    `${what}-loosened`,
    (base, head) => position(head) - position(base) || exclusive(head) - exclusive(base),
    ({ [what]: bound }) => (bound === undefined ? 'none' : `${bound.value}${bound.exclusive ? ' (exclusive)' : ''}`),
  ];
}

function bound(what: string, rule: Rule, sizeOf: (shape: Shape) => number, show: Bound[4]): Bound {
  return [what, rule, rule, (base, head) => sizeOf(head) - sizeOf(base), show];
}

const BOUNDS: readonly Bound[] = [
  limit('minimum', 1),
  limit('maximum', -1),
  bound(
    'least LENGTH',
    'minimum-size-changed',
    ({ least }) => least,
    ({ least }) => String(least),
  ),
  bound(
    'greatest LENGTH',
    'maximum-size-changed',
    ({ most }) => -most,
    ({ most }) => (most === Infinity ? 'none' : String(most)),
  ),
  bound(
    'rule for equal elements',
    'unique-items-changed',
    ({ unique }) => Number(unique),
    ({ unique }) => (unique ? 'forbidden' : 'allowed'),
  ),
];

/** What is counted of the values of a type. */
const LENGTHS: Partial<Record<JsonType, string>> = { array: 'number of elements', object: 'number of members' };

/** Compares demands of which there may be several: a value has to meet each of them. */
function demands<T>(
  what: string,
  rule: Rule,
  demandsOf: (shape: Shape) => Iterable<T>,
  fits: (own: T, other: T) => boolean,
  show: (demands: readonly T[]) => string,
): CompareShapes {
  const within = (inner: Shape, outer: Shape): boolean =>
    [...demandsOf(outer)].every((each) => [...demandsOf(inner)].some((own) => fits(own, each)));
  return (base, head, at, { name }) => {
    if (demandsOf(base) === demandsOf(head)) return [];
    const [before, after] = [show([...demandsOf(base)]), show([...demandsOf(head)])];
    const message = `${name}: ${what} changes from ${before || 'none'} to ${after || 'none'}`;
    return moved(rule, at, message, [!within(base, head), !within(head, base)]);
  };
}

const DEMANDS = [
  demands('what is allowed', 'multiple-of-changed', ({ multiples }) => multiples, isMultiple, asMultiples),
  demands('the format', 'format-changed', ({ formats }) => formats, fitsFormat, listOf),
  demands('the pattern', 'pattern-changed', ({ patterns }) => patterns, Object.is, listOf),
];

function asMultiples(multiples: readonly number[]): string {
  const each = multiples.map((of) => (of === 1 ? 'whole numbers' : `multiples of ${of}`));
  return each.join(' and ') || 'any number';
}

/** Compares the bounds of numbers, lengths and counts, the formats and the patterns; a list of values makes those beside it idle. */
export const compareBounds: CompareShapes = (base, head, at, context, type) => {
  if (base.values !== undefined || head.values !== undefined) return [];
  const bounds = BOUNDS.flatMap(([what, tightened, loosened, tighter, show]) => {
    // Two infinite bounds differ by NaN, which is neither.
    const change = tighter(base, head);
    if (!(change < 0 || change > 0)) return [];
    const bounded = what.replace('LENGTH', LENGTHS[type] ?? 'length');
    const message = `${context.name}: the ${bounded} changes from ${show(base)} to ${show(head)}`;
    return moved(change > 0 ? tightened : loosened, at, message, [change > 0, change < 0]);
  });
  return [...bounds, ...DEMANDS.flatMap((compare) => compare(base, head, at, context, type))];
};
