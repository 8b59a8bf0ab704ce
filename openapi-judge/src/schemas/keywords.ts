import { arrayOf, isRecord, member, objectOf, stableJson, textOf, type JsonObject } from '../../../common/json.ts';
import { MAPS } from '../../../common/openapi.ts';
import { byText } from '../../../common/text.ts';
import type { Sender } from '../change.ts';
import { partAt, targetOf, TooMuchWork, type Located } from '../documents/description.ts';
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
import { dynamicTargets } from '../documents/references.ts';
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

/**
 * What a schema says by itself, without what it refers to and composes.
 *
 * @param read reads the schemas inside of it
 * @param meaningOf what a keyword means that is compared as it stands; undefined if that is not computed
 */
export function ownForm(
  part: Located,
  schema: JsonObject,
  sender: Sender,
  read: Reading,
  meaningOf: (keyword: string, value: unknown, type: JsonType) => Meaning | undefined,
): Form {
  const old = part.description.old;
  const said = schema.type;
  const types = new Set(said === undefined ? JSON_TYPES : [said].flat().map(String));
  const wholeNumbers = types.has('integer') && !types.has('number');
  if (types.has('integer')) types.add('number');
  if (old && member(schema, 'nullable') === true && said !== undefined) types.add('null');
  const allowed = allowedBy(schema);
  const form = new Map<JsonType, Shape[]>();
  for (const type of JSON_TYPES) {
    if (!types.has(type)) continue;
    const values = allowed?.filter((value) => typeOfValue(value) === type).map(stableJson);
    if (values?.length === 0) continue;
    const bare = {
      ...blank(part),
      values: values === undefined || type === 'null' ? undefined : new Set(values),
      ...(type === 'number' ? numberPart(schema, wholeNumbers) : {}),
      ...(type === 'string' ? stringPart(schema) : {}),
      ...(type === 'array' ? arrayPart(part, schema) : {}),
      ...(type === 'object' ? objectPart(part, schema, sender) : {}),
    };
    const demands = demandsOf(part, schema, type);
    const shape = settled(
      demands.reduce(
        (each, { keyword, text, value }) => demanding(each, keyword, text, meaningOf(keyword, value, type)),
        bare,
      ),
      read,
    );
    if (shape !== undefined) form.set(type, [shape]);
  }
  return form;
}

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

function numberPart(schema: JsonObject, wholeNumbers: boolean): Partial<Shape> {
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
    multiples: [...new Set([...(wholeNumbers ? [1] : []), ...(multiple === undefined ? [] : [multiple])])],
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
  const hidden = new Set(properties.filter(([, [only]]) => only && hasFlag(only, notSent)).map(([name]) => name));
  const required = arrayOf(schema.required).map(String);
  const patterns = each('patternProperties');
  const [[pattern, ofAny] = ['', undefined], ...others] = patterns;
  // Where nothing else is said of members, a pattern that every name fits is for those that are not listed.
  const isMap = ofAny !== undefined && EVERY_TEXT.test(pattern) && properties.length + others.length === 0;
  return {
    properties: new Map(properties.filter(([name]) => !hidden.has(name))),
    required: new Set(required.filter((name) => !hidden.has(name))),
    unsent: hidden,
    byPattern: new Map(isMap ? [] : patterns),
    additional: isMap
      ? ofAny
      : schema.additionalProperties === undefined
        ? undefined
        : [partAt(part, 'additionalProperties')],
    ...sizePart(schema, 'Properties'),
  };
}

function hasFlag(schema: Located, flag: 'readOnly' | 'writeOnly'): boolean {
  const { $ref, allOf } = objectOf(schema.value);
  if ($ref === undefined && allOf === undefined) return member(schema.value, flag) === true;
  return partsOf([schema]).some(({ value }) => member(value, flag) === true);
}

/** A demand that is compared as it stands. */
interface Demand {
  readonly keyword: string;
  readonly text: string;
  /** What the keyword says, with what steers it. */
  readonly value: unknown;
}

/** The demands that are compared as they stand: each by itself, so that one more of them narrows. */
function demandsOf(part: Located, schema: JsonObject, type: JsonType): Demand[] {
  const found: Demand[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (READ.has(keyword) || ANNOTATIONS.has(keyword) || STEERED.has(keyword) || keyword.startsWith('x-')) continue;
    if (CONTENT_FORMATS[keyword]?.[0] === value) continue;
    if (WRITTEN_FOR[keyword]?.includes(type) === false) continue;
    for (const each of singleDemands(schema, keyword, value))
      found.push({ keyword, value: each, text: stableJson(inlined(part, { [keyword]: each }, [])) });
  }
  return found;
}

function singleDemands(schema: JsonObject, keyword: string, value: unknown): readonly unknown[] {
  switch (keyword) {
    case 'if': {
      const { then = true, else: otherwise = true } = schema;
      return then === true && otherwise === true ? [] : [{ if: value, then, else: otherwise }];
    }
    case 'contains': {
      const { minContains = 1, maxContains } = schema;
      return minContains === 0 && maxContains === undefined ? [] : [{ contains: value, minContains, maxContains }];
    }
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
  const dynamic = dynamicTargets(part.description.root, textOf(value.$dynamicRef) ?? '');
  const members = Object.entries(value).filter(([key]) => !IDLE.has(key) && !key.startsWith('x-'));
  return {
    ...Object.fromEntries(
      members.map(([key, each]) => [key, inSomeOrder(key, inlined(part, each, within, MAPS.has(key)))]),
    ),
    ...(dynamic.length === 0
      ? {}
      : {
          dynamic: inlined(
            part,
            dynamic.map((each) => ({ $ref: `#${encodeURI(each)}` })),
            within,
          ),
        }),
  };
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

/** The same with the alternatives of schemas, whose order generators of code may keep. */
const UNORDERED: ReadonlySet<string> = new Set([...SETS, 'allOf', 'anyOf', 'oneOf']);

/** A value with every list without an order in one order. */
export function inAnyOrder(value: unknown, keywords = UNORDERED): unknown {
  if (Array.isArray(value)) return value.map((each) => inAnyOrder(each, keywords));
  if (!isRecord(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([key, each]) => [key, inSomeOrder(key, inAnyOrder(each, keywords), keywords)]),
  );
}

/** The value of a keyword, in one order if its list has none. */
export function inSomeOrder(key: string, value: unknown, keywords = UNORDERED): unknown {
  if (!keywords.has(key) || !Array.isArray(value)) return value;
  const texts = new Map(value.map((each) => [stableJson(each), each as unknown]));
  return [...texts].sort(([a], [b]) => byText(a, b)).map(([, each]) => each);
}
