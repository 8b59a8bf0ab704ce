import { follow, type Description, type Located } from '../description.ts';
import { rememberingEach, stableJson } from '../../../common/json.ts';
import { worseEffect, type Moves } from '../change.ts';
import type { Rule } from '../rules.ts';
import { difference, isText, listOf, moved, movesOfAll } from './difference.ts';
import type { CompareShapes, Comparison, Medium, Part, SchemaDifference } from './difference.ts';
import { compareDefaults, compareHints } from './hints-diff.ts';
import { compareItems, compareMembers } from './members-diff.ts';
import { eachOnce, formOf, identityOf, tagValues } from './normalize.ts';
import { isPlainList } from './schema-values.ts';
import { isFree, NOWHERE, type Branches, type Conjunction, type Form, type JsonType, type Shape } from './value-set.ts';
import { compareBounds, compareSets, compareValues } from './values-diff.ts';

/**
 * Compares what two schemas allow in a part of a message.
 *
 * @param base schemas that hold together in the older document; `head` in the newer
 * @param medium how the value is written
 * @returns nothing if both allow the same values and give the same members a meaning
 */
export function diffSchemas(base: Conjunction, head: Conjunction, part: Part, medium: Medium): SchemaDifference[] {
  return compare(base, head, { ...part, medium, open: new Set(), compare });
}

/** Where to point: at the newer schema, or at the older one where there is no newer. */
function placeIn(base: Conjunction, head: Conjunction): Located {
  const [place] = [...head, ...base];
  return place === undefined ? NOWHERE : follow(place);
}

/** What was found for a pair of schemas, by the two documents that they stand in. */
const findingsFor = rememberingEach<Description, (head: Description) => Map<string, readonly SchemaDifference[]>>(() =>
  rememberingEach(() => new Map()),
);

/** A component is called by its name, wherever it is used. */
function nameAt({ pointer }: Located, name: string): string {
  return /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1] ?? name;
}

/** Pairs of schemas inside each other, beyond which no comparison is tried. */
const DEPTH = 500;

/** Pairs of schemas of two documents, beyond which none of three schemas and more at one place is compared: they can multiply. */
const PAIRS = 5_000;

/** Schemas that hold together at one place, beyond which they are not compared: where components contain each other they can multiply. */
const TOGETHER = 12;

function compare(before: Conjunction, after: Conjunction, outer: Comparison): SchemaDifference[] {
  const [base, head] = [eachOnce(before), eachOnce(after)];
  const pair = `${outer.sender} ${outer.medium} ${outer.given} ${identityOf(base)}\n→\n${identityOf(head)}`;
  if (outer.open.has(pair)) return [];
  const [older, newer] = [base[0]?.description, head[0]?.description];
  const findings = older && newer ? findingsFor(older)(newer) : new Map<string, readonly SchemaDifference[]>();
  const earlier = findings.get(pair);
  if (earlier !== undefined) return [...earlier];
  const at = placeIn(base, head);
  const together = Math.max(base.length, head.length);
  if (outer.open.size > DEPTH || (together > 2 && findings.size > PAIRS) || together > TOGETHER)
    return [difference('schema-not-comparable', at, `${outer.name}: the schemas are nested too deeply`)];
  const context = { ...outer, name: nameAt(at, outer.name) };
  outer.open.add(pair);
  const found = once(compareForms(base, head, at, context));
  outer.open.delete(pair);
  findings.set(pair, found);
  return found;
}

/** One difference for what was found at the same place on several ways, or for several types. */
function once(differences: readonly SchemaDifference[]): SchemaDifference[] {
  const found = new Map<string, SchemaDifference>();
  for (const each of differences) {
    const key = `${each.rule} ${each.at.pointer} ${each.message}`;
    const earlier = found.get(key) ?? each;
    found.set(key, { ...each, moves: movesOfAll([each, earlier]), also: worseEffect(each.also, earlier.also) });
  }
  return [...found.values()];
}

function compareForms(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  let forms;
  try {
    forms = [formOf(base, context.sender), formOf(head, context.sender)] as const;
  } catch {
    return [difference('schema-not-comparable', at, `${context.name}: the schema contains itself without end`)];
  }
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
  return [...found, ...compareDefaults(base, head, at, context), ...compareHints(base, head, at, context)];
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
  const { differences, removed, added } = matchAlternatives(before, after, type, context);
  const compared = (one: Shape, other: Shape): Moves => movesOfAll(compareShapes(one, other, type, context));
  const gone = removed.filter((shape) => after.every((other) => compared(shape, other)[0]));
  const come = added.filter((shape) => before.every((other) => compared(other, shape)[1]));
  const listed = (shapes: readonly Shape[], moving: readonly Shape[]): Shape[] =>
    shapes.filter((shape) => shape.name !== undefined && !moving.includes(shape));
  const told = (rule: Rule, shapes: readonly Shape[], what: string): SchemaDifference[] =>
    shapes.map(({ name, pointer }) => {
      const alternative = `an alternative${name === undefined ? '' : ` (${name})`}`;
      return difference(rule, pointer, `${context.name}: ${alternative} is ${what}`);
    });
  return [
    ...differences,
    ...told('alternative-removed', gone, 'gone'),
    ...told('alternative-added', come, 'allowed now'),
    ...told('alternative-unlisted', listed(removed, gone), 'gone; its values stay allowed'),
    ...told('alternative-listed', listed(added, come), 'new; its values were allowed'),
  ];
}

/**
 * Finds which alternative became which: by name and tag, by what is written, by what they allow, then a last pair.
 *
 * @returns the differences within all pairs, and the alternatives that are in none
 */
function matchAlternatives(before: readonly Shape[], after: readonly Shape[], type: JsonType, context: Comparison) {
  let removed = [...before];
  let added = [...after];
  const differences: SchemaDifference[] = [];
  const pair = (same: (one: Shape, other: Shape) => boolean): void => {
    for (const one of [...removed]) {
      const other = added.find((each) => same(one, each));
      if (other === undefined) continue;
      differences.push(...compareShapes(one, other, type, context));
      removed = removed.filter((each) => each !== one);
      added = added.filter((each) => each !== other);
    }
  };
  pair((one, other) => one.name !== undefined && one.name === other.name && tagOf(one) === tagOf(other));
  pair((one, other) => stableJson(one.pointer.value) === stableJson(other.pointer.value));
  pair((one, other) => tagOf(one) !== undefined && tagOf(one) === tagOf(other));
  pair((one, other) => compareShapes(one, other, type, context).length === 0);
  pair((one, other) => one.name !== undefined && one.name === other.name);
  if (removed.length === 1 && added.length === 1) pair(() => true);
  return { differences, removed, added };
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
  const others = [compareBounds, compareSets, compareItems, compareMembers, compareOpaque, compareExclusive(type)];
  return [...values, ...others.flatMap((each) => each(base, head, at, context))];
}

/** Keywords whose meaning is not computed: one demand more narrows, one less widens, another one does both. */
const compareOpaque: CompareShapes = (base, head, at, { name }) => {
  const lacks = (demands?: ReadonlySet<string>, others?: ReadonlySet<string>): boolean =>
    [...(others ?? [])].some((demand) => !demands?.has(demand));
  return [...new Set([...base.opaque.keys(), ...head.opaque.keys()])].flatMap((each) => {
    const [before, after] = [base, head].map(({ opaque }) => opaque.get(each) ?? new Set<string>());
    return moved('constraint-changed', at, `${name}: \`${each}\` changes`, [
      lacks(before, after),
      lacks(after, before),
    ]);
  });
};

/** Alternatives of which exactly one may fit: which values lie in several of them is not computed. */
function compareExclusive(type: JsonType): CompareShapes {
  return (base, head, at, context) => {
    const same = (before: Branches, after: Branches): boolean =>
      before.length === after.length && pairsUp(before, after, (one, other) => sameValues(one, other, type, context));
    const message = `${context.name}: the values that fit more than one alternative of a \`oneOf\` change`;
    return moved('alternatives-exclusive', at, message, [
      !head.exclusive.every((after) => base.exclusive.some((before) => same(before, after))),
      !base.exclusive.every((before) => head.exclusive.some((after) => same(before, after))),
    ]);
  };
}

function pairsUp<T>(before: readonly T[], after: readonly T[], same: (one: T, other: T) => boolean): boolean {
  const left = [...after];
  return before.every((one) => {
    const index = left.findIndex((other) => same(one, other));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

function sameValues(before: readonly Shape[], after: readonly Shape[], type: JsonType, context: Comparison): boolean {
  return !movesOfAll(compareAlternatives(before, after, type, NOWHERE, context)).includes(true);
}
