/** Proofs that every value of one schema fits another. What cannot be proven counts as not so. */
import type { Sender } from '../change.ts';
import { TooMuchWork, type Work } from '../documents/description.ts';
import { areUnchanged } from '../unchanged.ts';
import { formOf, identityOf, reading } from './forms.ts';
import { meaningsOf, usable } from './meanings.ts';
import { areNumbersCovered } from './number-proofs.ts';
import { areTextsOf } from './text-proofs.ts';
import { isPatternWithin } from './values/patterns.ts';
import { admits, areApart, anyAdmits, listed, settled, type Reading } from './values/schema-values.ts';
import {
  areRivals,
  isFree,
  isOpen,
  meet,
  memberSchema,
  notDemanding,
  OVERLAP,
  overlaps,
  withoutOverlap,
  type Conjunction,
  type Form,
  type JsonType,
  type Meaning,
  type Shape,
} from './values/value-set.ts';

type Container = 'array' | 'object';

/** What a value has to be contained in, of which kind it is, and how many elements or members it may have. */
interface Contained {
  readonly type: Container;
  readonly most: number;
}

/**
 * A proof that every value of one schema fits another.
 *
 * @param knowing whether each member of a value must have a meaning in the other schema, too, where it has one
 */
export class Inclusion {
  private readonly read: (conjunction: Conjunction) => Form;
  private readonly values: Reading;
  /** What was found of pairs of schemas. */
  private readonly known = new Map<string, boolean>();
  /** The pairs of them that hold if those do that are still open: what rests on a pair that fails is forgotten with it. */
  private readonly resting: string[] = [];

  private readonly knowing: boolean;

  constructor(sender: Sender, knowing = false) {
    this.knowing = knowing;
    this.values = reading(sender);
    this.read = (conjunction) => formOf(conjunction, sender);
  }

  /** Whether it is proven that every value of one schema fits another. */
  isWithin(inner: Conjunction, outer: Conjunction): boolean {
    return this.unlessTooMuch(() => this.within(inner, outer));
  }

  /** Whether it is proven that every value of some alternatives fits one of others. */
  isCovered(inner: readonly Shape[], outer: readonly Shape[], type: JsonType): boolean {
    return this.unlessTooMuch(() => this.covered(inner, outer, type));
  }

  /**
   * Whether it is proven that a `oneOf` refuses every value of an alternative, since it fits two branches. If it is
   * one of the branches itself, nobody means that; nor of values that fit two branches in both documents.
   *
   * @throws TooMuchWork
   */
  isRefused(inner: Shape, outer: readonly Shape[], type: JsonType): boolean {
    if ((type !== 'object' && type !== 'array') || overlaps(inner)) return false;
    const fitting = outer.filter(overlaps).filter((shape) => this.fitsIn(inner, withoutOverlap(shape), type));
    const areSeveral = fitting.some((one) => fitting.some((other) => areRivals(one, other)));
    return areSeveral && !fitting.some((shape) => this.fitsIn(withoutOverlap(shape), inner, type));
  }

  private unlessTooMuch(prove: () => boolean): boolean {
    try {
      return prove();
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      this.known.clear();
      return false;
    }
  }

  private within(inner: Conjunction, outer: Conjunction): boolean {
    if ((outer.every(isOpen) && !this.knowing) || areUnchanged(inner, outer)) return true;
    const sideOf = (schema: Conjunction): string => schema[0]?.description.side ?? '';
    const key = `${sideOf(inner)} ${identityOf(inner)}\n⊆\n${sideOf(outer)} ${identityOf(outer)}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const before = this.resting.push(key) - 1;
    // Values are finite, so that what a pair of schemas rests on may be the pair itself, further inside.
    this.known.set(key, true);
    const [one, other] = [this.read(inner), this.read(outer)];
    const holds = [...one].every(([type, shapes]) => this.covered(shapes, other.get(type) ?? [], type));
    if (!holds) {
      for (const each of this.resting.splice(before)) this.known.delete(each);
      this.known.set(key, false);
    }
    return holds;
  }

  private covered(inner: readonly Shape[], outer: readonly Shape[], type: JsonType): boolean {
    const cover = outer.map(withoutOverlap);
    return inner.every((shape) => {
      workOf(shape).spend(1 + Math.ceil(outer.length / 10));
      const own = withoutCatchAll(shape, outer) ?? cover;
      return this.coveredOne(withoutOverlap(shape), own, type) && !this.isRefused(shape, outer, type);
    });
  }

  private coveredOne(inner: Shape, outer: readonly Shape[], type: JsonType, isPiece = false): boolean {
    workOf(inner).spend(1 + Math.ceil(outer.length / 10));
    const excluded = meaningsOf(inner).flatMap(([, meaning]) => ('noneOf' in meaning ? meaning.noneOf : []));
    const cover = [...outer, ...excluded].flatMap((shape) => usable(shape, inner));
    const values = listed(inner, type);
    if (values !== undefined) return this.areListedCovered(inner, values, cover);
    if (type === 'number') return areNumbersCovered(inner, cover, this.values);
    if (type === 'string') return areTextsOf(inner, cover);
    if (type !== 'array' && type !== 'object') return cover.length > 0;
    if (cover.some((shape) => this.fitsIn(inner, shape, type))) return true;
    if (isPiece || cover.length === 0) return false;
    // What one keyword leaves open is looked at piece by piece.
    return meaningsOf(inner).some(([keyword, meaning]) => {
      if (!('anyOf' in meaning)) return false;
      const rest = notDemanding(inner, keyword);
      const pieces = meaning.anyOf.flatMap((each) => settled(meet(rest, each), this.values) ?? []);
      return pieces.every((piece) => this.coveredOne(piece, outer, type, true));
    });
  }

  private areListedCovered(inner: Shape, values: ReadonlySet<string>, cover: readonly Shape[]): boolean {
    const bare = { ...inner, formats: new Set<string>() };
    return [...values].every((text) => {
      workOf(inner).spend(1 + Math.ceil(cover.length / 10));
      const value: unknown = JSON.parse(text);
      return anyAdmits(cover, value, this.values) === true || admits(bare, value, this.values) === false;
    });
  }

  /** Whether it is proven that every value of an alternative fits another one. */
  private fitsIn(inner: Shape, outer: Shape, type: Container): boolean {
    workOf(inner).spend(1 + Math.ceil(inner.properties.size / 10));
    const [least, most] = sizesOf(inner, type, (schema) => this.isEmpty(schema));
    if (least < outer.least || most > outer.most || outer.values !== undefined) return false;
    if (outer.unique && !inner.unique && most > 1) return false;
    const fits = type === 'array' ? this.elementsFit(inner, outer, most) : this.membersFit(inner, outer);
    return fits && meaningsOf(outer).every(([, meaning]) => this.meets(inner, meaning, { most, type }));
  }

  private knows(outer: Shape, inner: Shape): boolean {
    return [...inner.properties.keys(), ...inner.required].every(
      (name) => outer.properties.has(name) || outer.required.has(name) || this.isEmpty(memberSchema(inner, name)),
    );
  }

  private isEmpty(schema: Conjunction): boolean {
    return this.read(schema).size === 0;
  }

  private meets(inner: Shape, meaning: Meaning, { most, type }: Contained): boolean {
    if ('areApart' in meaning) return meaning.areApart();
    if ('anyOf' in meaning) return this.coveredOne(inner, meaning.anyOf, type);
    if ('noneOf' in meaning) return meaning.noneOf.every((shape) => this.isOutside(inner, shape, type));
    if ('names' in meaning)
      return meaningsOf(inner).some(([, own]) => 'names' in own && this.within(own.names, meaning.names));
    return this.hasContained(inner, meaning, most);
  }

  private isOutside(inner: Shape, shape: Shape, type: Container): boolean {
    if (areApart(inner, shape, this.values)) return true;
    const both = settled(meet(inner, shape), this.values);
    return both === undefined || this.coveredOne(both, [], type);
  }

  private hasContained(inner: Shape, meaning: Extract<Meaning, { contained: Conjunction }>, most: number): boolean {
    const { contained, least, most: greatest } = meaning;
    const own = meaningsOf(inner).flatMap(([, each]) => ('contained' in each ? [each] : []));
    const isEnough =
      least === 0 ||
      own.some((each) => each.least >= least && this.within(each.contained, contained)) ||
      (inner.least >= least && this.elementsWithin(inner, contained, least));
    if (!isEnough) return false;
    return most <= greatest || own.some((each) => each.most <= greatest && this.within(contained, each.contained));
  }

  private elementsWithin(inner: Shape, schema: Conjunction, many: number): boolean {
    return elementsOf(inner, Math.min(many, inner.leading.length + 1)).every((element) => this.within(element, schema));
  }

  private elementsFit(inner: Shape, outer: Shape, most: number): boolean {
    const places = Math.min(Math.max(inner.leading.length, outer.leading.length) + 1, most);
    const others = elementsOf(outer, places);
    return elementsOf(inner, places).every((element, index) => this.within(element, others[index] ?? []));
  }

  private membersFit(inner: Shape, outer: Shape): boolean {
    if (![...outer.required].every((name) => inner.required.has(name))) return false;
    if (this.knowing && !this.knows(outer, inner)) return false;
    const names = new Set([...inner.properties.keys(), ...inner.required, ...outer.properties.keys()]);
    const areNamed = [...names].every(
      (name) => inner.unsent.has(name) || this.within(memberSchema(inner, name), memberSchema(outer, name)),
    );
    return areNamed && this.otherMembersFit(inner, outer);
  }

  /** Whether members that are named by patterns, or not at all, fit. */
  private otherMembersFit(inner: Shape, outer: Shape): boolean {
    const work = workOf(inner);
    const holds = (within: string, around: string): boolean => isPatternWithin(within, around, work);
    const [own, others] = [[...inner.byPattern], [...outer.byPattern]];
    const rest = inner.additional ?? [];
    const arePatternsMet = others.every(([pattern, schema]) => {
      const whole = own.find(([each]) => holds(pattern, each));
      if (whole !== undefined) return this.within(whole[1], schema);
      return [...own.map(([, mine]) => mine), rest].every((mine) => this.within(mine, schema));
    });
    if (!arePatternsMet || !this.within(rest, outer.additional ?? [])) return false;
    return own.every(
      ([pattern, mine]) => others.some(([each]) => holds(pattern, each)) || this.within(mine, outer.additional ?? []),
    );
  }
}

function workOf({ pointer }: Shape): Work {
  return pointer.description.work;
}

/**
 * Those of some alternatives of a `oneOf` that an object is taken for, where one of them is open and empty: it is meant for what none
 * of the others is. Undefined if it may be taken for that one.
 */
function withoutCatchAll(inner: Shape, outer: readonly Shape[]): readonly Shape[] | undefined {
  const rest = outer.filter((shape) => !shape.asWritten.has(OVERLAP) || !isFree(withoutOverlap(shape)));
  if (rest.length === outer.length || inner.properties.size === 0) return undefined;
  const isKin = (shape: Shape): boolean =>
    (shape.name !== undefined && shape.name === inner.name) ||
    [...inner.properties.keys()].every((name) => shape.properties.has(name));
  return rest.some(isKin) ? rest.map(withoutOverlap) : undefined;
}

/** What each of the first elements has to be. */
function elementsOf({ leading, items }: Shape, many: number): readonly Conjunction[] {
  return Array.from({ length: many }, (_each, index) => leading[index] ?? items);
}

/** How many elements or members values have. */
function sizesOf(
  shape: Shape,
  type: Container,
  isEmpty: (schema: Conjunction) => boolean,
): readonly [least: number, most: number] {
  if (type === 'array') {
    const first = [...shape.leading, shape.items].findIndex(isEmpty);
    return [shape.least, Math.min(shape.most, first < 0 ? Infinity : first)];
  }
  const isClosed = shape.byPattern.size === 0 && shape.additional !== undefined && isEmpty(shape.additional);
  const most = isClosed ? [...shape.properties.values()].filter((schema) => !isEmpty(schema)).length : Infinity;
  return [Math.max(shape.least, shape.required.size), Math.min(shape.most, most)];
}
