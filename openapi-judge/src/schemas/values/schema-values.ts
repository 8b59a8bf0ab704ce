/** Whether values fit an alternative, and whether two alternatives can share one. */
import { objectOf, stableJson } from '../../../../common/json.ts';
import { follow, rememberingEach } from '../../documents/description.ts';
import {
  blank,
  demandsNothing,
  memberSchema,
  typeOfValue,
  type Bound,
  type Conjunction,
  type Form,
  type JsonType,
  type Meaning,
  type Shape,
} from './value-set.ts';
import { fitsPattern } from './patterns.ts';

/** `undefined` where it is not known. */
export type Ternary = boolean | undefined;

/** Reads the schemas inside of an alternative; undefined where it is not to look so deep. */
export type Reading = (conjunction: Conjunction) => Form | undefined;

function all(verdicts: readonly Ternary[]): Ternary {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function some(verdicts: readonly Ternary[]): Ternary {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

/** Whether a JSON value is valid for one of some alternatives. */
export function anyAdmits(shapes: readonly Shape[], value: unknown, read: Reading): Ternary {
  return some(shapes.map((shape) => admits(shape, value, read)));
}

/** Whether a JSON value is valid for an alternative of its type. */
export function admits(shape: Shape, value: unknown, read: Reading): Ternary {
  return all([
    shape.values === undefined || shape.values.has(stableJson(value)),
    shape.formats.size === 0 || undefined,
    ...[...shape.asWritten.values()].flatMap((texts) =>
      [...texts].map((text) => meets(shape.meanings.get(text), value, read)),
    ),
    ...demands(shape, value, read),
  ]);
}

/** What names and elements have to be is not asked of listed values: nobody lists objects or arrays beside it. */
function meets(meaning: Meaning | undefined, value: unknown, read: Reading): Ternary {
  if (meaning === undefined || 'names' in meaning || 'contained' in meaning) return undefined;
  if ('areApart' in meaning) return meaning.areApart() || undefined;
  if ('anyOf' in meaning) return anyAdmits(meaning.anyOf, value, read);
  return not(anyAdmits(meaning.noneOf, value, read));
}

function not(verdict: Ternary): Ternary {
  return verdict === undefined ? undefined : !verdict;
}

function demands(shape: Shape, value: unknown, read: Reading): Ternary[] {
  if (typeof value === 'number') return [reaches(value, shape), ...shape.multiples.map((of) => isMultiple(value, of))];
  if (typeof value === 'string') {
    const patterns = [...shape.patterns].map((pattern) => fitsPattern(pattern, value));
    return [hasSize(Array.from(value).length, shape), ...patterns];
  }
  if (Array.isArray(value)) return [hasSize(value.length, shape), ...elementDemands(shape, value, read)];
  return typeof value === 'object' && value !== null ? memberDemands(shape, value, read) : [];
}

function reaches(value: number, { minimum, maximum }: Shape): boolean {
  const point = { value, exclusive: false };
  return !beyond(minimum, point) && !beyond(point, maximum);
}

function hasSize(size: number, { least, most }: Shape): boolean {
  return size >= least && size <= most;
}

function elementDemands(shape: Shape, value: readonly unknown[], read: Reading): Ternary[] {
  const repeats = new Set(value.map(stableJson)).size < value.length;
  return [
    !(shape.unique && repeats),
    ...value.map((each, index) => holds(shape.leading[index] ?? shape.items, each, read)),
  ];
}

function memberDemands(shape: Shape, value: object, read: Reading): Ternary[] {
  const names = Object.keys(value);
  return [
    hasSize(names.length, shape),
    ...[...shape.required].map((name) => names.includes(name)),
    ...Object.entries(value).map(([name, each]) => holds(memberSchema(shape, name), each, read)),
  ];
}

function holds(conjunction: Conjunction, value: unknown, read: Reading): Ternary {
  if (conjunction.length === 0) return true;
  const form = read(conjunction);
  return form === undefined ? undefined : anyAdmits(form.get(typeOfValue(value)) ?? [], value, read);
}

/** Whether a number is a multiple of another. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** The most values that are listed one by one. */
const FEW = 100;

/** The only values of an alternative, where they are few: those listed, or the whole numbers of a range. */
export function listed(shape: Shape, type: JsonType): ReadonlySet<string> | undefined {
  if (shape.values !== undefined) return shape.values;
  if (type === 'null') return new Set(['null']);
  if (type === 'boolean') return new Set(['false', 'true']);
  const { minimum, maximum, multiples } = shape;
  if (type !== 'number' || minimum === undefined || maximum === undefined) return undefined;
  if (!isWhole(multiples) || maximum.value - minimum.value >= FEW) return undefined;
  const numbers = Array.from({ length: maximum.value - minimum.value + 1 }, (_each, index) => minimum.value + index);
  return new Set(numbers.filter((value) => multiples.every((of) => isMultiple(value, of))).map(stableJson));
}

function isWhole(multiples: readonly number[]): boolean {
  return multiples.some((each) => Number.isInteger(each));
}

function rounded(bound: Bound | undefined, up: boolean): Bound | undefined {
  if (bound === undefined) return undefined;
  const near = up ? Math.ceil(bound.value) : Math.floor(bound.value);
  return { value: bound.exclusive && near === bound.value ? near + (up ? 1 : -1) : near, exclusive: false };
}

/**
 * An alternative with its demands drawn together: of listed values those that satisfy the other demands, and bounds of whole numbers as
 * whole numbers. Undefined where no value is left.
 */
export function settled(shape: Shape, read: Reading): Shape | undefined {
  if (shape.least > shape.most) return undefined;
  if (shape.values !== undefined) return settledList(shape, shape.values, read);
  const whole = isWhole(shape.multiples);
  const minimum = whole ? rounded(shape.minimum, true) : shape.minimum;
  const maximum = whole ? rounded(shape.maximum, false) : shape.maximum;
  return beyond(minimum, maximum) ? undefined : { ...shape, minimum, maximum };
}

function settledList(shape: Shape, values: ReadonlySet<string>, read: Reading): Shape | undefined {
  // A format beside a list says nothing that the list does not say.
  const bare = { ...shape, formats: new Set<string>() };
  const isPlain = isPlainList(bare);
  const verdicts = [...values].map((value): [string, Ternary] => [
    value,
    isPlain || admits(bare, JSON.parse(value), read),
  ]);
  const left = new Set(verdicts.filter(([, verdict]) => verdict !== false).map(([value]) => value));
  if (left.size === 0) return undefined;
  const certain = verdicts.every(([, verdict]) => verdict !== undefined);
  const kept = left.has('true') && left.has('false') ? undefined : left;
  if (!certain) return { ...shape, values: kept };
  return { ...blank(shape.pointer), name: shape.name, formats: shape.formats, values: kept };
}

/** Whether an alternative is a list of values and nothing more; a format beside it may stay. */
export function isPlainList(shape: Shape): boolean {
  return shape.values !== undefined && demandsNothing(shape, ['values', 'formats']);
}

/** How deep inside of two alternatives to look for what keeps them apart: a member may be as the object that has it. */
const DEEP = 3;

/** Whether it is proven that no value fits two alternatives of one type. */
export function areApart(a: Shape, b: Shape, read: Reading, deep = DEEP): boolean {
  a.pointer.description.work.spend();
  const outside = (one: Shape, other: Shape): boolean =>
    one.values !== undefined &&
    [...one.values].every((text) => {
      const isListed = other.values?.has(text) ?? true;
      return !isListed || admits(other, JSON.parse(text) as unknown, read) === false;
    });
  return (
    outside(a, b) ||
    outside(b, a) ||
    a.least > b.most ||
    b.least > a.most ||
    beyond(a.minimum, b.maximum) ||
    beyond(b.minimum, a.maximum) ||
    (deep > 0 && membersApart(a, b, read, deep - 1))
  );
}

/** Whether two bounds leave no number between them. */
function beyond(minimum: Bound | undefined, maximum: Bound | undefined): boolean {
  if (minimum === undefined || maximum === undefined) return false;
  return minimum.value > maximum.value || (minimum.value === maximum.value && (minimum.exclusive || maximum.exclusive));
}

/** The required members of an alternative with a list of values: most often, these tell it from others. */
const listedMembers = rememberingEach((shape: Shape): readonly string[] =>
  [...shape.required].filter((name) =>
    memberSchema(shape, name).some((part) => {
      const { const: only, enum: values } = objectOf(follow(part).value);
      return only !== undefined || values !== undefined;
    }),
  ),
);

/** Whether a member that one of them requires cannot satisfy both. */
function membersApart(a: Shape, b: Shape, read: Reading, deep: number): boolean {
  const isApart = (name: string): boolean => schemasApart(memberSchema(a, name), memberSchema(b, name), read, deep);
  return [listedMembers(a), listedMembers(b), a.required, b.required].some((names) => [...names].some(isApart));
}

/** Whether it is proven that no value fits two schemas. */
function schemasApart(a: Conjunction, b: Conjunction, read: Reading, deep: number): boolean {
  // Most members that two alternatives have in common are those of one schema, of which both are made.
  if (a.length === b.length && a.every(({ value }, index) => value === b[index]?.value)) return read(a)?.size === 0;
  const [one, other] = [read(a), read(b)];
  if (one === undefined || other === undefined) return false;
  return [...one].every(([type, shapes]) =>
    shapes.every((shape) => (other.get(type) ?? []).every((each) => areApart(shape, each, read, deep))),
  );
}
