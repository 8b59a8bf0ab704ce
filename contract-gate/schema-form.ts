import { follow, pointerOf, type Located } from './description.ts';
import { atPointer, below, isRecord } from '../contract/json.ts';
import { arrayOf, member, objectOf, stableJson, textOf, without } from './json.ts';

const JSON_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
/** The type of a JSON value; whole numbers are numbers. */
export type JsonType = (typeof JSON_TYPES)[number];

/** Who writes the values that a schema describes: members that are read only come from the server, write only from the client. */
export type Sender = 'client' | 'server';

/** Schemas that hold together, where they stand; none of them means that everything is allowed. */
export type Conjunction = readonly Located[];

/** An end of a range of numbers. */
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
  readonly byPattern: ReadonlyMap<string, Conjunction>;
  /** What other members may be; undefined: nothing is said of them. */
  readonly additional: Conjunction | undefined;
  /** Keywords that are only compared as they stand: keyword → JSON texts. */
  readonly opaque: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether it is one of several alternatives of a `oneOf` that may overlap. */
  readonly exclusive: boolean;
}

/** The alternatives that a schema leaves for each JSON type; a type that it excludes is not there. */
export type Form = ReadonlyMap<JsonType, readonly Shape[]>;

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Keywords that say nothing about which values are valid, or that are read elsewhere. */
const ANNOTATIONS = new Set([
  ...['$id', '$schema', '$anchor', '$defs', 'definitions', '$comment', '$vocabulary', '$dynamicAnchor'],
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'example', 'examples', 'externalDocs'],
  ...['discriminator', 'xml', 'nullable'],
]);

const READ = new Set([
  ...['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'additionalItems'],
  ...['properties', 'required', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['minProperties', 'maxProperties', ...NUMBER_KEYWORDS],
]);

/** Formats that only tell a form how to show a field. */
const DISPLAY_FORMATS = new Set(['password']);

/** For which types a keyword that is compared as it stands has a meaning. */
const OPAQUE_FOR: Readonly<Record<string, readonly JsonType[]>> = {
  contains: ['array'],
  minContains: ['array'],
  maxContains: ['array'],
  unevaluatedItems: ['array'],
  propertyNames: ['object'],
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
  dependencies: ['object'],
  contentEncoding: ['string'],
  contentMediaType: ['string'],
  contentSchema: ['string'],
};

/** Thrown where a schema contains itself without end (`allOf` of itself). */
class EndlessSchema extends Error {}

const DEPTH = 60;

/** Whether a schema contributes nothing: `true` or `{}`. */
function isOpen(part: Located): boolean {
  return part.value === true || (isRecord(part.value) && Object.keys(part.value).length === 0);
}

/** The form of schemas that hold together, in a message of this sender. */
export function formOf(conjunction: Conjunction, sender: Sender, depth = 0): Form {
  if (depth > DEPTH) throw new EndlessSchema();
  return conjunction.reduce<Form>((form, part) => intersect(form, formOfPart(part, sender, depth)), everything());
}

/** Whether no value at all is valid. */
export function allowsNothing(conjunction: Conjunction, sender: Sender): boolean {
  return formOf(conjunction, sender).size === 0;
}

/** Whether every value is valid. */
export function allowsEverything(conjunction: Conjunction): boolean {
  return conjunction.every((part) => isOpen(follow(part)));
}

const NOWHERE: Located = { description: { side: 'head', root: {}, old: false }, pointer: '', value: true };

function blank(pointer: Located): Shape {
  return {
    pointer,
    name: undefined,
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
    opaque: new Map(),
    exclusive: false,
  };
}

function everything(): Form {
  return new Map(JSON_TYPES.map((type) => [type, [blank(NOWHERE)]]));
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function formOfPart(part: Located, sender: Sender, depth: number): Form {
  const { value: schema, description } = part;
  if (schema === false) return new Map();
  if (!isRecord(schema)) return new Map(JSON_TYPES.map((type) => [type, [blank(part)]]));
  const reference = textOf(schema.$ref);
  const target = reference === undefined ? undefined : pointerOf(reference);
  if (target !== undefined) {
    const referred = { description, pointer: target, value: atPointer(description.root, target) };
    const form = named(formOf([referred], sender, depth + 1), target.split('/').at(-1));
    // Beside a reference, OpenAPI 3.0 reads nothing.
    if (description.old) return form;
    const beside = without(schema, '$ref');
    const others = Object.keys(beside).some((key) => !ANNOTATIONS.has(key));
    return others ? intersect(form, formOfPart({ ...part, value: beside }, sender, depth + 1)) : form;
  }

  const branch = (keyword: string): Located[] =>
    arrayOf(schema[keyword]).map((value, index) => ({
      description,
      pointer: below(part.pointer, keyword, index),
      value,
    }));
  let form = ownForm(part, schema, sender);
  for (const each of branch('allOf')) form = intersect(form, formOf([each], sender, depth + 1));
  if (schema.anyOf !== undefined) form = intersect(form, union(branch('anyOf'), sender, depth, false));
  if (schema.oneOf !== undefined) form = intersect(form, union(branch('oneOf'), sender, depth, true));
  if (description.old && schema.nullable === true && schema.enum === undefined) {
    form = new Map([...form, ['null', [blank(part)]]]);
  }
  const rest = schema.unevaluatedProperties;
  if (rest !== undefined) {
    const objects = (form.get('object') ?? []).map((shape) => ({
      ...shape,
      additional: shape.additional ?? [
        { description, pointer: below(part.pointer, 'unevaluatedProperties'), value: rest },
      ],
    }));
    if (form.has('object')) form = new Map([...form, ['object', objects]]);
  }
  return form;
}

function named(form: Form, name: string | undefined): Form {
  return new Map(
    [...form].map(([type, shapes]) => [type, shapes.map((shape) => ({ ...shape, name: shape.name ?? name }))]),
  );
}

/** What a schema says by itself, without what it refers to and composes. */
function ownForm(part: Located, schema: Readonly<Record<string, unknown>>, sender: Sender): Form {
  const { description } = part;
  const said = schema.type;
  const types = new Set(
    (said === undefined ? [...JSON_TYPES] : typeof said === 'string' ? [said] : arrayOf(said)).map(String),
  );
  const wholeNumbers = types.has('integer') && !types.has('number');
  if (types.has('integer')) types.add('number');
  if (Object.hasOwn(schema, 'nullable') && description.old && schema.nullable === true && said !== undefined) {
    types.add('null');
  }
  const allowed =
    schema.const === undefined ? (schema.enum === undefined ? undefined : arrayOf(schema.enum)) : [schema.const];
  const form = new Map<JsonType, Shape[]>();
  for (const type of JSON_TYPES) {
    if (!types.has(type)) continue;
    const values = allowed?.filter((value) => typeOfValue(value) === type).map(stableJson);
    if (values?.length === 0) continue;
    const all = type === 'boolean' && values !== undefined && new Set(values).size === 2;
    form.set(type, [
      {
        ...blank(part),
        values: values === undefined || all || type === 'null' ? undefined : new Set(values),
        opaque: opaqueOf(part, schema, type),
        ...(type === 'number' ? numberPart(schema, wholeNumbers) : {}),
        ...(type === 'string' ? stringPart(schema) : {}),
        ...(type === 'array' ? arrayPart(part, schema) : {}),
        ...(type === 'object' ? objectPart(part, schema, sender) : {}),
      },
    ]);
  }
  return form;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function numberPart(schema: Readonly<Record<string, unknown>>, wholeNumbers: boolean): Partial<Shape> {
  const whole = wholeNumbers || numberOf(schema.multipleOf) === 1;
  const bound = (name: 'minimum' | 'maximum', exclusiveName: string, stricter: typeof tighterMinimum) => {
    const plain = numberOf(schema[name]);
    const flag = schema[exclusiveName];
    const own = plain === undefined ? undefined : { value: plain, exclusive: flag === true };
    const beside = numberOf(flag);
    const found = stricter(own, beside === undefined ? undefined : { value: beside, exclusive: true });
    if (found === undefined || !whole) return found;
    const step = name === 'minimum' ? 1 : -1;
    const near = name === 'minimum' ? Math.ceil(found.value) : Math.floor(found.value);
    return { value: found.exclusive && near === found.value ? near + step : near, exclusive: false };
  };
  const multiple = numberOf(schema.multipleOf);
  return {
    minimum: bound('minimum', 'exclusiveMinimum', tighterMinimum),
    maximum: bound('maximum', 'exclusiveMaximum', tighterMaximum),
    multiples: [...new Set([...(wholeNumbers ? [1] : []), ...(multiple === undefined ? [] : [multiple])])],
    formats: formatsOf(schema),
  };
}

function tighterMinimum(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.value > b.value || (a.value === b.value && a.exclusive) ? a : b;
}

function tighterMaximum(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.value < b.value || (a.value === b.value && a.exclusive) ? a : b;
}

function formatsOf(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const format = textOf(schema.format);
  return new Set(format === undefined || DISPLAY_FORMATS.has(format) ? [] : [format]);
}

function stringPart(schema: Readonly<Record<string, unknown>>): Partial<Shape> {
  const pattern = textOf(schema.pattern);
  return {
    formats: formatsOf(schema),
    patterns: new Set(pattern === undefined ? [] : [pattern]),
    least: numberOf(schema.minLength) ?? 0,
    most: numberOf(schema.maxLength) ?? Infinity,
  };
}

function arrayPart(part: Located, schema: Readonly<Record<string, unknown>>): Partial<Shape> {
  const { description, pointer } = part;
  const tuple = Array.isArray(schema.items) ? 'items' : 'prefixItems';
  const rest = tuple === 'items' ? 'additionalItems' : 'items';
  return {
    leading: arrayOf(schema[tuple]).map((value, index) => [
      { description, pointer: below(pointer, tuple, index), value },
    ]),
    items: schema[rest] === undefined ? [] : [{ description, pointer: below(pointer, rest), value: schema[rest] }],
    least: numberOf(schema.minItems) ?? 0,
    most: numberOf(schema.maxItems) ?? Infinity,
    unique: schema.uniqueItems === true,
  };
}

function objectPart(part: Located, schema: Readonly<Record<string, unknown>>, sender: Sender): Partial<Shape> {
  const { description, pointer } = part;
  const each = (keyword: string): [string, Conjunction][] =>
    Object.entries(objectOf(schema[keyword])).map(([name, value]) => [
      name,
      [{ description, pointer: below(pointer, keyword, name), value }],
    ]);
  const notSent = sender === 'client' ? 'readOnly' : 'writeOnly';
  const properties = each('properties');
  const hidden = new Set(properties.filter(([, [only]]) => only && hasFlag(only, notSent)).map(([name]) => name));
  const additional = schema.additionalProperties;
  return {
    properties: new Map(properties.filter(([name]) => !hidden.has(name))),
    required: new Set(
      arrayOf(schema.required)
        .map(String)
        .filter((name) => !hidden.has(name)),
    ),
    byPattern: new Map(each('patternProperties')),
    additional:
      additional === undefined
        ? undefined
        : [{ description, pointer: below(pointer, 'additionalProperties'), value: additional }],
    least: numberOf(schema.minProperties) ?? 0,
    most: numberOf(schema.maxProperties) ?? Infinity,
  };
}

function hasFlag(schema: Located, flag: 'readOnly' | 'writeOnly'): boolean {
  return member(schema.value, flag) === true || member(follow(schema).value, flag) === true;
}

function opaqueOf(
  part: Located,
  schema: Readonly<Record<string, unknown>>,
  type: JsonType,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [keyword, value] of Object.entries(schema)) {
    if (READ.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) continue;
    if (OPAQUE_FOR[keyword]?.includes(type) === false) continue;
    found.set(keyword, new Set([stableJson(inlined(part, value, []))]));
  }
  return found;
}

/** A value with its references replaced by what they stand for, and without what only describes. */
function inlined(part: Located, value: unknown, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(part, each, within));
  if (!isRecord(value)) return value;
  const reference = textOf(value.$ref);
  const pointer = reference === undefined ? undefined : pointerOf(reference);
  if (pointer !== undefined) {
    const steps = within.indexOf(pointer);
    if (steps >= 0) return { recursion: within.length - steps };
    return inlined(part, atPointer(part.description.root, pointer), [...within, pointer]);
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['description', 'title', '$comment', 'example', 'examples'].includes(key))
      .map(([key, each]) => [key, inlined(part, each, within)]),
  );
}

/** The alternatives of several schemas together. */
function union(branches: readonly Located[], sender: Sender, depth: number, exactlyOne: boolean): Form {
  const form = new Map<JsonType, Shape[]>();
  for (const branch of branches) {
    for (const [type, shapes] of formOf([branch], sender, depth + 1)) {
      form.set(type, [...(form.get(type) ?? []), ...shapes.map((shape) => ({ ...shape }))]);
    }
  }
  for (const [type, shapes] of form) {
    const joined = joinValues(shapes);
    const overlap = exactlyOne && joined.length > 1 && !apart(joined);
    form.set(type, overlap ? joined.map((shape) => ({ ...shape, exclusive: true })) : joined);
  }
  return form;
}

/** Alternatives that each are only a list of values become one. */
function joinValues(shapes: readonly Shape[]): Shape[] {
  const lists = shapes.filter(onlyValues);
  const [first] = lists;
  if (first === undefined || lists.length < 2) return distinct(shapes);
  const values = new Set(lists.flatMap((shape) => [...(shape.values ?? [])]));
  return distinct([...shapes.filter((shape) => !onlyValues(shape)), { ...first, values }]);
}

function onlyValues(shape: Shape): boolean {
  return shape.values !== undefined && shape.opaque.size === 0 && shape.patterns.size === 0 && shape.formats.size === 0;
}

/** Of alternatives without any demand, one says as much as many. */
function distinct(shapes: readonly Shape[]): Shape[] {
  const free = shapes.find(isFree);
  return free === undefined ? [...shapes] : [free];
}

function isFree(shape: Shape): boolean {
  return demandsOf(shape) === demandsOf(blank(NOWHERE));
}

/** What a shape demands, as text, without where it stands. */
function demandsOf(shape: Shape): string {
  const demands = { ...shape, pointer: undefined, name: undefined, exclusive: undefined };
  return JSON.stringify(demands, (_key, value: unknown) =>
    value instanceof Map ? [...value] : value instanceof Set ? [...value] : value === Infinity ? 'infinite' : value,
  );
}

/** Whether no value fits two of the alternatives, since a required member has other values in each. */
function apart(shapes: readonly Shape[]): boolean {
  if (shapes.every((shape) => shape.values !== undefined)) return true;
  const [first, ...others] = shapes;
  if (first === undefined) return true;
  return [...first.required].some((name) => {
    const seen = new Set<string>();
    return [first, ...others].every((shape) => {
      const values = shape.required.has(name) ? tagValues(shape.properties.get(name)) : undefined;
      if (values === undefined || values.some((value) => seen.has(value))) return false;
      for (const value of values) seen.add(value);
      return true;
    });
  });
}

/** The values of a member that is restricted to a list. */
export function tagValues(conjunction: Conjunction | undefined): readonly string[] | undefined {
  for (const part of conjunction ?? []) {
    const schema = objectOf(follow(part).value);
    if (schema.const !== undefined) return [stableJson(schema.const)];
    if (schema.enum !== undefined) return arrayOf(schema.enum).map(stableJson);
  }
  return undefined;
}

/** What both forms allow. */
function intersect(a: Form, b: Form): Form {
  const form = new Map<JsonType, readonly Shape[]>();
  for (const [type, shapes] of a) {
    const both = shapes.flatMap((one) => (b.get(type) ?? []).flatMap((other) => meet(one, other)));
    if (both.length > 0) form.set(type, distinct(both));
  }
  return form;
}

function setUnion<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...a, ...b]);
}

/** What two alternatives demand together; nothing, if no value can satisfy both. */
function meet(a: Shape, b: Shape): readonly Shape[] {
  const values =
    a.values === undefined || b.values === undefined
      ? (a.values ?? b.values)
      : new Set([...a.values].filter((value) => b.values?.has(value)));
  if (values?.size === 0) return [];
  const place = a.pointer === NOWHERE ? b : a;
  return [
    {
      pointer: place.pointer,
      name: place.name ?? b.name,
      values,
      minimum: tighterMinimum(a.minimum, b.minimum),
      maximum: tighterMaximum(a.maximum, b.maximum),
      multiples: [...new Set([...a.multiples, ...b.multiples])],
      formats: setUnion(a.formats, b.formats),
      patterns: setUnion(a.patterns, b.patterns),
      least: Math.max(a.least, b.least),
      most: Math.min(a.most, b.most),
      unique: a.unique || b.unique,
      leading: Array.from({ length: Math.max(a.leading.length, b.leading.length) }, (_each, index) => [
        ...(a.leading[index] ?? a.items),
        ...(b.leading[index] ?? b.items),
      ]),
      items: [...a.items, ...b.items],
      properties: new Map(
        [...new Set([...a.properties.keys(), ...b.properties.keys()])].map((name) => [
          name,
          [...memberSchema(a, name), ...memberSchema(b, name)],
        ]),
      ),
      required: setUnion(a.required, b.required),
      byPattern: new Map(
        [...new Set([...a.byPattern.keys(), ...b.byPattern.keys()])].map((name) => [
          name,
          [...(a.byPattern.get(name) ?? []), ...(b.byPattern.get(name) ?? [])],
        ]),
      ),
      additional:
        a.additional === undefined || b.additional === undefined
          ? (a.additional ?? b.additional)
          : [...a.additional, ...b.additional],
      opaque: new Map(
        [...new Set([...a.opaque.keys(), ...b.opaque.keys()])].map((keyword) => [
          keyword,
          setUnion(a.opaque.get(keyword) ?? new Set(), b.opaque.get(keyword) ?? new Set()),
        ]),
      ),
      exclusive: a.exclusive || b.exclusive,
    },
  ];
}

/** What a member of an object has to be: by its name, by the patterns that its name fits, or as any other member. */
export function memberSchema(shape: Shape, name: string): Conjunction {
  const fitting = [...shape.byPattern].filter(([pattern]) => fits(pattern, name)).flatMap(([, schema]) => schema);
  const own = shape.properties.get(name);
  if (own !== undefined) return [...own, ...fitting];
  return fitting.length > 0 ? fitting : (shape.additional ?? []);
}

/** Whether a name fits a pattern; a pattern that cannot be read fits nothing. */
export function fits(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

/** Names a schema by where it stands, behind references, to see that a pair of schemas is being compared already. */
export function identityOf(conjunction: Conjunction): string {
  return conjunction
    .map((part) => (isRecord(part.value) && Object.keys(part.value).join() === '$ref' ? follow(part) : part).pointer)
    .join('\n');
}
