import { follow, rememberingPair, TooMuchWork, type Located } from '../documents/description.ts';
import { stableJson } from '../../../common/json.ts';
import {
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  breaksNobody,
  effectOn,
  movesOf,
  worseEffect,
  type Effect,
} from '../change.ts';
import type { Rule } from '../rules.ts';
import { areUnchanged } from '../unchanged.ts';
import { difference, isText, listOf, moved, movesOfAll } from './difference.ts';
import type { CompareShapes, Comparison, Medium, Part, SchemaDifference } from './difference.ts';
import { compareDefaults, compareHints } from './hints-diff.ts';
import { compareItems, compareMembers } from './members-diff.ts';
import { allowsNothing, eachOnce, formOf, identityOf, tagValues } from './normalize.ts';
import { isPlainList } from './values/schema-values.ts';
import { Inclusion } from './inclusion.ts';
import { isFree, notDemanding, NOWHERE, OVERLAP } from './values/value-set.ts';
import type { Conjunction, Form, JsonType, Shape } from './values/value-set.ts';
import { compareBounds, compareValues } from './values-diff.ts';

/**
 * Compares what two schemas allow in a part of a message.
 *
 * @param base schemas that hold together in the older document; `head` in the newer
 * @param medium how the value is written
 * @returns nothing if both allow the same values and give the same members a meaning
 */
export function diffSchemas(
  base: Conjunction,
  head: Conjunction,
  part: Part,
  medium: Medium,
): readonly SchemaDifference[] {
  for (const each of [...base, ...head]) each.description.work.renew();
  return compare(base, head, {
    ...part,
    medium,
    open: new Set(),
    compare,
    inclusion: knownFor(base, head).inclusions[part.sender],
  });
}

/** What was found and proven of the schemas of two documents. */
const nothingKnown = () => ({
  inclusions: { client: new Inclusion('client'), server: new Inclusion('server') },
  findings: new Map<string, readonly SchemaDifference[]>(),
});
const knownOf = rememberingPair(nothingKnown);

function knownFor([before]: Conjunction, [after]: Conjunction): ReturnType<typeof nothingKnown> {
  return before && after ? knownOf(before.description, after.description) : nothingKnown();
}

/** Where to point: at the newer schema, or at the older one where there is no newer. */
function placeIn(base: Conjunction, head: Conjunction): Located {
  const [place] = [...head, ...base];
  return place === undefined ? NOWHERE : follow(place);
}

/** A component is called by its name, wherever it is used. */
function nameAt({ pointer }: Located, name: string): string {
  return /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1] ?? name;
}

/** Pairs of schemas inside each other, beyond which no comparison is tried. */
const DEPTH = 300;

function compare(before: Conjunction, after: Conjunction, outer: Comparison): readonly SchemaDifference[] {
  const [base, head] = [eachOnce(before), eachOnce(after)];
  if (areUnchanged(base, head)) return [];
  const pair = `${outer.sender} ${outer.medium} ${outer.given} ${identityOf(base)}\n→\n${identityOf(head)}`;
  if (outer.open.has(pair)) return [];
  const { findings } = knownFor(base, head);
  const earlier = findings.get(pair);
  if (earlier !== undefined) return earlier;
  const at = placeIn(base, head);
  const context = { ...outer, name: nameAt(at, outer.name) };
  outer.open.add(pair);
  const found = once(comparedOrNot(base, head, at, context));
  outer.open.delete(pair);
  findings.set(pair, found);
  return found;
}

/** One difference for what was found at the same place on several ways, or for several types. */
function once(differences: readonly SchemaDifference[]): readonly SchemaDifference[] {
  if (differences.length < 2) return differences;
  const found = new Map<string, SchemaDifference>();
  for (const each of differences) {
    const earlier = found.get(each.key);
    if (earlier === each) continue;
    const both = earlier && { moves: movesOfAll([each, earlier]), also: worseEffect(each.also, earlier.also) };
    found.set(each.key, both ? { ...each, ...both } : each);
  }
  return [...found.values()];
}

/** The differences of two schemas; one that says so where they are too much to be compared. */
function comparedOrNot(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  try {
    if (context.open.size > DEPTH) throw new TooMuchWork();
    for (const [part] of [base, head]) part?.description.work.spend();
    const found = compareForms(base, head, at, context);
    const { inclusion } = context;
    const [narrows, widens] = movesOfAll(found);
    const moves = [narrows && !inclusion.isWithin(base, head), widens && !inclusion.isWithin(head, base)] as const;
    const proven = found.flatMap((each): SchemaDifference[] => {
      const left = [each.moves[0] && moves[0], each.moves[1] && moves[1]] as const;
      if (left[0] === each.moves[0] && left[1] === each.moves[1]) return [each];
      const isIdle = each.moves.includes(true) && !left.includes(true) && breaksNobody(each.also);
      return isIdle ? [] : [{ ...each, moves: left }];
    });
    const hints = [...compareDefaults(base, head, at, context), ...compareHints(base, head, at, context)];
    if (found.length === 0) return hints;
    if (hints.length === 0) return proven;
    return [...proven, ...hints];
  } catch (error) {
    if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
    return [
      difference(
        'schema-not-comparable',
        at,
        `${context.name}: there are too many alternatives, or they are nested too deeply`,
      ),
    ];
  }
}

function compareForms(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  const forms = [formOf(base, context.sender), formOf(head, context.sender)] as const;
  const [before, after] = isText(context.medium) ? asTexts(...forms) : forms;
  const gone = listOf([...before.keys()].filter((type) => !after.has(type)));
  const come = listOf([...after.keys()].filter((type) => !before.has(type)));
  const found: SchemaDifference[] = [];
  if (gone !== '' && come !== '') {
    found.push(difference('type-changed', at, `${context.name}: the type changes from ${gone} to ${come}`));
  } else if (gone !== '') {
    found.push(difference('type-narrowed', at, `${context.name}: ${gone} is no longer allowed`));
  } else if (come !== '') {
    found.push(difference('type-widened', at, `${context.name}: ${come} is allowed now`));
  }
  for (const [type, shapes] of before) {
    const others = after.get(type);
    if (others !== undefined) found.push(...compareAlternatives(shapes, others, type, at, context));
  }
  return found;
}

/** Two forms of what is written without quotes: where any text is allowed, that holds every number and every boolean, too. */
function asTexts(before: Form, after: Form): readonly [Form, Form] {
  const holdsAll = (form: Form): boolean => (form.get('string') ?? []).some(isFree);
  if (!holdsAll(before) && !holdsAll(after)) return [before, after];
  const textual = (form: Form): Form => new Map([...form].filter(([type]) => type !== 'number' && type !== 'boolean'));
  return [textual(before), textual(after)];
}

/** Compares the alternatives that two schemas leave for one type. */
function compareAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  type: JsonType,
  at: Located,
  context: Comparison,
): SchemaDifference[] {
  const [only] = before;
  const [newOnly] = after;
  if (only !== undefined && newOnly !== undefined && before.length === 1 && after.length === 1)
    return compareShapes(only, newOnly, type, context);
  const { pairs, removed, added } = matchAlternatives(before, after, type, context);
  // Where alternatives come or go, what that means is said of them, and not of the values that fit several of them.
  const bare = (shape: Shape): Shape => (removed.length + added.length > 0 ? notDemanding(shape, OVERLAP) : shape);
  const differences = pairs.flatMap(([one, other]) => compareShapes(bare(one), bare(other), type, context));
  const gone = removed.filter((shape) => !context.inclusion.isCovered([shape], after, type));
  const come = added.filter((shape) => !context.inclusion.isCovered([shape], before, type));
  const isRequest = context.sender === 'client' && type === 'object';
  const told = (rule: Rule, shapes: readonly Shape[], others: readonly Shape[], what: string, effect: Effect) =>
    shapes.flatMap((shape) => {
      const { name, pointer } = shape;
      const members = isRequest ? [...shape.properties].filter(([, schema]) => !allowsNothing(schema, 'client')) : [];
      const unknown = members.map(([each]) => each).filter((each) => !others.some(knows(each)));
      const lost = unknown.length === 0 ? '' : `, and with it ${listOf(unknown)}`;
      const message = `${context.name}: an alternative${name === undefined ? '' : ` (${name})`} is ${what}${lost}`;
      if (unknown.length > 0) return [difference(rule, pointer, message, movesOf(rule), effect)];
      return name !== undefined || movesOf(rule).includes(true) ? [difference(rule, pointer, message)] : [];
    });
  const listed = (shapes: readonly Shape[], moving: readonly Shape[]): Shape[] =>
    shapes.filter((shape) => !moving.includes(shape));
  return [
    ...differences,
    ...told('alternative-removed', gone, after, 'gone', BREAKS_CLIENTS),
    ...told('alternative-added', come, before, 'allowed now', BREAKS_IMPLEMENTERS),
    ...told('alternative-unlisted', listed(removed, gone), after, 'gone; its values stay allowed', BREAKS_CLIENTS),
    ...told('alternative-listed', listed(added, come), before, 'new; its values were allowed', BREAKS_IMPLEMENTERS),
  ];
}

function knows(name: string): (shape: Shape) => boolean {
  return ({ properties, required }) => properties.has(name) || required.has(name);
}

/** Pairs of alternatives, beyond which they are not compared one with each other to find which became which. */
const MOST_PAIRS = 1_000;

/** Finds which alternative became which: by name and tag, by what is written, by what they allow, then a last pair that is alike. */
function matchAlternatives(before: readonly Shape[], after: readonly Shape[], type: JsonType, context: Comparison) {
  let removed = [...before];
  let added = [...after];
  const pairs: (readonly [Shape, Shape])[] = [];
  const take = (one: Shape, other: Shape): void => {
    pairs.push([one, other]);
    removed = removed.filter((each) => each !== one);
    added = added.filter((each) => each !== other);
  };
  const pair = (same: (one: Shape, other: Shape) => boolean): void => {
    for (const one of removed) {
      const other = added.find((each) => same(one, each));
      if (other !== undefined) take(one, other);
    }
  };
  const pairBy = (keyOf: (shape: Shape) => string | undefined): void => {
    const keys = new Map(added.map((other) => [keyOf(other), other] as const).reverse());
    for (const one of removed) {
      const key = keyOf(one);
      const other = key === undefined ? undefined : keys.get(key);
      if (key === undefined || other === undefined) continue;
      keys.delete(key);
      take(one, other);
    }
  };
  pairBy((shape) => shape.name && `${shape.name} ${tagOf(shape) ?? ''}`);
  pairBy(({ pointer }) => stableJson(pointer.value));
  pairBy(tagOf);
  if (removed.length * added.length <= MOST_PAIRS)
    pair((one, other) => compareShapes(one, other, type, context).length === 0);
  pairBy(({ name }) => name);
  if (removed.length === 1 && added.length === 1) pair((one, other) => type !== 'object' || areAlike(one, other));
  return { pairs, removed, added };
}

/** Whether two objects have half of their members in common. */
function areAlike(one: Shape, other: Shape): boolean {
  const common = [...one.properties.keys()].filter((name) => other.properties.has(name)).length;
  return common * 2 >= Math.max(one.properties.size, other.properties.size);
}

/** The values of required members that have only one, which is how alternatives are told apart. */
function tagOf(shape: Shape): string | undefined {
  const tags = [...shape.required].sort().flatMap((name) => {
    const values = tagValues(shape.properties.get(name));
    return values?.length === 1 ? [`${name}=${values.join()}`] : [];
  });
  return tags.length === 0 ? undefined : tags.join('&');
}

function compareShapes(base: Shape, head: Shape, type: JsonType, context: Comparison): SchemaDifference[] {
  const at = head.pointer.pointer === '' ? base.pointer : head.pointer;
  const values = compareValues(base, head, type, at, context);
  const told = [base, head].filter((shape) => shape.values !== undefined);
  if (told.length > 0 && told.every(isPlainList)) return values;
  const others = [compareBounds, compareItems, compareMembers, compareWritten];
  return [...values, ...others.flatMap((each) => each(base, head, at, context, type))];
}

/** Keywords that are compared as they stand: one demand more narrows, one less widens, another one does both. */
const compareWritten: CompareShapes = (base, head, at, { name, sender }) => {
  const lacks = (demands?: ReadonlySet<string>, others?: ReadonlySet<string>): boolean =>
    [...(others ?? [])].some((demand) => !demands?.has(demand));
  return [...new Set([...base.asWritten.keys(), ...head.asWritten.keys()])].flatMap((each) => {
    const [before, after] = [base, head].map(({ asWritten }) => asWritten.get(each) ?? new Set<string>());
    const moves = [lacks(before, after), lacks(after, before)] as const;
    if (each !== OVERLAP && each !== 'oneOf')
      return moved('constraint-changed', at, `${name}: \`${each}\` changes`, moves);
    const message = `${name}: the values that fit more than one alternative of a \`oneOf\` change`;
    if (each === 'oneOf') return moved('alternatives-exclusive', at, message, moves);
    return moves.includes(true)
      ? [difference('alternatives-exclusive', at, message, [false, false], effectOn(sender, moves))]
      : [];
  });
};
