/** Reads schemas: the alternatives that they leave for each type of JSON value, whatever they are composed of. */
import { arrayOf, isRecord, member, objectOf, stepsOf, textOf, without } from '../../../common/json.ts';
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
import { EVERYTHING, everything, intersect, mapForm, unionOf, withoutRefused } from './form-algebra.ts';
import { ANNOTATIONS, ownForm } from './keywords.ts';
import { withUnevaluated } from './unevaluated.ts';
import { meaningOf } from './written-meaning.ts';
import { blank, isOpen, type Conjunction, type Form } from './values/value-set.ts';
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

function viewOf(sender: Sender, ahead: number): View {
  return { sender, ahead, around: [], by: 'itself', again: new Set() };
}

/**
 * The form of schemas that hold together, in a message of this sender.
 *
 * @throws TooMuchWork for a schema with too many alternatives
 */
export function formOf(conjunction: Conjunction, sender: Sender): Form {
  return formIn(conjunction, viewOf(sender, AHEAD));
}

/** How the values inside of alternatives are read; for questions that need an exact verdict. */
export function reading(sender: Sender): Reading {
  return readingInside(viewOf(sender, AHEAD));
}

function readingInside({ sender, ahead }: View): Reading {
  if (ahead === 0) return () => undefined;
  return (conjunction) => {
    const forms = formsOfAll(conjunction);
    const key = `${sender} ${ahead}`;
    const form = forms.get(key) ?? formIn(conjunction, viewOf(sender, ahead - 1));
    forms.set(key, form);
    return form;
  };
}

/** What was read of schemas that hold together: pairs of alternatives ask for the same members again and again. */
const formsOfAll = rememberingEach<Conjunction, Map<string, Form>>(() => new Map());

function formIn(conjunction: Conjunction, view: View): Form {
  const [only, ...more] = conjunction;
  if (only === undefined) return EVERYTHING;
  const read = readingInside(view);
  return more.reduce<Form>((form, part) => intersect(form, formOfPart(part, view), read), formOfPart(only, view));
}

/** Forms that were read before, by document and place in it. */
const formsIn = rememberingEach<Description, (schema: object) => Map<string, Form>>(() =>
  rememberingEach(() => new Map()),
);

/** Schemas that are part of each other, beyond which they are not compared. */
const DEEPEST = 1_000;

function formOfPart(part: Located, view: View): Form {
  const { description, value } = part;
  if (!isRecord(value)) return value === false ? new Map() : everything(part);
  const outer = view.around.findIndex(({ schema }) => schema === value);
  if (outer >= 0) {
    view.again.add(value);
    const steps = [...view.around.slice(outer + 1).map(({ by }) => by), view.by];
    return steps.includes('alternative') && !steps.includes('together') ? new Map() : EVERYTHING;
  }
  const forms = formsIn(description)(value);
  const key = `${view.sender} ${view.ahead}`;
  const known = forms.get(key);
  if (known !== undefined) return known;
  if (view.around.length > DEEPEST) throw new TooMuchWork();
  description.work.spend();
  const around = [...view.around, { schema: value, by: view.by }];
  const form = formOfObject(part, { ...view, around, by: 'itself' });
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

function formOfObject(part: Located, view: View): Form {
  const { description } = part;
  const schema = objectOf(part.value);
  const reference = textOf(schema.$ref);
  const target = reference === undefined ? undefined : targetOf(reference, description);
  if (target === undefined) return composedForm(part, view);
  const form = named(formIn([target], view), nameOf(target.pointer));
  // Beside a reference, OpenAPI 3.0 reads nothing.
  if (description.old) return form;
  const beside = without(schema, '$ref');
  const others = Object.keys(beside).some((key) => !ANNOTATIONS.has(key));
  return others ? intersect(form, composedForm({ ...part, value: beside }, view), readingInside(view)) : form;
}

/** What a schema says by its own keywords and by those of which it is composed. */
function composedForm(part: Located, view: View): Form {
  const schema = objectOf(part.value);
  const read = readingInside(view);
  const shapesOf = (parts: Conjunction): Form => formIn(parts, view);
  const own = ownForm(part, view.sender, read, (demand, type) => meaningOf(part, demand, type, shapesOf));
  const branches = (keyword: string, by: Step): readonly Form[] =>
    arrayOf(schema[keyword]).map((_each, index) => formIn([asNull(partAt(part, keyword, index))], { ...view, by }));
  const told = isRecord(schema.discriminator) ? 'one, told apart' : 'one';
  const composed = [
    ...branches('allOf', 'together'),
    ...(schema.anyOf === undefined ? [] : [unionOf(branches('anyOf', 'alternative'), 'any', part.pointer, read)]),
    ...(schema.oneOf === undefined ? [] : [unionOf(branches('oneOf', 'alternative'), told, part.pointer, read)]),
  ].reduce((form, each) => intersect(form, each, read), own);
  const allowed = schema.not === undefined ? composed : withoutRefused(composed);
  return withUnevaluated(withNull(allowed, part), part, read);
}

/** In OpenAPI 3.0, a schema with `nullable` allows null beside all else. */
function withNull(form: Form, part: Located): Form {
  const isNullable = part.description.old && member(part.value, 'nullable') === true;
  return isNullable && member(part.value, 'enum') === undefined ? new Map([...form, ['null', [blank(part)]]]) : form;
}

/** An alternative `{ nullable: true }` of OpenAPI 3.0 allows everything, by the letter; authors write it so for null. */
function asNull(alternative: Located): Located {
  const { value, description } = alternative;
  if (!description.old || member(value, 'nullable') !== true) return alternative;
  const isBare = Object.keys(objectOf(value)).every((key) => ANNOTATIONS.has(key));
  return isBare ? { ...alternative, value: NULL } : alternative;
}

const NULL = { enum: [null] };

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
