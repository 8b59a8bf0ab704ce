import { follow, pointerOf, type Description, type Located } from '../description.ts';
import {
  arrayOf,
  atPointer,
  below,
  isRecord,
  member,
  objectOf,
  stableJson,
  textOf,
  without,
} from '../../../common/json.ts';
import {
  blank,
  distinct,
  isFree,
  isOpen,
  JSON_TYPES,
  meet,
  NOWHERE,
  tighterMaximum,
  tighterMinimum,
  typeOfValue,
  type Bound,
  type Branches,
  type Conjunction,
  type Form,
  type JsonType,
  type Sender,
  type Shape,
} from './value-set.ts';
import { anyAdmits, areApart, isPlainList, listed, settled, type Reading } from './schema-values.ts';

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Keywords that say nothing about which values are valid, or that are read elsewhere. */
const ANNOTATIONS = new Set([
  ...['$id', '$schema', '$anchor', '$defs', 'definitions', '$comment', '$vocabulary', '$dynamicAnchor'],
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'example', 'examples', 'externalDocs'],
  ...['discriminator', 'xml', 'nullable'],
]);

/** Keywords that only steer another one: alone they say nothing. */
const STEERED = new Set(['then', 'else', 'minContains', 'maxContains']);

const READ = new Set([
  ...['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'additionalItems'],
  ...['properties', 'required', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'not'],
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

/** How a schema is read: for whom, how deep inside of others, and how far ahead to look for what keeps alternatives apart. */
interface View {
  readonly sender: Sender;
  readonly depth: number;
  readonly ahead: number;
}

/** Two steps: an alternative, and the member of it that tells it from the others. */
const AHEAD = 2;

/**
 * The form of schemas that hold together, in a message of this sender.
 *
 * @throws EndlessSchema for a schema that is part of itself
 */
export function formOf(conjunction: Conjunction, sender: Sender): Form {
  return formIn(conjunction, { sender, depth: 0, ahead: AHEAD });
}

/** How the values inside of alternatives are read; for questions that only an exact answer helps. */
export function reading(sender: Sender): Reading {
  return inside({ sender, depth: 0, ahead: AHEAD });
}

function inside(view: View): Reading {
  if (view.ahead === 0) return () => undefined;
  return (conjunction) => formIn(conjunction, { ...view, depth: view.depth + 1, ahead: view.ahead - 1 });
}

function formIn(conjunction: Conjunction, view: View): Form {
  if (view.depth > DEPTH) throw new EndlessSchema();
  const [only, ...more] = conjunction;
  if (only === undefined) return everything();
  return more.reduce<Form>((form, part) => intersect(form, formOfPart(part, view), view), formOfPart(only, view));
}

/** Forms that were read before, by document and place in it. */
const known = new WeakMap<Description, WeakMap<object, Map<string, Form>>>();

function formOfPart(part: Located, view: View): Form {
  if (!isRecord(part.value)) return readPart(part, view);
  const { description, value } = part;
  const byValue = known.get(description) ?? new WeakMap<object, Map<string, Form>>();
  known.set(description, byValue);
  const byView = byValue.get(value) ?? new Map<string, Form>();
  byValue.set(value, byView);
  const key = `${view.sender} ${view.ahead}`;
  const form = byView.get(key) ?? readPart(part, view);
  byView.set(key, form);
  return form;
}

/** Whether no value at all is valid. */
export function allowsNothing(conjunction: Conjunction, sender: Sender): boolean {
  return formOf(conjunction, sender).size === 0;
}

/** Whether every value is valid. */
export function allowsEverything(conjunction: Conjunction): boolean {
  return conjunction.every((part) => isOpen(follow(part)));
}

function everything(): Form {
  return new Map(JSON_TYPES.map((type) => [type, [blank(NOWHERE)]]));
}

function readPart(part: Located, view: View): Form {
  const { value: schema, description } = part;
  if (schema === false) return new Map();
  if (!isRecord(schema)) return new Map(JSON_TYPES.map((type) => [type, [blank(part)]]));
  const deeper = { ...view, depth: view.depth + 1 };
  const reference = textOf(schema.$ref);
  const target = reference === undefined ? undefined : pointerOf(reference);
  if (target !== undefined) {
    const referred = { description, pointer: target, value: atPointer(description.root, target) };
    const form = named(formIn([referred], deeper), target.split('/').at(-1));
    // Beside a reference, OpenAPI 3.0 reads nothing.
    if (description.old) return form;
    const beside = without(schema, '$ref');
    const others = Object.keys(beside).some((key) => !ANNOTATIONS.has(key));
    return others ? intersect(form, readPart({ ...part, value: beside }, deeper), view) : form;
  }

  const branch = (keyword: string): Located[] =>
    arrayOf(schema[keyword]).map((value, index) => ({
      description,
      pointer: below(part.pointer, keyword, index),
      value,
    }));
  let form = ownForm(part, schema, view);
  for (const each of branch('allOf')) form = intersect(form, formIn([each], deeper), view);
  if (schema.anyOf !== undefined) form = intersect(form, union(branch('anyOf'), view, 'any'), view);
  if (schema.oneOf !== undefined) {
    const told = isRecord(schema.discriminator) ? 'one, told apart' : 'one';
    form = intersect(form, union(branch('oneOf'), view, told), view);
  }
  if (schema.not !== undefined) {
    form = excluding(form, { description, pointer: below(part.pointer, 'not'), value: schema.not }, view);
  }
  if (description.old && schema.nullable === true && schema.enum === undefined) {
    form = new Map([...form, ['null', [blank(part)]]]);
  }
  form = withRest(form, part, 'object', 'unevaluatedProperties', (shape, rest) => ({
    ...shape,
    additional: shape.additional ?? rest,
  }));
  // What `contains` has looked at counts as evaluated; that is not followed here.
  if (schema.contains !== undefined) return form;
  return withRest(form, part, 'array', 'unevaluatedItems', (shape, rest) => ({
    ...shape,
    items: shape.items.length === 0 ? rest : shape.items,
  }));
}

/** Says of what no other keyword spoke of what `unevaluatedProperties` or `unevaluatedItems` says. */
function withRest(
  form: Form,
  { description, pointer, value }: Located,
  type: JsonType,
  keyword: string,
  by: (shape: Shape, rest: Conjunction) => Shape,
): Form {
  const rest = member(value, keyword);
  const shapes = form.get(type);
  if (rest === undefined || shapes === undefined) return form;
  const schema: Conjunction = [{ description, pointer: below(pointer, keyword), value: rest }];
  return new Map([...form, [type, shapes.map((shape) => by(shape, schema))]]);
}

/** What a form leaves where another schema must not fit. */
function excluding(form: Form, not: Located, view: View): Form {
  const excluded = formIn([not], { ...view, depth: view.depth + 1 });
  const read = inside(view);
  const left = new Map<JsonType, readonly Shape[]>();
  for (const [type, shapes] of form) {
    const refused = excluded.get(type) ?? [];
    const kept = shapes.flatMap((shape) => {
      if (refused.length === 0) return [shape];
      if (refused.some(isFree)) return [];
      const values = listed(shape, type);
      const answers = [...(values ?? [])].map((value): readonly [string, boolean | undefined] => [
        value,
        anyAdmits(refused, JSON.parse(value), read),
      ]);
      if (values !== undefined && answers.every(([, answer]) => answer !== undefined)) {
        const rest = answers.filter(([, answer]) => answer === false).map(([value]) => value);
        const narrowed = settled({ ...shape, values: new Set(rest) }, read);
        return rest.length === values.size ? [shape] : narrowed === undefined ? [] : [narrowed];
      }
      const demands = refused.every(isPlainList)
        ? refused.flatMap((each) => [...(each.values ?? [])])
        : [stableJson(inlined(not, not.value, []))];
      const others = shape.opaque.get('not') ?? [];
      return [{ ...shape, opaque: new Map([...shape.opaque, ['not', new Set([...others, ...demands])]]) }];
    });
    if (kept.length > 0) left.set(type, kept);
  }
  return left;
}

function named(form: Form, name: string | undefined): Form {
  return new Map(
    [...form].map(([type, shapes]) => [type, shapes.map((shape) => ({ ...shape, name: shape.name ?? name }))]),
  );
}

/** What a schema says by itself, without what it refers to and composes. */
function ownForm(part: Located, schema: Readonly<Record<string, unknown>>, view: View): Form {
  const { sender } = view;
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
  const allowed = allowedBy(schema);
  const form = new Map<JsonType, Shape[]>();
  for (const type of JSON_TYPES) {
    if (!types.has(type)) continue;
    const values = allowed?.filter((value) => typeOfValue(value) === type).map(stableJson);
    if (values?.length === 0) continue;
    const shape = settled(
      {
        ...blank(part),
        values: values === undefined || type === 'null' ? undefined : new Set(values),
        opaque: opaqueOf(part, schema, type),
        ...(type === 'number' ? numberPart(schema, wholeNumbers) : {}),
        ...(type === 'string' ? stringPart(schema, description.old) : {}),
        ...(type === 'array' ? arrayPart(part, schema) : {}),
        ...(type === 'object' ? objectPart(part, schema, sender) : {}),
      },
      inside(view),
    );
    if (shape !== undefined) form.set(type, [shape]);
  }
  return form;
}

/** The values that `enum` and `const` leave. */
function allowedBy(schema: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const some = schema.enum === undefined ? undefined : arrayOf(schema.enum);
  if (schema.const === undefined) return some;
  const only = stableJson(schema.const);
  return some === undefined || some.some((each) => stableJson(each) === only) ? [schema.const] : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function numberPart(schema: Readonly<Record<string, unknown>>, wholeNumbers: boolean): Partial<Shape> {
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

function formatsOf(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const format = textOf(schema.format);
  return new Set(format === undefined || DISPLAY_FORMATS.has(format) ? [] : [format]);
}

function stringPart(schema: Readonly<Record<string, unknown>>, old: boolean): Partial<Shape> {
  const pattern = textOf(schema.pattern);
  return {
    formats: old && schema.format === 'byte' ? new Set() : formatsOf(schema),
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
    unsent: hidden,
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

/** What is demanded by keywords that are only compared as they stand: each demand by itself, so that one more of them narrows. */
function opaqueOf(
  part: Located,
  schema: Readonly<Record<string, unknown>>,
  type: JsonType,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const [keyword, value] of Object.entries(schema)) {
    if (READ.has(keyword) || ANNOTATIONS.has(keyword) || STEERED.has(keyword) || keyword.startsWith('x-')) continue;
    if (OPAQUE_FOR[keyword]?.includes(type) === false) continue;
    if (keyword === 'unevaluatedItems' && schema.contains === undefined) continue;
    const demands = demandsOf(schema, keyword, value);
    if (demands.length > 0) found.set(keyword, new Set(demands.map((each) => stableJson(inlined(part, each, [])))));
  }
  // What OpenAPI 3.0 calls a format is a keyword of its own later.
  if (part.description.old && type === 'string' && schema.format === 'byte') {
    found.set('contentEncoding', new Set([stableJson('base64')]));
  }
  return found;
}

function demandsOf(schema: Readonly<Record<string, unknown>>, keyword: string, value: unknown): readonly unknown[] {
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
      return Object.entries(objectOf(value)).flatMap(([name, others]) => arrayOf(others).map((other) => [name, other]));
    case 'dependentSchemas':
      return Object.entries(objectOf(value));
    default:
      return [value];
  }
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
  // Where it leads depends on the way that was taken there: any change of a component may matter.
  if (value.$dynamicRef !== undefined || value.$recursiveRef !== undefined) {
    return { value, components: member(part.description.root, 'components') };
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['description', 'title', '$comment', 'example', 'examples'].includes(key))
      .map(([key, each]) => [key, inlined(part, each, within)]),
  );
}

/**
 * The alternatives of several schemas together.
 *
 * @param fitting how many of them have to fit a value; those that a discriminator tells apart do not overlap in objects
 */
function union(branches: readonly Located[], view: View, fitting: 'any' | 'one' | 'one, told apart'): Form {
  const forms = branches.map((branch) => formIn([branch], { ...view, depth: view.depth + 1 }));
  const form = new Map<JsonType, readonly Shape[]>();
  for (const type of JSON_TYPES) {
    const groups = forms.flatMap((each) => each.get(type) ?? []);
    const byBranch = forms.map((each) => each.get(type) ?? []).filter((shapes) => shapes.length > 0);
    const free = fitting === 'any' || (fitting === 'one, told apart' && type === 'object');
    const shapes = free || groupsApart(byBranch, view) ? joinLists(groups) : exactlyOne(byBranch, type, view);
    if (shapes.length > 0) form.set(type, shapes);
  }
  return form;
}

function groupsApart(groups: Branches, view: View): boolean {
  const read = inside(view);
  return groups.every((shapes, index) =>
    groups
      .slice(index + 1)
      .every((others) => shapes.every((shape) => others.every((other) => areApart(shape, other, read)))),
  );
}

/** The alternatives of branches of which exactly one may fit, and which may overlap. */
function exactlyOne(branches: Branches, type: JsonType, view: View): readonly Shape[] {
  const shapes = branches.flat();
  const lists = shapes.map((shape) => listed(shape, type));
  const read = inside(view);
  if (lists.every((each) => each !== undefined)) {
    const answers = [...new Set(lists.flatMap((each) => [...each]))].map((value): [string, boolean | undefined] => {
      const fitting = branches.map((branch) => anyAdmits(branch, JSON.parse(value), read));
      return [value, fitting.includes(undefined) ? undefined : fitting.filter(Boolean).length === 1];
    });
    if (answers.every(([, answer]) => answer !== undefined)) {
      const values = new Set(answers.filter(([, answer]) => answer).map(([value]) => value));
      const [first] = shapes;
      if (first === undefined || values.size === 0) return [];
      const all = type === 'null' || (type === 'boolean' && values.size === 2);
      return [{ ...blank(first.pointer), name: first.name, values: all ? undefined : values }];
    }
  }
  return shapes.map((shape) => ({ ...shape, exclusive: [...shape.exclusive, branches] }));
}

/** Alternatives that each are only a list of values become one. */
function joinLists(shapes: readonly Shape[]): readonly Shape[] {
  const isList = (shape: Shape): boolean => isPlainList(shape) && shape.formats.size === 0;
  const lists = shapes.filter(isList);
  const [first] = lists;
  if (first === undefined || lists.length < 2) return distinct(shapes);
  const values = new Set(lists.flatMap((shape) => [...(shape.values ?? [])]));
  const both = values.has('true') && values.has('false');
  return distinct([...shapes.filter((shape) => !isList(shape)), { ...first, values: both ? undefined : values }]);
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
function intersect(a: Form, b: Form, view: View): Form {
  const read = inside(view);
  const form = new Map<JsonType, readonly Shape[]>();
  for (const [type, shapes] of a) {
    const both = shapes.flatMap((one) =>
      (b.get(type) ?? []).flatMap((other) => {
        if (isFree(one) && other.name === undefined && one.name === undefined) return [other];
        const shape = settled(meet(one, other), read);
        return shape === undefined ? [] : [shape];
      }),
    );
    if (both.length > 0) form.set(type, distinct(both));
  }
  return form;
}

/** Where a schema stands, behind a reference that is nothing more. */
function placeOfPart(part: Located): string {
  return (isRecord(part.value) && Object.keys(part.value).join() === '$ref' ? follow(part) : part).pointer;
}

/** Schemas that hold together, each once: where schemas contain each other the same ones come together again and again. */
export function eachOnce(conjunction: Conjunction): Conjunction {
  if (conjunction.length < 2) return conjunction;
  return [...new Map([...conjunction].reverse().map((part) => [placeOfPart(part), part])).values()].reverse();
}

/** Names schemas by where they stand, to see that a pair of them is being compared already. */
export function identityOf(conjunction: Conjunction): string {
  return conjunction.map(placeOfPart).sort().join('\n');
}
