/** What a schema leaves of the values of each JSON type, and what two such say together. */
import { isRecord } from '../../../../common/json.ts';
import { describe, follow, rememberingEach, type Located } from '../../documents/description.ts';
import { fitsPattern } from './patterns.ts';

export const JSON_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Schemas that hold together, where they stand; none of them means that everything is allowed. */
export type Conjunction = readonly Located[];

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** What one alternative of a schema asks of the values of one JSON type. */
export interface Shape {
  readonly pointer: Located;
  /** The component that the alternative comes from, if it has a name. */
  readonly name: string | undefined;
  /** The only values allowed, by their JSON text. */
  readonly values: ReadonlySet<string> | undefined;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  /** `integer` counts as a multiple of 1. */
  readonly multiples: readonly number[];
  readonly formats: ReadonlySet<string>;
  readonly patterns: ReadonlySet<string>;
  /** `minLength`, `maxItems` and their like. */
  readonly least: number;
  readonly most: number;
  readonly unique: boolean;
  readonly leading: readonly Conjunction[];
  readonly items: Conjunction;
  readonly properties: ReadonlyMap<string, Conjunction>;
  readonly required: ReadonlySet<string>;
  /** Members that this sender does not write, whatever else is said of them. */
  readonly unsent: ReadonlySet<string>;
  readonly byPattern: ReadonlyMap<string, Conjunction>;
  /** What other members may be; undefined: nothing is said of them. */
  readonly additional: Conjunction | undefined;
  /** Keywords that are compared as they stand: keyword → JSON texts. */
  readonly asWritten: ReadonlyMap<string, ReadonlySet<string>>;
  /** What those texts mean, where it can be computed. */
  readonly meanings: ReadonlyMap<string, Meaning>;
}

/** What a keyword demands of a value beside the rest. */
export type Meaning =
  | { readonly anyOf: readonly Shape[] }
  | { readonly noneOf: readonly Shape[] }
  /** To fit no other branch of a `oneOf`, which says nothing if they are apart. */
  | { readonly areApart: () => boolean }
  /** What the names of members have to be. */
  | { readonly names: Conjunction }
  /** At least so many and at most so many elements fit a schema. */
  | { readonly contained: Conjunction; readonly least: number; readonly most: number };

/** Stands as written where objects or arrays may fit several alternatives of a `oneOf`, with the number and the place of the alternative. */
export const OVERLAP = 'overlapping alternatives of a `oneOf`';

/** The alternatives that a schema leaves for each JSON type; a type that it excludes is not there. */
export type Form = ReadonlyMap<JsonType, readonly Shape[]>;

/** Whether a schema contributes nothing: `true` or `{}`. */
export function isOpen(part: Located): boolean {
  return part.value === true || (isRecord(part.value) && Object.keys(part.value).length === 0);
}

export const NOWHERE: Located = { description: describe('head', {}), pointer: '', value: true };

const NO_DEMAND: Omit<Shape, 'pointer' | 'name' | 'unsent' | 'meanings'> = {
  values: undefined,
  minimum: undefined,
  maximum: undefined,
  multiples: [],
  formats: new Set(),
  patterns: new Set(),
  least: 0,
  most: Infinity,
  unique: false,
  leading: [],
  items: [],
  properties: new Map(),
  required: new Set(),
  byPattern: new Map(),
  additional: undefined,
  asWritten: new Map(),
};
type Demand = keyof typeof NO_DEMAND;

/** An alternative that demands nothing. */
export function blank(pointer: Located): Shape {
  return { pointer, name: undefined, unsent: new Set(), meanings: new Map(), ...NO_DEMAND };
}

export function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** A demand so that two that ask for nothing are equal: collections by their size. */
function measured(demand: Shape[Demand]): unknown {
  if (typeof demand === 'number') return Math.max(0, demand);
  if (Array.isArray(demand)) return demand.length;
  return demand instanceof Set || demand instanceof Map ? demand.size : demand;
}

/** Whether an alternative demands nothing, some demands set aside. */
export function demandsNothing(shape: Shape, aside: readonly Demand[]): boolean {
  return (Object.keys(NO_DEMAND) as Demand[]).every(
    (key) => shape[key] === NO_DEMAND[key] || aside.includes(key) || measured(shape[key]) === measured(NO_DEMAND[key]),
  );
}

/** Whether an alternative demands nothing and lists nothing. */
export function isFree(shape: Shape): boolean {
  return demandsNothing(shape, ['items']) && shape.items.every((part) => isOpen(follow(part)));
}

/** Of alternatives without any demand, one says as much as many. */
export function distinct(shapes: readonly Shape[]): readonly Shape[] {
  const free = shapes.find(isFree);
  return free === undefined ? shapes : [free];
}

/** Two demands together, where either may be missing. */
function either<T>(a: T | undefined, b: T | undefined, together: (a: T, b: T) => T): T | undefined {
  return a === undefined || b === undefined ? (a ?? b) : together(a, b);
}

function tighter(sign: 1 | -1): (a: Bound | undefined, b: Bound | undefined) => Bound | undefined {
  const stricter = (a: Bound, b: Bound): Bound =>
    sign * (a.value - b.value) > 0 || (a.value === b.value && a.exclusive) ? a : b;
  return (a, b) => either(a, b, stricter);
}

export const tighterMinimum = tighter(1);
export const tighterMaximum = tighter(-1);

function setUnion<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  return new Set([...a, ...b]);
}

function mapUnion<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  together: (a: T, b: T) => T,
): ReadonlyMap<string, T> {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  return new Map([...a, ...[...b].map(([key, each]) => [key, either(a.get(key), each, together) ?? each] as const)]);
}

/** Schemas that hold together, each once: an `allOf` may have the same one many times. */
function concat(a: Conjunction, b: Conjunction): Conjunction {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const known = new Set(a.map(({ value }) => value));
  return [...a, ...b.filter(({ value }) => !isRecord(value) || !known.has(value))];
}

/** The component that two alternatives together are: one of them, if the other one adds nothing to it. */
function nameOfBoth(a: Shape, b: Shape): string | undefined {
  if (isFree(b)) return a.name;
  return isFree(a) ? b.name : undefined;
}

/** What two alternatives demand together. */
export function meet(a: Shape, b: Shape): Shape {
  const place = a.pointer === NOWHERE ? b : a;
  const unsent = setUnion(a.unsent, b.unsent);
  const sent = (names: Iterable<string>): readonly string[] => [...new Set(names)].filter((name) => !unsent.has(name));
  return {
    pointer: place.pointer,
    name: nameOfBoth(a, b),
    values: either(a.values, b.values, (one, other) => new Set([...one].filter((value) => other.has(value)))),
    minimum: tighterMinimum(a.minimum, b.minimum),
    maximum: tighterMaximum(a.maximum, b.maximum),
    multiples: [...new Set([...a.multiples, ...b.multiples])],
    formats: setUnion(a.formats, b.formats),
    patterns: setUnion(a.patterns, b.patterns),
    least: Math.max(a.least, b.least),
    most: Math.min(a.most, b.most),
    unique: a.unique || b.unique,
    leading: Array.from({ length: Math.max(a.leading.length, b.leading.length) }, (_each, index) =>
      concat(a.leading[index] ?? a.items, b.leading[index] ?? b.items),
    ),
    items: concat(a.items, b.items),
    properties: new Map(
      sent([...a.properties.keys(), ...b.properties.keys()]).map((name) => [
        name,
        concat(memberSchema(a, name), memberSchema(b, name)),
      ]),
    ),
    required: unsent.size === 0 ? setUnion(a.required, b.required) : new Set(sent([...a.required, ...b.required])),
    unsent,
    byPattern: mapUnion(a.byPattern, b.byPattern, concat),
    additional: either(a.additional, b.additional, concat),
    asWritten: mapUnion(a.asWritten, b.asWritten, setUnion),
    meanings: new Map([...a.meanings, ...b.meanings]),
  };
}

/** What a member of an object has to be: by its name, by the patterns that its name fits, or as any other member. */
export function memberSchema(shape: Shape, name: string): Conjunction {
  const own = shape.properties.get(name);
  if (shape.byPattern.size === 0) return own ?? shape.additional ?? [];
  const fitting = [...shape.byPattern]
    .filter(([pattern]) => fitsPattern(pattern, name) === true)
    .flatMap(([, schema]) => schema);
  if (own !== undefined) return [...own, ...fitting];
  return fitting.length > 0 ? fitting : (shape.additional ?? []);
}

/** An alternative with one more demand that is compared as it stands. */
export function demanding(shape: Shape, keyword: string, text: string, meaning?: Meaning): Shape {
  return {
    ...shape,
    asWritten: mapUnion(shape.asWritten, new Map([[keyword, new Set([text])]]), setUnion),
    meanings: meaning === undefined ? shape.meanings : new Map([...shape.meanings, [text, meaning]]),
  };
}

/** An alternative without a keyword that is compared as it stands. */
export function notDemanding(shape: Shape, keyword: string): Shape {
  if (!shape.asWritten.has(keyword)) return shape;
  return { ...shape, asWritten: new Map([...shape.asWritten].filter(([each]) => each !== keyword)) };
}

/** Whether a value that fits an alternative may fit another branch of its `oneOf`, too. */
export function overlaps({ asWritten, meanings }: Shape): boolean {
  return [...(asWritten.get(OVERLAP) ?? [])].some((text) => {
    const meaning = meanings.get(text);
    return meaning !== undefined && 'areApart' in meaning && !meaning.areApart();
  });
}

/** Whether two alternatives are branches of one `oneOf`, so that no value is meant to fit both. */
export function areRivals(one: Shape, other: Shape): boolean {
  const [branches, others] = [one, other].map(({ asWritten }) => {
    return new Map([...(asWritten.get(OVERLAP) ?? [])].map((text) => [text.replace(/^\d+ /, ''), text]));
  });
  return [...(branches ?? [])].some(([place, text]) => (others?.get(place) ?? text) !== text);
}

/** An alternative without the demand to fit no other branch of a `oneOf`. */
export const withoutOverlap = rememberingEach((shape: Shape): Shape => notDemanding(shape, OVERLAP));
