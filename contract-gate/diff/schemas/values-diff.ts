import type { Located } from '../description.ts';
import { difference, listOf, toward, type Comparison, type SchemaDifference } from './difference.ts';
import { reading } from './normalize.ts';
import { admits, isMultiple, listed } from './schema-values.ts';
import type { JsonType, Shape } from './value-set.ts';

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
    const formats = [...shape.formats].filter((each) => ![...from.formats].some((own) => formatWithin(own, each)));
    return admits({ ...shape, formats: new Set(formats) }, JSON.parse(value), read) === true;
  };
  const [before, after] = [listed(base, type), listed(head, type)];
  if (before === undefined) {
    const widens = ![...(after ?? [])].every((value) => keeps(value, head, base));
    return [difference('enum-added', at, toward(true, widens), `${name}: only ${listOf(after ?? [])} is allowed now`)];
  }
  if (after === undefined) {
    const narrows = ![...before].every((value) => keeps(value, base, head));
    return [difference('enum-removed', at, toward(narrows, true), `${name}: any value is allowed now`)];
  }
  const removed = [...before].filter((value) => !after.has(value));
  const added = [...after].filter((value) => !before.has(value));
  return [
    ...(removed.length > 0
      ? [difference('enum-values-removed', at, 'narrows', `${name}: ${listOf(removed)} is no longer allowed`)]
      : []),
    ...(added.length > 0
      ? [difference('enum-values-added', at, 'widens', `${name}: ${listOf(added)} is allowed now`)]
      : []),
  ];
}

/** A list of values makes bounds beside it idle where both documents have it: only the values are compared then. */
function bothListed(base: Shape, head: Shape): boolean {
  return base.values !== undefined || head.values !== undefined;
}

interface Bound {
  readonly what: string;
  readonly rules: { readonly tightened: string; readonly loosened: string };
  /** Positive where the newer bound leaves less, negative where it leaves more. */
  readonly tighter: (base: Shape, head: Shape) => number;
  readonly show: (shape: Shape) => string;
}

function limit(what: 'minimum' | 'maximum', sign: 1 | -1): Bound {
  const position = ({ [what]: bound }: Shape): number => (bound === undefined ? -Infinity : sign * bound.value);
  const exclusive = ({ [what]: bound }: Shape): number => Number(bound?.exclusive ?? false);
  return {
    what,
    rules: { tightened: `${what}-tightened`, loosened: `${what}-loosened` },
    tighter: (base, head) => position(head) - position(base) || exclusive(head) - exclusive(base),
    show: ({ [what]: bound }) =>
      bound === undefined ? 'none' : `${bound.value}${bound.exclusive ? ' (exclusive)' : ''}`,
  };
}

const same = (rule: string): Bound['rules'] => ({ tightened: rule, loosened: rule });

const BOUNDS: readonly Bound[] = [
  limit('minimum', 1),
  limit('maximum', -1),
  {
    what: 'least length or number',
    rules: same('minimum-size-changed'),
    tighter: (base, head) => head.least - base.least,
    show: ({ least }) => String(least),
  },
  {
    what: 'greatest length or number',
    rules: same('maximum-size-changed'),
    tighter: (base, head) => base.most - head.most,
    show: ({ most }) => (most === Infinity ? 'none' : String(most)),
  },
  {
    what: 'rule for equal elements',
    rules: same('unique-items-changed'),
    tighter: (base, head) => Number(head.unique) - Number(base.unique),
    show: ({ unique }) => (unique ? 'forbidden' : 'allowed'),
  },
];

/** Compares the bounds of numbers, lengths and counts. */
export function compareBounds(base: Shape, head: Shape, at: Located, context: Comparison): SchemaDifference[] {
  if (bothListed(base, head)) return [];
  const found = BOUNDS.flatMap(({ what, rules, tighter, show }) => {
    const change = tighter(base, head);
    // Two infinite bounds differ by NaN.
    if (change === 0 || Number.isNaN(change)) return [];
    const message = `${context.name}: the ${what} changes from ${show(base)} to ${show(head)}`;
    return [difference(change > 0 ? rules.tightened : rules.loosened, at, toward(change > 0, change < 0), message)];
  });
  return [...found, ...compareMultiples(base, head, at, context)];
}

function compareMultiples(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  const within = (inner: Shape, outer: Shape): boolean =>
    outer.multiples.every((each) => inner.multiples.some((own) => isMultiple(own, each)));
  const [narrows, widens] = [!within(base, head), !within(head, base)];
  if (!narrows && !widens) return [];
  const show = ({ multiples }: Shape): string =>
    multiples.length === 0
      ? 'any number'
      : multiples.map((each) => (each === 1 ? 'whole numbers' : `multiples of ${each}`)).join(' and ');
  const message = `${name}: what is allowed changes from ${show(base)} to ${show(head)}`;
  return [difference('multiple-of-changed', at, toward(narrows, widens), message)];
}

/** Formats of which the first one's values are all values of the second, too. */
const FORMAT_WITHIN: readonly (readonly [string, string])[] = [
  ['int8', 'int16'],
  ['int16', 'int32'],
  ['int32', 'int64'],
  ['uint8', 'int16'],
  ['float', 'double'],
  ['email', 'idn-email'],
  ['hostname', 'idn-hostname'],
  ['uri', 'iri'],
  ['uri', 'uri-reference'],
  ['uri-reference', 'iri-reference'],
];

function formatWithin(inner: string, outer: string): boolean {
  if (inner === outer) return true;
  return FORMAT_WITHIN.some(([from, to]) => from === inner && formatWithin(to, outer));
}

/** Compares formats and patterns. */
export function compareSets(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  if (bothListed(base, head)) return [];
  const found: SchemaDifference[] = [];
  const within = (inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean =>
    [...outer].every((each) => [...inner].some((own) => formatWithin(own, each)));
  const compareSet = (rule: string, what: string, before: ReadonlySet<string>, after: ReadonlySet<string>): void => {
    const [narrows, widens] = [!within(before, after), !within(after, before)];
    const show = (each: ReadonlySet<string>): string => (each.size === 0 ? 'none' : listOf(each));
    const message = `${name}: the ${what} changes from ${show(before)} to ${show(after)}`;
    if (narrows || widens) found.push(difference(rule, at, toward(narrows, widens), message));
  };
  compareSet('format-changed', 'format', base.formats, head.formats);
  compareSet('pattern-changed', 'pattern', base.patterns, head.patterns);
  return found;
}
