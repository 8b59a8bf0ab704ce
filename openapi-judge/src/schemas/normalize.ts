import { arrayOf, isRecord, member, objectOf, stableJson, stepsOf, textOf, without } from '../../../common/json.ts';
import type { Sender } from '../change.ts';
import {
  follow,
  partAt,
  targetOf,
  TooMuchWork,
  type Description,
  type Located,
  rememberingEach,
} from '../documents/description.ts';
import { ANNOTATIONS, inlined, ownForm } from './keywords.ts';
import {
  blank,
  demanding,
  distinct,
  isFree,
  isOpen,
  JSON_TYPES,
  meet,
  notDemanding,
  NOWHERE,
  OVERLAP,
  type Conjunction,
  type Form,
  type JsonType,
  type Meaning,
  type Shape,
} from './values/value-set.ts';
import { areApart, settled } from './values/schema-values.ts';
import type { Reading } from './values/schema-values.ts';

/** How a schema is read: for whom, how deep inside of others, and how far ahead to look for what keeps alternatives apart. */
interface View {
  readonly sender: Sender;
  readonly ahead: number;
  /** The schemas that this one is part of, and how. One that is part of itself adds nothing there. */
  readonly around: readonly { readonly schema: object; readonly by: Step }[];
  readonly by: Step;
  /** Those of them that were met again in what was read. */
  readonly again: Set<object>;
}

type Step = 'itself' | 'together' | 'alternative';

/** Two steps: an alternative, and the member of it that tells it from the others. */
const AHEAD = 2;

/**
 * The form of schemas that hold together, in a message of this sender.
 *
 * @throws TooMuchWork for a schema with too many alternatives
 */
export function formOf(conjunction: Conjunction, sender: Sender): Form {
  return formIn(conjunction, { sender, ahead: AHEAD, around: [], by: 'itself', again: new Set() });
}

/** How the values inside of alternatives are read; for questions that need an exact verdict. */
export function reading(sender: Sender): Reading {
  return inside({ sender, ahead: AHEAD, around: [], by: 'itself', again: new Set() });
}

function inside(view: View): Reading {
  if (view.ahead === 0) return () => undefined;
  return (conjunction) =>
    formIn(conjunction, { ...view, ahead: view.ahead - 1, around: [], by: 'itself', again: new Set() });
}

function formIn(conjunction: Conjunction, view: View): Form {
  const [only, ...more] = conjunction;
  if (only === undefined) return everything();
  return more.reduce<Form>((form, part) => intersect(form, formOfPart(part, view), view), formOfPart(only, view));
}

/** Forms that were read before, by document and place in it. */
const formsIn = rememberingEach<Description, (schema: object) => Map<string, Form>>(() =>
  rememberingEach(() => new Map()),
);

/** Schemas that are part of each other, beyond which they are not compared. */
const DEEPEST = 1_000;

function formOfPart(part: Located, view: View): Form {
  const { description, value } = part;
  if (!isRecord(value)) return readPart(part, view);
  const outer = view.around.findIndex(({ schema }) => schema === value);
  if (outer >= 0) {
    view.again.add(value);
    const steps = [...view.around.slice(outer + 1).map(({ by }) => by), view.by];
    return steps.includes('alternative') && !steps.includes('together') ? new Map() : everything();
  }
  const forms = formsIn(description)(value);
  const key = `${view.sender} ${view.ahead}`;
  const known = forms.get(key);
  if (known !== undefined) return known;
  if (view.around.length > DEEPEST) throw new TooMuchWork();
  description.work.spend();
  const around = [...view.around, { schema: value, by: view.by }];
  const form = readPart(part, { ...view, around, by: 'itself' });
  view.again.delete(value);
  // What was read within a schema that was met again is only a part of what it says elsewhere.
  if (view.again.size === 0) forms.set(key, form);
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
  const reference = textOf(schema.$ref);
  const target = reference === undefined ? undefined : targetOf(reference, description);
  if (target !== undefined) {
    const form = named(formIn([target], view), nameOf(target.pointer));
    // Beside a reference, OpenAPI 3.0 reads nothing.
    if (description.old) return form;
    const beside = without(schema, '$ref');
    const others = Object.keys(beside).some((key) => !ANNOTATIONS.has(key));
    return others ? intersect(form, readPart({ ...part, value: beside }, view), view) : form;
  }

  const branch = (keyword: string): Located[] =>
    arrayOf(schema[keyword]).map((_each, index) => asNull(partAt(part, keyword, index)));
  let form = ownForm(part, schema, view.sender, inside(view), (keyword, value, type) =>
    meaningOf(part, keyword, value, type, view),
  );
  for (const each of branch('allOf')) form = intersect(form, formIn([each], { ...view, by: 'together' }), view);
  if (schema.anyOf !== undefined) form = intersect(form, union(branch('anyOf'), view, 'any'), view);
  if (schema.oneOf !== undefined) {
    const told = isRecord(schema.discriminator) ? 'one, told apart' : 'one';
    form = intersect(form, union(branch('oneOf'), view, told), view);
  }
  form = withoutRefused(form, part, view);
  if (description.old && schema.nullable === true && schema.enum === undefined)
    form = new Map([...form, ['null', [blank(part)]]]);
  form = withRest(form, part, view, 'object', 'unevaluatedProperties', (shape, rest) => ({
    ...shape,
    additional: shape.additional ?? rest,
  }));
  return withRest(form, part, view, 'array', 'unevaluatedItems', (shape, rest) => ({
    ...shape,
    items: shape.items.length === 0 ? rest : shape.items,
  }));
}

/** An alternative `{ nullable: true }` of OpenAPI 3.0 allows everything, by the letter; authors write it so for null. */
function asNull(alternative: Located): Located {
  const { value, description } = alternative;
  if (!description.old || member(value, 'nullable') !== true) return alternative;
  const isBare = Object.keys(objectOf(value)).every((key) => ANNOTATIONS.has(key));
  return isBare ? { ...alternative, value: NULL } : alternative;
}

const NULL = { enum: [null] };

/** Keywords by which more members or elements may be evaluated than an alternative names. */
const EVALUATING = ['if', 'dependentSchemas', 'dependencies', 'contains'];

/** Applies `unevaluatedProperties` or `unevaluatedItems` to what no other keyword covers; as it is written where that depends on the value. */
function withRest(
  form: Form,
  part: Located,
  view: View,
  type: JsonType,
  keyword: string,
  by: (shape: Shape, rest: Conjunction) => Shape,
): Form {
  const shapes = form.get(type);
  const rest = partAt(part, keyword);
  if (rest.value === undefined || shapes === undefined || isOpen(rest)) return form;
  const read = inside(view);
  const evaluated = ({ properties, leading }: Shape): string =>
    stableJson([[...properties.keys()].sort(), leading.length]);
  const depends = (shape: Shape): boolean =>
    EVALUATING.some((each) => shape.asWritten.has(each)) ||
    (!shape.asWritten.has(OVERLAP) &&
      shapes.some((other) => evaluated(other) !== evaluated(shape) && !areApart(shape, other, read)));
  const written = shapes.some(depends) ? stableJson(inlined(part, part.value, [])) : '';
  const closed = shapes.map((shape) => (depends(shape) ? demanding(shape, keyword, written) : by(shape, [rest])));
  return new Map([...form, [type, closed]]);
}

/** A form with other alternatives for each type; a type that has none is left out. */
function mapForm(form: Form, by: (shapes: readonly Shape[], type: JsonType) => readonly Shape[]): Form {
  const mapped = [...form].map(([type, shapes]) => [type, by(shapes, type)] as const);
  return new Map(mapped.filter(([, shapes]) => shapes.length > 0));
}

/** What a keyword demands that is compared as it stands, for one type; undefined if that is not computed. */
function meaningOf(part: Located, keyword: string, value: unknown, type: JsonType, view: View): Meaning | undefined {
  const at = (schema: unknown, step: string): Located => ({
    ...part,
    pointer: `${part.pointer}#${step}`,
    value: schema,
  });
  const shapes = (...schemas: readonly Located[]): readonly Shape[] => formIn(schemas, view).get(type) ?? [];
  const [name, depending] = arrayOf(value);
  const { if: condition, then, else: otherwise, contains, minContains, maxContains } = objectOf(value);
  switch (keyword) {
    case 'not':
      return { noneOf: shapes(at(value, 'not')) };
    case 'if':
      return {
        anyOf: [
          ...shapes(at(condition, 'if'), at(then, 'then')),
          ...shapes(at({ not: condition }, 'not-if'), at(otherwise, 'else')),
        ],
      };
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies': {
      const schema = Array.isArray(depending) ? { required: depending } : depending;
      const here = `${keyword}-${String(name)}`;
      return {
        anyOf: [
          ...shapes(at({ properties: { [String(name)]: false } }, `${here}-absent`)),
          ...shapes(at({ required: [name] }, `${here}-present`), at(schema, here)),
        ],
      };
    }
    case 'propertyNames':
      return { names: [partAt(part, 'propertyNames')] };
    case 'contains': {
      if (contains === undefined) return undefined;
      return {
        contained: [partAt(part, 'contains')],
        least: Number(minContains),
        most: Number(maxContains ?? Infinity),
      };
    }
    default:
      return undefined;
  }
}

/** What a form leaves of the values that `not` refuses, where that can be said without it. */
function withoutRefused(form: Form, { value: schema }: Located, view: View): Form {
  if (!isRecord(schema) || schema.not === undefined) return form;
  const read = inside(view);
  return mapForm(form, (shapes) =>
    shapes.flatMap((shape) => {
      const texts = shape.asWritten.get('not') ?? new Set();
      const refused = [...texts].flatMap((text) => {
        const meaning = shape.meanings.get(text);
        return meaning !== undefined && 'noneOf' in meaning ? meaning.noneOf : [];
      });
      if (refused.some(isFree)) return [];
      const plain = notDemanding(shape, 'not');
      if (refused.length === 0 || refused.every((each) => areApart(plain, each, read))) return [plain];
      return [shape];
    }),
  );
}

/** What a schema is called that stands at a place: as its component, or as its file. */
function nameOf(pointer: string): string | undefined {
  return stepsOf(pointer)
    .at(-1)
    ?.replace(/^.*\//, '')
    .replace(/\.\w+$/, '');
}

function named(form: Form, name: string | undefined): Form {
  // Several alternatives of one component are told apart by what they are, not by its name.
  return mapForm(form, (shapes) =>
    shapes.length > 1 ? shapes : shapes.map((shape) => ({ ...shape, name: shape.name ?? name })),
  );
}

/**
 * The alternatives of several schemas together.
 *
 * @param fitting how many of them have to fit a value; those that a discriminator tells apart do not overlap in objects
 */
function union(branches: readonly Located[], view: View, fitting: 'any' | 'one' | 'one, told apart'): Form {
  const forms = branches.map((branch) => formIn([branch], { ...view, by: 'alternative' }));
  return mapForm(everything(), (_all, type) => {
    const byBranch = forms.map((each) => each.get(type) ?? []).filter((shapes) => shapes.length > 0);
    const free = fitting === 'any' || (fitting === 'one, told apart' && type === 'object');
    if (free || groupsApart(byBranch, view)) return distinct(byBranch.flat());
    // Of open objects that overlap nobody means that one that fits both is refused; that they are to be exclusive counts.
    if (type === 'object' || type === 'array')
      return byBranch.flatMap((shapes, index) => shapes.map((shape) => demanding(shape, OVERLAP, String(index))));
    return exactlyOne(byBranch, type, view);
  });
}

type Branches = readonly (readonly Shape[])[];

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
  const read = inside(view);
  return branches.flatMap((own, index) => {
    const others = branches.filter((_each, other) => other !== index).flat();
    return own.flatMap((shape) => {
      const rivals = others.filter((other) => !areApart(shape, other, read));
      if (rivals.length === 0) return [shape];
      if (rivals.some(isFree)) return [];
      const textOfEach = ({ pointer }: Shape): string => stableJson(inlined(pointer, pointer.value, []));
      const text = stableJson({ one: textOfEach(shape), not: rivals.map(textOfEach).sort() });
      return settled(demanding(shape, 'oneOf', text, { noneOf: rivals }), read) ?? [];
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

/** Alternatives of two lists together, beyond which they are not compared. */
const MOST_PRODUCTS = 250;

/** What both forms allow. */
function intersect(a: Form, b: Form, view: View): Form {
  const read = inside(view);
  return mapForm(a, (shapes, type) => {
    if (
      Math.min(shapes.length, b.get(type)?.length ?? 0) > 1 &&
      shapes.length * (b.get(type)?.length ?? 0) > MOST_PRODUCTS
    )
      throw new TooMuchWork();
    const both = shapes.flatMap((one) =>
      (b.get(type) ?? []).flatMap((other) => {
        if (isFree(one) && other.name === undefined && one.name === undefined) return [other];
        one.pointer.description.work.spend();
        const shape = settled(meet(one, other), read);
        return shape === undefined ? [] : [shape];
      }),
    );
    return distinct(both);
  });
}

/** Where a schema stands, behind a reference that is nothing more. */
function placeOfPart(part: Located): string {
  const { value } = part;
  const isReference = isRecord(value) && typeof value.$ref === 'string' && Object.keys(value).length === 1;
  return (isReference ? follow(part) : part).pointer;
}

/** Schemas that hold together, each once: where schemas contain each other the same ones come together again and again. */
export function eachOnce(conjunction: Conjunction): Conjunction {
  if (conjunction.length < 2) return conjunction;
  return [...new Map([...conjunction].reverse().map((part) => [placeOfPart(part), part])).values()].reverse();
}

/** Names schemas by where they stand, to see that a pair of them is being compared already. */
export function identityOf(conjunction: Conjunction): string {
  const [only] = conjunction;
  return only !== undefined && conjunction.length === 1
    ? placeOfPart(only)
    : conjunction.map(placeOfPart).sort().join('\n');
}
