import type { Sender } from '../change.ts';
import { follow, partAt, pointerOf, type Description, type Located } from '../description.ts';
import {
  arrayOf,
  atPointer,
  isRecord,
  objectOf,
  rememberingEach,
  stableJson,
  textOf,
  without,
} from '../../../common/json.ts';
import { ANNOTATIONS, inlined, ownForm } from './keywords.ts';
import {
  blank,
  distinct,
  isFree,
  isOpen,
  JSON_TYPES,
  meet,
  NOWHERE,
  type Branches,
  type Conjunction,
  type Form,
  type JsonType,
  type Shape,
} from './value-set.ts';
import { anyAdmits, areApart, exactlyOneAdmits, isPlainList, listed, settled } from './schema-values.ts';
import type { Reading, Ternary } from './schema-values.ts';

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

/** How the values inside of alternatives are read; for questions that need an exact verdict. */
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
const formsIn = rememberingEach<Description, (schema: object) => Map<string, Form>>(() =>
  rememberingEach(() => new Map()),
);

function formOfPart(part: Located, view: View): Form {
  const { description, value } = part;
  if (!isRecord(value)) return readPart(part, view);
  const known = formsIn(description)(value);
  const key = `${view.sender} ${view.ahead}`;
  const form = known.get(key) ?? readPart(part, view);
  known.set(key, form);
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
    arrayOf(schema[keyword]).map((_each, index) => partAt(part, keyword, index));
  let form = ownForm(part, schema, view.sender, inside(view));
  for (const each of branch('allOf')) form = intersect(form, formIn([each], deeper), view);
  if (schema.anyOf !== undefined) form = intersect(form, union(branch('anyOf'), view, 'any'), view);
  if (schema.oneOf !== undefined) {
    const told = isRecord(schema.discriminator) ? 'one, told apart' : 'one';
    form = intersect(form, union(branch('oneOf'), view, told), view);
  }
  if (schema.not !== undefined) form = excluding(form, partAt(part, 'not'), view);
  if (description.old && schema.nullable === true && schema.enum === undefined)
    form = new Map([...form, ['null', [blank(part)]]]);
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

/** Applies `unevaluatedProperties` or `unevaluatedItems` to what no other keyword covers. */
function withRest(
  form: Form,
  part: Located,
  type: JsonType,
  keyword: string,
  by: (shape: Shape, rest: Conjunction) => Shape,
): Form {
  const shapes = form.get(type);
  const rest = partAt(part, keyword);
  if (rest.value === undefined || shapes === undefined) return form;
  return new Map([...form, [type, shapes.map((shape) => by(shape, [rest]))]]);
}

/** A form with other alternatives for each type; a type that has none is left out. */
function mapForm(form: Form, by: (shapes: readonly Shape[], type: JsonType) => readonly Shape[]): Form {
  const mapped = [...form].map(([type, shapes]) => [type, by(shapes, type)] as const);
  return new Map(mapped.filter(([, shapes]) => shapes.length > 0));
}

/** Those of some values for which the verdict is true; undefined if there is one for which it is not known. */
function decided(values: Iterable<string>, verdictOn: (value: unknown) => Ternary): Set<string> | undefined {
  const verdicts = [...values].map((value) => [value, verdictOn(JSON.parse(value))] as const);
  if (verdicts.some(([, verdict]) => verdict === undefined)) return undefined;
  return new Set(verdicts.filter(([, verdict]) => verdict).map(([value]) => value));
}

/** What a form leaves where another schema must not fit. */
function excluding(form: Form, not: Located, view: View): Form {
  const excluded = formIn([not], { ...view, depth: view.depth + 1 });
  const read = inside(view);
  return mapForm(form, (shapes, type) => {
    const refused = excluded.get(type) ?? [];
    return shapes.flatMap((shape) => {
      if (refused.length === 0) return [shape];
      if (refused.some(isFree)) return [];
      const values = listed(shape, type);
      const gone = values && decided(values, (value) => anyAdmits(refused, value, read));
      if (gone?.size === 0) return [shape];
      if (values && gone) {
        const left = settled({ ...shape, values: new Set([...values].filter((value) => !gone.has(value))) }, read);
        return left === undefined ? [] : [left];
      }
      const demands = refused.every(isPlainList)
        ? refused.flatMap((each) => [...(each.values ?? [])])
        : [stableJson(inlined(not, not.value, []))];
      const others = shape.opaque.get('not') ?? [];
      return [{ ...shape, opaque: new Map([...shape.opaque, ['not', new Set([...others, ...demands])]]) }];
    });
  });
}

function named(form: Form, name: string | undefined): Form {
  return mapForm(form, (shapes) => shapes.map((shape) => ({ ...shape, name: shape.name ?? name })));
}

/**
 * The alternatives of several schemas together.
 *
 * @param fitting how many of them have to fit a value; those that a discriminator tells apart do not overlap in objects
 */
function union(branches: readonly Located[], view: View, fitting: 'any' | 'one' | 'one, told apart'): Form {
  const forms = branches.map((branch) => formIn([branch], { ...view, depth: view.depth + 1 }));
  return mapForm(everything(), (_all, type) => {
    const byBranch = forms.map((each) => each.get(type) ?? []).filter((shapes) => shapes.length > 0);
    const free = fitting === 'any' || (fitting === 'one, told apart' && type === 'object');
    return free || groupsApart(byBranch, view) ? joinLists(byBranch.flat()) : exactlyOne(byBranch, type, view);
  });
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
    const all = new Set(lists.flatMap((each) => [...each]));
    const values = decided(all, (value) => exactlyOneAdmits(branches, value, read));
    const [first] = shapes;
    if (first === undefined || values?.size === 0) return [];
    const isWhole = type === 'null' || (type === 'boolean' && values?.size === 2);
    if (values) return [{ ...blank(first.pointer), name: first.name, values: isWhole ? undefined : values }];
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
  return mapForm(a, (shapes, type) => {
    const both = shapes.flatMap((one) =>
      (b.get(type) ?? []).flatMap((other) => {
        if (isFree(one) && other.name === undefined && one.name === undefined) return [other];
        const shape = settled(meet(one, other), read);
        return shape === undefined ? [] : [shape];
      }),
    );
    return distinct(both);
  });
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
