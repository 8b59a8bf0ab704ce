/** What several forms allow together, or one of them, and what `not` leaves. */
import { stableJson } from '../../../common/json.ts';
import { TooMuchWork, type Located } from '../documents/description.ts';
import { inlined } from './keywords.ts';
import { areApart, settled, type Reading } from './values/schema-values.ts';
import {
  blank,
  demanding,
  distinct,
  isFree,
  JSON_TYPES,
  meet,
  NOWHERE,
  OVERLAP,
  type Form,
  type JsonType,
  type Meaning,
  type Shape,
} from './values/value-set.ts';

/** The form that allows every value; `part` is where that is said. */
export function everything(part: Located): Form {
  return new Map(JSON_TYPES.map((type) => [type, [blank(part)]]));
}

/** The same where nothing is said. */
export const EVERYTHING = everything(NOWHERE);

/** A form with other alternatives for each type; a type that has none is left out. */
export function mapForm(form: Form, by: (shapes: readonly Shape[], type: JsonType) => readonly Shape[]): Form {
  const mapped = [...form].map(([type, shapes]) => [type, by(shapes, type)] as const);
  return new Map(mapped.filter(([, shapes]) => shapes.length > 0));
}

/** Alternatives of two lists together, beyond which they are not compared. */
const MOST_PRODUCTS = 250;

/** Alternatives for one type, beyond which they are not compared. */
const MOST_ALTERNATIVES = 2_000;

/** What both forms allow. */
export function intersect(a: Form, b: Form, read: Reading): Form {
  return mapForm(a, (shapes, type) => {
    const others = b.get(type) ?? [];
    if (Math.min(shapes.length, others.length) > 1 && shapes.length * others.length > MOST_PRODUCTS)
      throw new TooMuchWork();
    return distinct(shapes.flatMap((one) => others.flatMap((other) => bothOf(one, other, read))));
  });
}

function bothOf(one: Shape, other: Shape, read: Reading): readonly Shape[] {
  if (isFree(one) && other.name === undefined && one.name === undefined) return [other];
  one.pointer.description.work.spend(1 + Math.ceil((one.properties.size + other.properties.size) / 4));
  const shape = settled(meet(one, other), read);
  return shape === undefined ? [] : [shape];
}

/** How many of some alternatives have to fit a value; those that a discriminator tells apart do not overlap in objects. */
type Fitting = 'any' | 'one' | 'one, told apart';

/**
 * The alternatives of several forms together.
 *
 * @param place where they stand
 */
export function unionOf(forms: readonly Form[], fitting: Fitting, place: string, read: Reading): Form {
  return mapForm(EVERYTHING, (_all, type) => {
    const branches = forms.map((each) => each.get(type) ?? []).filter((shapes) => shapes.length > 0);
    if (branches.reduce((sum, { length }) => sum + length, 0) > MOST_ALTERNATIVES) throw new TooMuchWork();
    const areFree = fitting === 'any' || (fitting === 'one, told apart' && type === 'object');
    if (areFree || branches.length < 2) return distinct(branches.flat());
    // Of open objects that overlap nobody means that one that fits both is refused; that they are to be exclusive counts.
    if (type === 'object' || type === 'array') {
      const exclusion = exclusionOf(branches, read);
      return branches.flatMap((shapes, index) =>
        shapes.map((shape) => demanding(shape, OVERLAP, `${index} ${place}`, exclusion)),
      );
    }
    return branches.flatMap((own, index) => {
      const others = branches.filter((_each, other) => other !== index).flat();
      return own.flatMap((shape) => exclusively(shape, others, read));
    });
  });
}

/** That exactly one of some branches may fit. To find out whether several can takes long, and often nobody asks. */
function exclusionOf(branches: readonly (readonly Shape[])[], read: Reading): Meaning {
  let known: boolean | undefined;
  return { areApart: () => (known ??= areGroupsApart(branches, read)) };
}

function areGroupsApart(groups: readonly (readonly Shape[])[], read: Reading): boolean {
  return groups.every((shapes, index) => {
    const others = groups.slice(index + 1).flat();
    return shapes.every((shape) => others.every((other) => areApart(shape, other, read)));
  });
}

/** An alternative of branches of which exactly one may fit, without the values that fit another one. */
function exclusively(shape: Shape, others: readonly Shape[], read: Reading): readonly Shape[] {
  const rivals = others.filter((other) => !areApart(shape, other, read));
  if (rivals.length === 0) return [shape];
  if (rivals.some(isFree)) return [];
  const textOfEach = ({ pointer }: Shape): string => stableJson(inlined(pointer, pointer.value, []));
  const text = stableJson({ one: textOfEach(shape), not: rivals.map(textOfEach).sort() });
  const left = settled(demanding(shape, 'oneOf', text, { noneOf: rivals }), read);
  return left === undefined ? [] : [left];
}

/** A form without the alternatives of which `not` refuses every value. */
export function withoutRefused(form: Form): Form {
  return mapForm(form, (shapes) => shapes.filter((shape) => !isRefused(shape)));
}

function isRefused({ asWritten, meanings }: Shape): boolean {
  return [...(asWritten.get('not') ?? [])].some((text) => {
    const meaning = meanings.get(text);
    return meaning !== undefined && 'noneOf' in meaning && meaning.noneOf.some(isFree);
  });
}
