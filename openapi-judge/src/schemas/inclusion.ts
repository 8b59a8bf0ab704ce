import type { Sender } from '../change.ts';
import { TooMuchWork } from '../documents/description.ts';
import { areUnchanged } from '../unchanged.ts';
import { fitsFormat, formatsHeld, withBoundsOfFormats } from './values/formats.ts';
import { formOf, identityOf, reading } from './normalize.ts';
import { textsCovered } from './values/patterns.ts';
import {
  admits,
  areApart,
  anyAdmits,
  isMultiple,
  listed,
  settled,
  some,
  type Reading,
} from './values/schema-values.ts';
import {
  isOpen,
  meet,
  memberSchema,
  notDemanding,
  OVERLAP,
  type Conjunction,
  type Form,
  type JsonType,
  type Meaning,
  type Shape,
} from './values/value-set.ts';

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
    const cover = outer.map((shape) => notDemanding(shape, OVERLAP));
    return inner.every(
      (shape) =>
        this.coveredOne(notDemanding(shape, OVERLAP), cover, type, SPLITS) && !this.isRefused(shape, outer, type),
    );
  }

  /**
   * Whether it is proven that a `oneOf` refuses every value of an alternative, since it fits two branches. If it is
   * one of the branches itself, nobody means that; nor of values that fit two branches in both documents.
   */
  isRefused(inner: Shape, outer: readonly Shape[], type: JsonType): boolean {
    if ((type !== 'object' && type !== 'array') || inner.asWritten.has(OVERLAP)) return false;
    const fitting = outer
      .filter((shape) => shape.asWritten.has(OVERLAP))
      .filter((shape) => this.fitsIn(inner, notDemanding(shape, OVERLAP), type));
    const [first, ...others] = fitting.map((shape) => shape.asWritten.get(OVERLAP) ?? new Set<string>());
    const areSeveral = others.some((branches) => ![...branches].some((each) => first?.has(each)));
    return areSeveral && !fitting.some((shape) => this.fitsIn(notDemanding(shape, OVERLAP), inner, type));
  }

  private coveredOne(inner: Shape, outer: readonly Shape[], type: JsonType, splits: number): boolean {
    inner.pointer.description.work.spend();
    const excluded = meaningsOf(inner).flatMap(([, meaning]) => ('noneOf' in meaning ? meaning.noneOf : []));
    const cover = [...outer, ...excluded].flatMap((shape) => usable(shape, inner));
    const values = listed(inner, type);
    if (values !== undefined) {
      return [...values].every((text) => {
        const value: unknown = JSON.parse(text);
        return (
          anyAdmits(cover, value, this.values) === true ||
          admits({ ...inner, formats: new Set() }, value, this.values) === false
        );
      });
    }
    if (type === 'number') return this.numbersCovered(inner, cover);
    if (type === 'string') return this.textsCovered(inner, cover);
    if (type !== 'array' && type !== 'object') return cover.length > 0;
    if (cover.some((shape) => this.fitsIn(inner, shape, type))) return true;
    if (splits === 0 || cover.length === 0) return false;
    // What one keyword leaves open is looked at piece by piece.
    return meaningsOf(inner).some(([keyword, meaning]) => {
      if (!('anyOf' in meaning)) return false;
      const rest = notDemanding(inner, keyword);
      const pieces = meaning.anyOf.flatMap((each) => settled(meet(rest, each), this.values) ?? []);
      return pieces.every((piece) => this.coveredOne(piece, outer, type, splits - 1));
    });
  }

  private numbersCovered(inner: Shape, cover: readonly Shape[]): boolean {
    const bare = { ...withBoundsOfFormats(inner), formats: new Set<string>() };
    const points = samplePoints([bare, ...cover].flatMap(withMeanings));
    const isCovered = (value: number): boolean =>
      admits(bare, value, this.values) === false || anyAdmits(cover, value, this.values) === true;
    return points?.every(isCovered) === true;
  }

  private textsCovered(inner: Shape, cover: readonly Shape[]): boolean {
    const all = [inner, ...cover].flatMap(withMeanings);
    const lengths = [...new Set(all.flatMap(({ least, most }) => [least, most]))];
    const inShape = (shape: Shape, length: number, fits: (pattern: string) => boolean): boolean | undefined => {
      if (length < shape.least || length > shape.most || ![...shape.patterns].every(fits)) return false;
      if (shape.values !== undefined && ![...shape.values].some((value) => fits(literal(value)))) return false;
      const verdicts = meaningsOf(shape).map(([, meaning]) => {
        const shapes = 'anyOf' in meaning ? meaning.anyOf : 'noneOf' in meaning ? meaning.noneOf : [];
        const fit = some(shapes.map((each) => inShape(each, length, fits)));
        return 'noneOf' in meaning && fit !== undefined ? !fit : fit;
      });
      if (verdicts.includes(false)) return false;
      const known = !verdicts.includes(undefined) && isComputed(shape) && shape.formats.size === 0;
      return known ? true : undefined;
    };
    const patterns = all.flatMap((shape) => [...shape.patterns, ...[...(shape.values ?? [])].map(literal)]);
    const bare = { ...inner, formats: new Set<string>() };
    const isCounterexample = (length: number, fits: (pattern: string) => boolean): boolean =>
      inShape(bare, length, fits) !== false && !cover.some((shape) => inShape(shape, length, fits) === true);
    if (patterns.length > MOST_PATTERNS) return false;
    if (patterns.length > 0) return textsCovered(patterns, lengths, isCounterexample);
    const near = [0, ...lengths.flatMap((each) => [each - 1, each, each + 1])].filter(
      (each) => each >= 0 && each < Infinity,
    );
    return !near.some((length) => isCounterexample(length, () => false));
  }

  /** Whether it is proven that every value of an alternative fits another one. */
  private fitsIn(inner: Shape, outer: Shape, type: 'array' | 'object'): boolean {
    inner.pointer.description.work.spend(1 + Math.ceil(inner.properties.size / 10));
    const [least, most] = sizesOf(inner, type, (schema) => this.isEmpty(schema));
    if (least < outer.least || most > outer.most || outer.values !== undefined) return false;
    if (outer.unique && !inner.unique && most > 1) return false;
    const fits = type === 'array' ? this.elementsFit(inner, outer, most) : this.membersFit(inner, outer);
    return fits && meaningsOf(outer).every(([, meaning]) => this.meets(inner, meaning, most, type));
  }

  private knows(outer: Shape, inner: Shape): boolean {
    return [...inner.properties.keys(), ...inner.required].every(
      (name) => outer.properties.has(name) || outer.required.has(name) || this.isEmpty(memberSchema(inner, name)),
    );
  }

  private isEmpty(schema: Conjunction): boolean {
    return this.read(schema).size === 0;
  }

  private meets(inner: Shape, meaning: Meaning, most: number, type: 'array' | 'object'): boolean {
    if ('anyOf' in meaning) return this.coveredOne(inner, meaning.anyOf, type, 1);
    if ('noneOf' in meaning) {
      return meaning.noneOf.every((shape) => {
        if (areApart(inner, shape, this.values)) return true;
        const both = settled(meet(inner, shape), this.values);
        return both === undefined || this.coveredOne(both, [], type, 1);
      });
    }
    if ('names' in meaning)
      return meaningsOf(inner).some(([, own]) => 'names' in own && this.within(own.names, meaning.names));
    const { contained, least, most: greatest } = meaning;
    const own = meaningsOf(inner).flatMap(([, each]) => ('contained' in each ? [each] : []));
    const enough =
      least === 0 ||
      own.some((each) => each.least >= least && this.within(each.contained, contained)) ||
      (inner.least >= least && this.elementsWithin(inner, contained, least));
    const few = most <= greatest || own.some((each) => each.most <= greatest && this.within(contained, each.contained));
    return enough && few;
  }

  private elementsWithin(inner: Shape, schema: Conjunction, many: number): boolean {
    return Array.from({ length: Math.min(many, inner.leading.length + 1) }, (_each, index) => index).every((index) =>
      this.within(inner.leading[index] ?? inner.items, schema),
    );
  }

  private elementsFit(inner: Shape, outer: Shape, most: number): boolean {
    const places = Math.min(Math.max(inner.leading.length, outer.leading.length) + 1, most);
    return Array.from({ length: places }, (_each, index) => index).every((index) =>
      this.within(inner.leading[index] ?? inner.items, outer.leading[index] ?? outer.items),
    );
  }

  private membersFit(inner: Shape, outer: Shape): boolean {
    if (![...outer.required].every((name) => inner.required.has(name))) return false;
    if (this.knowing && !this.knows(outer, inner)) return false;
    const names = new Set([...inner.properties.keys(), ...inner.required, ...outer.properties.keys()]);
    const named = [...names].every(
      (name) => inner.unsent.has(name) || this.within(memberSchema(inner, name), memberSchema(outer, name)),
    );
    const own: [string | undefined, Conjunction][] = [...inner.byPattern, [undefined, inner.additional ?? []]];
    const others = [...outer.byPattern];
    return (
      named &&
      others.every(([pattern, schema]) => {
        const whole = own.find(([each]) => each !== undefined && patternWithin(pattern, each));
        if (whole !== undefined) return this.within(whole[1], schema);
        return own.every(([, mine]) => this.within(mine, schema));
      }) &&
      own.every(
        ([pattern, mine]) =>
          (pattern !== undefined && others.some(([each]) => patternWithin(pattern, each))) ||
          this.within(mine, outer.additional ?? []),
      )
    );
  }
}

/** How often an alternative is split. */
const SPLITS = 2;

/** Patterns and listed texts together, beyond which nothing is proven of them. */
const MOST_PATTERNS = 50;

/** The demands whose meaning is computed, by their keyword. */
function meaningsOf({ asWritten, meanings }: Shape): readonly [keyword: string, Meaning][] {
  return [...asWritten].flatMap(([keyword, texts]) =>
    [...texts].flatMap((text): [string, Meaning][] => {
      const meaning = meanings.get(text);
      return meaning === undefined ? [] : [[keyword, meaning]];
    }),
  );
}

function isComputed({ asWritten, meanings }: Shape): boolean {
  return [...asWritten.values()].every((texts) => [...texts].every((text) => meanings.has(text)));
}

/** An alternative without what another one demands, too, where that is not computed; none if it demands more of that kind. */
function usable(shape: Shape, inner: Shape): Shape[] {
  const held = [...formatsHeld(inner)];
  const formats = [...shape.formats].filter((each) => !held.some((own) => fitsFormat(own, each)));
  if (formats.length > 0) return [];
  const left = [...shape.asWritten].map(([keyword, texts]): [string, ReadonlySet<string>] => {
    const own = inner.asWritten.get(keyword);
    return [keyword, new Set([...texts].filter((text) => own?.has(text) !== true))];
  });
  const bare = { ...shape, formats: new Set<string>(), asWritten: new Map(left.filter(([, texts]) => texts.size > 0)) };
  return isComputed(bare) ? [bare] : [];
}

function withMeanings(shape: Shape): Shape[] {
  const inner = meaningsOf(shape).flatMap(([, meaning]) =>
    'anyOf' in meaning ? meaning.anyOf : 'noneOf' in meaning ? meaning.noneOf : [],
  );
  return [shape, ...inner.flatMap(withMeanings)];
}

/** A pattern that one text alone fits. */
function literal(json: string): string {
  return `^${String(JSON.parse(json)).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}

function patternWithin(inner: string, outer: string): boolean {
  return inner === outer || textsCovered([inner, outer], [], (_length, fits) => fits(inner) && !fits(outer));
}

/** How many elements or members values have. */
function sizesOf(shape: Shape, type: JsonType, isEmpty: (schema: Conjunction) => boolean): readonly [number, number] {
  if (type === 'array') {
    const first = [...shape.leading, shape.items].findIndex(isEmpty);
    return [shape.least, Math.min(shape.most, first < 0 ? Infinity : first)];
  }
  const isClosed = shape.byPattern.size === 0 && shape.additional !== undefined && isEmpty(shape.additional);
  const most = isClosed ? [...shape.properties.values()].filter((schema) => !isEmpty(schema)).length : Infinity;
  return [Math.max(shape.least, shape.required.size), Math.min(shape.most, most)];
}

const MOST_POINTS = 5_000;

/** Numbers of which one is a counterexample if any number is: the bounds, what is between them, and the multiples there. */
function samplePoints(shapes: readonly Shape[]): readonly number[] | undefined {
  const listedNumbers = shapes.flatMap(({ values }) => [...(values ?? [])].map(Number));
  const bounds = shapes.flatMap(({ minimum, maximum }) => [minimum?.value ?? [], maximum?.value ?? []].flat());
  const edges = [...new Set([...bounds, ...listedNumbers])].sort((a, b) => a - b);
  const steps = [...new Set(shapes.flatMap(({ multiples }) => multiples))].filter((each) => each > 0);
  const period = steps.reduce(leastCommonMultiple, 1);
  const points = [...edges, 0];
  const from = [(edges[0] ?? 0) - 2 * period - 2, ...edges];
  const to = [...edges, (edges.at(-1) ?? 0) + 2 * period + 2];
  for (const [index, start] of from.entries()) {
    const end = to[index] ?? start;
    points.push(start + (end - start) * 0.618033988, start + Math.min(end - start, 1) * 0.314159265);
    for (const step of steps) {
      const many = Math.ceil((Math.min(end, start + period + step) - start) / step);
      // Beyond this, numbers are too far apart to tell multiples from others.
      if (Math.abs(start / step) > Number.MAX_SAFE_INTEGER || !(many + points.length <= MOST_POINTS)) return undefined;
      const first = Math.ceil(start / step);
      for (let index = 0; index <= many; index += 1) points.push(rounded((first + index) * step));
    }
  }
  return points;
}

/** A number without the error of adding fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

function leastCommonMultiple(a: number, b: number): number {
  for (let multiple = Math.max(a, b), count = 0; count < 1_000; count += 1, multiple += Math.max(a, b))
    if (isMultiple(multiple, a) && isMultiple(multiple, b)) return multiple;
  return a * b;
}
