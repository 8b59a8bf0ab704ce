import type { Located } from '../documents/description.ts';
import type { Rule } from '../rules.ts';
import { fitsFormat } from './values/formats.ts';
import { difference, listOf, moved } from './difference.ts';
import type { CompareShapes, Comparison, SchemaDifference } from './difference.ts';
import { reading } from './normalize.ts';
import { admits, isMultiple, listed } from './values/schema-values.ts';
import type { JsonType, Shape } from './values/value-set.ts';

/** Compares the lists of values that two schemas allow for one type. */
export function compareValues(
  base: Shape,
  head: Shape,
  type: JsonType,
  at: Located,
  { name, sender }: Comparison,
): SchemaDifference[] {
  if (base.values === undefined && head.values === undefined) return [];
  const read = reading(sender);
  // The values of a list keep the format that stands beside it.
  const keeps = (value: string, from: Shape, shape: Shape): boolean => {
    const formats = [...shape.formats].filter((each) => ![...from.formats].some((own) => fitsFormat(own, each)));
    return admits({ ...shape, formats: new Set(formats) }, JSON.parse(value), read) === true;
  };
  const [before, after] = [listed(base, type), listed(head, type)];
  if (before === undefined) {
    const widens = ![...(after ?? [])].every((value) => keeps(value, head, base));
    return [difference('enum-added', at, `${name}: only ${listOf(after ?? [])} is allowed now`, [true, widens])];
  }
  if (after === undefined) {
    const narrows = ![...before].every((value) => keeps(value, base, head));
    return [difference('enum-removed', at, `${name}: any value is allowed now`, [narrows, true])];
  }
  const gone = listOf([...before].filter((value) => !after.has(value)));
  const come = listOf([...after].filter((value) => !before.has(value)));
  return [
    ...(gone === '' ? [] : [difference('enum-values-removed', at, `${name}: ${gone} is no longer allowed`)]),
    ...(come === '' ? [] : [difference('enum-values-added', at, `${name}: ${come} is allowed now`)]),
  ];
}

/** Whether only the values are compared: a list of them makes the bounds beside it idle. */
function isListed(base: Shape, head: Shape): boolean {
  return base.values !== undefined || head.values !== undefined;
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

function bound(what: string, rule: Rule, tighter: Bound[3], show: Bound[4]): Bound {
  return [what, rule, rule, tighter, show];
}

const BOUNDS: readonly Bound[] = [
  limit('minimum', 1),
  limit('maximum', -1),
  bound(
    'least LENGTH',
    'minimum-size-changed',
    (base, head) => head.least - base.least,
    ({ least }) => String(least),
  ),
  bound(
    'greatest LENGTH',
    'maximum-size-changed',
    (base, head) => base.most - head.most,
    ({ most }) => (most === Infinity ? 'none' : String(most)),
  ),
  bound(
    'rule for equal elements',
    'unique-items-changed',
    (base, head) => Number(head.unique) - Number(base.unique),
    ({ unique }) => (unique ? 'forbidden' : 'allowed'),
  ),
];

/** What is counted of the values of a type. */
const LENGTHS: Partial<Record<JsonType, string>> = { array: 'number of elements', object: 'number of members' };

/** Compares the bounds of numbers, lengths and counts. */
export const compareBounds: CompareShapes = (base, head, at, context, type) => {
  if (isListed(base, head)) return [];
  const found = BOUNDS.flatMap(([what, tightened, loosened, tighter, show]) => {
    // Two infinite bounds differ by NaN, which is neither.
    const change = tighter(base, head);
    const bounded = what.replace('LENGTH', LENGTHS[type] ?? 'length');
    const message = `${context.name}: the ${bounded} changes from ${show(base)} to ${show(head)}`;
    return moved(change > 0 ? tightened : loosened, at, message, [change > 0, change < 0]);
  });
  return [...found, ...compareMultiples(base, head, at, context, type)];
};

const compareMultiples: CompareShapes = (base, head, at, { name }) => {
  const within = (inner: Shape, outer: Shape): boolean =>
    outer.multiples.every((each) => inner.multiples.some((own) => isMultiple(own, each)));
  const show = ({ multiples }: Shape): string =>
    multiples.length === 0
      ? 'any number'
      : multiples.map((each) => (each === 1 ? 'whole numbers' : `multiples of ${each}`)).join(' and ');
  const message = `${name}: what is allowed changes from ${show(base)} to ${show(head)}`;
  return moved('multiple-of-changed', at, message, [!within(base, head), !within(head, base)]);
};

/** Compares formats and patterns. */
export const compareSets: CompareShapes = (base, head, at, { name }) => {
  if (isListed(base, head)) return [];
  const within = (inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean =>
    [...outer].every((each) => [...inner].some((own) => fitsFormat(own, each)));
  const show = (each: ReadonlySet<string>): string => (each.size === 0 ? 'none' : listOf(each));
  return (['format', 'pattern'] as const).flatMap((what) => {
    const [before, after] = [base[`${what}s`], head[`${what}s`]];
    const message = `${name}: the ${what} changes from ${show(before)} to ${show(after)}`;
    return moved(`${what}-changed`, at, message, [!within(before, after), !within(after, before)]);
  });
};
