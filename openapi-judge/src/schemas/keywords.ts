/** Reads the keywords of a schema itself. */
import { arrayOf, isRecord, member, objectOf, stableJson, textOf, type JsonObject } from '../../../common/json.ts';
import { MAPS } from '../../../common/openapi.ts';
import { requireModule } from '../../../common/process/commonjs.ts';
import { byText } from '../../../common/text.ts';
import type { Sender } from '../change.ts';
import { isPublic, partAt, rememberingEach, targetOf, TooMuchWork, type Located } from '../documents/description.ts';
import {
  blank,
  demanding,
  JSON_TYPES,
  tighterMaximum,
  tighterMinimum,
  typeOfValue,
  type Bound,
  type Conjunction,
  type Form,
  type JsonType,
  type Meaning,
  type Shape,
} from './values/value-set.ts';
import { partsOf } from './made-of.ts';
import { settled, type Reading } from './values/schema-values.ts';

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Keywords that say nothing about which values are valid, or that are read elsewhere. */
export const ANNOTATIONS = new Set([
  ...['$schema', '$id', '$anchor', '$defs', 'definitions', '$comment', '$vocabulary', '$dynamicAnchor'],
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'example', 'examples', 'externalDocs'],
  ...['discriminator', 'xml', 'nullable'],
]);

/** Keywords that only steer another one: alone they say nothing. */
const STEERED = new Set(['then', 'else', 'minContains', 'maxContains']);

const READ = new Set([
  ...['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'additionalItems'],
  ...[
    'properties',
    'required',
    'patternProperties',
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
  ],
  ...['minProperties', 'maxProperties', ...NUMBER_KEYWORDS],
]);

/** Formats that only say how to show a field. */
const DISPLAY_FORMATS = new Set(['password']);

/** For which types a keyword that is compared as it stands has a meaning. */
const WRITTEN_FOR: Readonly<Record<string, readonly JsonType[]>> = {
  contains: ['array'],
  minContains: ['array'],
  maxContains: ['array'],
  propertyNames: ['object'],
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
  dependencies: ['object'],
  contentEncoding: ['string'],
  contentMediaType: ['string'],
  contentSchema: ['string'],
};

/** What a demand that is compared as it stands means for a type; undefined if that is not computed. */
type MeaningOf = (demand: Demand, type: JsonType) => Meaning | undefined;

/**
 * What a schema says by itself, without what it refers to and composes.
 *
 * @param read reads the schemas inside of it
 */
export function ownForm(part: Located, sender: Sender, read: Reading, meaningOf: MeaningOf): Form {
  const schema = objectOf(part.value);
  const allowed = allowedBy(schema);
  const form = new Map<JsonType, Shape[]>();
  for (const type of typesOf(schema, part.description.old)) {
    const values = allowed?.filter((value) => typeOfValue(value) === type).map(stableJson);
    if (values?.length === 0) continue;
    const own = { ...blank(part), ...OWN_PARTS[type]?.(part, schema, sender) };
    const listing = values === undefined || type === 'null' ? own : { ...own, values: new Set(values) };
    const demands = demandsOf(part, schema, type);
    const demanded = demands.reduce(
      (shape, demand) => demanding(shape, demand.keyword, demand.text, meaningOf(demand, type)),
      listing,
    );
    const shape = settled(demanded, read);
    if (shape !== undefined) form.set(type, [shape]);
  }
  return form;
}

/** The types that a schema allows; an integer is a number. */
function typesOf(schema: JsonObject, old: boolean): readonly JsonType[] {
  if (schema.type === undefined) return JSON_TYPES;
  const types = new Set([schema.type].flat().map(String));
  if (types.has('integer')) types.add('number');
  if (old && schema.nullable === true) types.add('null');
  return JSON_TYPES.filter((type) => types.has(type));
}

function isOfIntegers({ type }: JsonObject): boolean {
  const types = [type].flat();
  return types.includes('integer') && !types.includes('number');
}

/** What a schema says of the values of a type. */
const OWN_PARTS: Partial<Record<JsonType, (part: Located, schema: JsonObject, sender: Sender) => Partial<Shape>>> = {
  number: (_part, schema) => numberPart(schema),
  string: (_part, schema) => stringPart(schema),
  array: arrayPart,
  object: objectPart,
};

/** The values that `enum` and `const` leave. */
function allowedBy(schema: JsonObject): readonly unknown[] | undefined {
  const some = schema.enum === undefined ? undefined : arrayOf(schema.enum);
  if (schema.const === undefined) return some;
  const only = stableJson(schema.const);
  return some === undefined || some.some((each) => stableJson(each) === only) ? [schema.const] : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function numberPart(schema: JsonObject): Partial<Shape> {
  const bound = (name: string, exclusiveName: string, stricter: typeof tighterMinimum): Bound | undefined => {
    const plain = numberOf(schema[name]);
    const flag = schema[exclusiveName];
    const own = plain === undefined ? undefined : { value: plain, exclusive: flag === true };
    const beside = numberOf(flag);
    return stricter(own, beside === undefined ? undefined : { value: beside, exclusive: true });
  };
  const multiple = numberOf(schema.multipleOf);
  return {
    minimum: bound('minimum', 'exclusiveMinimum', tighterMinimum),
    maximum: bound('maximum', 'exclusiveMaximum', tighterMaximum),
    multiples: [...new Set([...(isOfIntegers(schema) ? [1] : []), ...(multiple === undefined ? [] : [multiple])])],
    formats: formatsOf(schema),
  };
}

function formatsOf(schema: JsonObject): ReadonlySet<string> {
  const format = textOf(schema.format);
  return new Set(format === undefined || DISPLAY_FORMATS.has(format) ? [] : [format]);
}

/** Patterns that every text fits: a dot leaves out line breaks, so that `.*` does so only if it need not fit the whole text. */
const EVERY_TEXT = /^(\^?(\.\*\??|\(\.\*\))?|(\.\*\??|\(\.\*\))?\$?|\^?\[(\\s\\S|\\S\\s|\\d\\D|\\w\\W|\^)\]\*\$?)$/;

/** What later versions write as keywords of their own is a format in OpenAPI 3.0. */
const CONTENT_FORMATS: Readonly<Record<string, readonly [value: string, format: string]>> = {
  contentEncoding: ['base64', 'byte'],
  contentMediaType: ['application/octet-stream', 'binary'],
};

function stringPart(schema: JsonObject): Partial<Shape> {
  const pattern = textOf(schema.pattern);
  const contents = Object.entries(CONTENT_FORMATS).filter(([keyword, [value]]) => schema[keyword] === value);
  return {
    formats: new Set([...formatsOf(schema), ...contents.map(([, [, format]]) => format)]),
    patterns: new Set(pattern === undefined || EVERY_TEXT.test(pattern) ? [] : [pattern]),
    ...sizePart(schema, 'Length'),
  };
}

function sizePart(schema: JsonObject, what: 'Length' | 'Items' | 'Properties'): Pick<Shape, 'least' | 'most'> {
  return { least: numberOf(schema[`min${what}`]) ?? 0, most: numberOf(schema[`max${what}`]) ?? Infinity };
}

function arrayPart(part: Located, schema: JsonObject): Partial<Shape> {
  const tuple = Array.isArray(schema.items) ? 'items' : 'prefixItems';
  const rest = tuple === 'items' ? 'additionalItems' : 'items';
  return {
    leading: arrayOf(schema[tuple]).map((_each, index) => [partAt(part, tuple, index)]),
    items: schema[rest] === undefined ? [] : [partAt(part, rest)],
    unique: schema.uniqueItems === true,
    ...sizePart(schema, 'Items'),
    least: Math.max(
      numberOf(schema.minItems) ?? 0,
      schema.contains === undefined ? 0 : (numberOf(schema.minContains) ?? 1),
    ),
  };
}

function objectPart(part: Located, schema: JsonObject, sender: Sender): Partial<Shape> {
  const each = (keyword: string): [string, Conjunction][] =>
    Object.keys(objectOf(schema[keyword])).map((name) => [name, [partAt(part, keyword, name)]]);
  const notSent = sender === 'client' ? 'readOnly' : 'writeOnly';
  const properties = each('properties');
  const hidden = new Set(properties.filter(([, [only]]) => only && isHidden(only, notSent)).map(([name]) => name));
  const required = arrayOf(schema.required).map(String);
  const patterns = each('patternProperties');
  const [[pattern, ofAny] = ['', undefined], ...more] = patterns;
  // Where nothing else is said of members, a pattern that every name fits is for those that are not listed.
  const isMap = ofAny !== undefined && EVERY_TEXT.test(pattern) && properties.length + more.length === 0;
  const others = schema.additionalProperties === undefined ? undefined : [partAt(part, 'additionalProperties')];
  return {
    properties: new Map(properties.filter(([name]) => !hidden.has(name))),
    required: new Set(required.filter((name) => !hidden.has(name))),
    unsent: hidden,
    byPattern: new Map(isMap ? [] : patterns),
    additional: isMap ? ofAny : others,
    ...sizePart(schema, 'Properties'),
  };
}

/** Whether a member is not sent, or not public. */
function isHidden(schema: Located, notSent: 'readOnly' | 'writeOnly'): boolean {
  return !isPublic(schema.value) || hasFlag(schema, notSent);
}

function hasFlag(schema: Located, flag: 'readOnly' | 'writeOnly'): boolean {
  const { $ref, allOf } = objectOf(schema.value);
  if ($ref === undefined && allOf === undefined) return member(schema.value, flag) === true;
  return partsOf([schema]).some(({ value }) => member(value, flag) === true);
}

/** A demand that is compared as it stands. */
export interface Demand {
  readonly keyword: string;
  readonly text: string;
  /** What the keyword says, with what steers it. */
  readonly value: unknown;
}

/** Stands for all that a document says of the wire. */
const digestOf = rememberingEach(({ paths, webhooks, components }: JsonObject): string => {
  const bare = (value: unknown, areNames = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => bare(each));
    if (!isRecord(value)) return value;
    const members = Object.entries(value).filter(([key]) => areNames || (!IDLE.has(key) && !key.startsWith('x-')));
    return Object.fromEntries(members.map(([key, each]) => [key, bare(each, !areNames && MAPS.has(key))]));
  };
  return digest(stableJson(bare({ paths, webhooks, components })));
});

/** A short text that stands for a long one. */
export function digest(text: string): string {
  // Loaded where it is needed: most documents need none, and to load it takes a tenth of the start.
  const { createHash } = requireModule('node:crypto') as typeof import('node:crypto');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

const DYNAMIC = new Set(['$dynamicRef', '$recursiveRef']);

/** The demands that are compared as they stand: each by itself, so that one more of them narrows. */
function demandsOf(part: Located, schema: JsonObject, type: JsonType): Demand[] {
  const found: Demand[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (READ.has(keyword) || ANNOTATIONS.has(keyword) || STEERED.has(keyword) || keyword.startsWith('x-')) continue;
    if (CONTENT_FORMATS[keyword]?.[0] === value) continue;
    if (WRITTEN_FOR[keyword]?.includes(type) === false) continue;
    // Where a dynamic reference leads is not computed: it is the same only if all that may be there is.
    const all = DYNAMIC.has(keyword) ? { document: digestOf(part.description.root) } : {};
    for (const each of singleDemands(schema, keyword, value))
      found.push({
        keyword,
        value: each,
        text: stableJson({ ...Object(inlined(part, { [keyword]: each }, [])), ...all }),
      });
  }
  return found;
}

function singleDemands(schema: JsonObject, keyword: string, value: unknown): readonly unknown[] {
  switch (keyword) {
    case 'if':
      return conditionOf(schema, value);
    case 'contains':
      return containedBy(schema, value);
    case 'dependentRequired':
      return Object.entries(objectOf(value)).flatMap(([name, others]) =>
        arrayOf(others).map((other) => [name, [other]]),
      );
    case 'dependentSchemas':
    case 'dependencies':
      return Object.entries(objectOf(value));
    default:
      return [value];
  }
}

function conditionOf({ then = true, else: otherwise = true }: JsonObject, value: unknown): readonly unknown[] {
  return then === true && otherwise === true ? [] : [{ if: value, then, else: otherwise }];
}

function containedBy({ minContains = 1, maxContains }: JsonObject, value: unknown): readonly unknown[] {
  return minContains === 0 && maxContains === undefined ? [] : [{ contains: value, minContains, maxContains }];
}

/** The text of a value outside of schemas, with what its references stand for; as it is written, if that is too much. */
export function inlinedText(part: Located, value: unknown): string {
  part.description.work.renew();
  try {
    return stableJson(inlined(part, value, []));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return stableJson(value);
  }
}

/** A value with its references replaced by what they stand for, and without descriptions. */
export function inlined(part: Located, value: unknown, within: readonly string[], areNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(part, each, within));
  if (!isRecord(value)) return value;
  part.description.work.spend();
  const reference = areNames ? undefined : textOf(value.$ref);
  const target = reference === undefined ? undefined : targetOf(reference, part.description);
  if (target !== undefined) {
    const steps = within.indexOf(target.pointer);
    if (steps >= 0) return { recursion: within.length - steps };
    return inlined(part, target.value, [...within, target.pointer]);
  }
  if (areNames)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inlined(part, each, within)]));
  const members = Object.entries(value).filter(([key]) => !IDLE.has(key) && !key.startsWith('x-'));
  return Object.fromEntries(
    members.map(([key, each]) => [key, inSomeOrder(key, inlined(part, each, within, MAPS.has(key)))]),
  );
}

/** Keywords that say nothing about which values are valid. */
const IDLE = new Set([
  'description',
  'title',
  '$comment',
  'example',
  'examples',
  'default',
  'deprecated',
  'externalDocs',
]);

/** Keywords whose lists say nothing by their order to anybody. */
export const SETS: ReadonlySet<string> = new Set(['required', 'enum', 'type', 'tags', 'parameters', 'security']);

/** A value with every list without an order in one order. */
export function inAnyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inAnyOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inSomeOrder(key, inAnyOrder(each))]));
}

/** The value of a keyword, in one order if its list has none. */
export function inSomeOrder(key: string, value: unknown): unknown {
  if (!SETS.has(key) || !Array.isArray(value)) return value;
  const texts = new Map(value.map((each) => [stableJson(each), each as unknown]));
  return [...texts].sort(([a], [b]) => byText(a, b)).map(([, each]) => each);
}
