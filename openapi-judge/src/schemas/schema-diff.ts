import { stableJson } from '../../../common/json.ts';
import { groupedBy } from '../../../common/text.ts';
import { follow, rememberingPair, TooMuchWork, type Located } from '../documents/description.ts';
import { breaksNobody, COMPATIBLE, effectOn, movesOf, worseEffect, type Moves } from '../change.ts';
import type { Rule } from '../rules.ts';
import { areUnchanged } from '../unchanged.ts';
import { difference, isText, listOf, moved, movesOfAll, STILL } from './difference.ts';
import type { CompareShapes, Comparison, Medium, Part, SchemaDifference } from './difference.ts';
import { compareDefaults, compareHints } from './hints-diff.ts';
import { inAnyOrder } from './keywords.ts';
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
    ...knownFor(base, head).inclusions[part.sender],
  });
}

/** What was found and proven of the schemas of two documents. */
const nothingKnown = () => ({
  inclusions: {
    client: { inclusion: new Inclusion('client'), meaning: new Inclusion('client', true) },
    server: { inclusion: new Inclusion('server'), meaning: new Inclusion('server', true) },
  },
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
  const found = comparedOnce(base, head, outer);
  // A default means something only in a request, and only if the value may be left out.
  if (outer.sender === 'server' || outer.given) return found;
  const at = placeIn(base, head);
  return [...found, ...compareDefaults(base, head, at, { ...outer, name: nameAt(at, outer.name) })];
}

function comparedOnce(base: Conjunction, head: Conjunction, outer: Comparison): readonly SchemaDifference[] {
  const pair = `${outer.sender} ${outer.medium} ${identityOf(base)}\n→\n${identityOf(head)}`;
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
    if (earlier === undefined) found.set(each.key, each);
    else found.set(each.key, together(each, earlier));
  }
  return [...found.values()];
}

function together(one: SchemaDifference, other: SchemaDifference): SchemaDifference {
  const [moves, known] = [movesOfAll([one, other]), movesOfAll([one, other], 'known')];
  return { ...one, moves, known, also: worseEffect(one.also, other.also) };
}

/** The differences of two schemas; one that says so where they are too much to be compared. */
function comparedOrNot(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  try {
    if (context.open.size > DEPTH) throw new TooMuchWork();
    for (const [part] of [base, head]) part?.description.work.spend();
    const found = compareForms(base, head, at, context);
    if (found.length === 0) return [...compareHints(base, head, at, context)];
    const left = (what: 'moves' | 'known', by: Inclusion): Moves => {
      const [narrows, widens] = movesOfAll(found, what);
      return [narrows && !by.isWithin(base, head), widens && !by.isWithin(head, base)];
    };
    const [moves, known] = [left('moves', context.inclusion), left('known', context.meaning)];
    const proven = found.flatMap((each): SchemaDifference[] => {
      const rest = { ...each, moves: both(each.moves, moves), known: both(each.known, known) };
      const flags = [...rest.moves, ...rest.known];
      const isIdle = !flags.includes(true) && breaksNobody(each.also);
      return isIdle && [...each.moves, ...each.known].includes(true) ? [] : [rest];
    });
    return [...proven, ...compareHints(base, head, at, context)];
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

function both([a, b]: Moves, [c, d]: Moves): Moves {
  return [a && c, b && d];
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
  const scalars = [before, after].flatMap((form) => [...(form.get('number') ?? []), ...(form.get('boolean') ?? [])]);
  if (scalars.length > 0 && scalars.every(isPlainList)) return [withQuotes(before), withQuotes(after)];
  const holdsAll = (form: Form): boolean => (form.get('string') ?? []).some(isFree);
  if (!holdsAll(before) && !holdsAll(after)) return [before, after];
  const textual = (form: Form): Form => new Map([...form].filter(([type]) => type !== 'number' && type !== 'boolean'));
  return [textual(before), textual(after)];
}

const SCALARS: readonly JsonType[] = ['string', 'number', 'boolean'];

/** A form with the numbers and booleans that it lists as texts. */
function withQuotes(form: Form): Form {
  const shapes = SCALARS.flatMap((type) => form.get(type) ?? []);
  const [list, ...lists] = shapes.filter(isPlainList);
  if (list === undefined) return form;
  const values = [list, ...lists].flatMap((each) => [...(each.values ?? [])]);
  const texts = values.map((value) => (value.startsWith('"') ? value : stableJson(value)));
  const others = [...form].filter(([type]) => !SCALARS.includes(type));
  return new Map([
    ...others,
    ['string', [...shapes.filter((each) => !isPlainList(each)), { ...list, values: new Set(texts) }]],
  ]);
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
  const { pairs, removed, added } = matchAlternatives(before, after, type);
  const { inclusion, name, sender } = context;
  // Where alternatives come or go, what that means is said of them, and not of the values that fit several of them.
  const bare = (shape: Shape): Shape => (removed.length + added.length > 0 ? notDemanding(shape, OVERLAP) : shape);
  const differences = pairs.flatMap(([one, other]) => compareShapes(bare(one), bare(other), type, context));
  const refused = (some: readonly Shape[], others: readonly Shape[], moves: Moves): SchemaDifference[] => {
    const exclusive = some.filter((shape) => inclusion.isRefused(shape, others, type));
    const message = `${name}: what fits several alternatives of the \`oneOf\` is refused`;
    return exclusive.map((shape) => difference('alternatives-exclusive', shape.pointer, message, moves));
  };
  const found = [...differences, ...refused(before, after, [true, false]), ...refused(after, before, [false, true])];
  if (isSplit(before, after, pairs)) return [...found, ...divided(before, after, type, at, context)];
  const gone = removed.filter((shape) => !inclusion.isCovered([shape], after, type));
  const come = added.filter((shape) => !inclusion.isCovered([shape], before, type));
  const told = (rule: Rule, shapes: readonly Shape[], others: readonly Shape[], what: string, known: Moves) =>
    shapes.flatMap((shape) => {
      const unknown = sender === 'client' && type === 'object' ? unknownTo(others, [shape]) : [];
      const lost = unknown.length === 0 ? '' : `, and with it ${listOf(unknown)}`;
      const message = `${name}: the alternative ${labelOf(shape, others)} is ${what}${lost}`;
      if (unknown.length > 0) return [difference(rule, shape.pointer, message, movesOf(rule), known)];
      return shape.name !== undefined || movesOf(rule).includes(true) ? [difference(rule, shape.pointer, message)] : [];
    });
  const listed = (shapes: readonly Shape[], moving: readonly Shape[]): Shape[] =>
    shapes.filter((shape) => !moving.includes(shape));
  return [
    ...found,
    ...told('alternative-removed', gone, after, 'gone', [true, false]),
    ...told('alternative-added', come, before, 'allowed now', [false, true]),
    ...told('alternative-unlisted', listed(removed, gone), after, 'gone; its values stay allowed', [true, false]),
    ...told('alternative-listed', listed(added, come), before, 'new; its values were allowed', [false, true]),
  ];
}

/** Members of some objects that others know nothing of. */
function unknownTo(others: readonly Shape[], shapes: readonly Shape[]): readonly string[] {
  const members = shapes.flatMap(({ properties }) => [...properties]);
  const known = (name: string): boolean =>
    others.some(({ properties, required }) => properties.has(name) || required.has(name));
  const names = members.filter(([name, schema]) => !known(name) && !allowsNothing(schema, 'client'));
  return [...new Set(names.map(([name]) => name))];
}

/** Whether one object became several, or several one, of which none is what it was. */
function isSplit(before: readonly Shape[], after: readonly Shape[], pairs: readonly unknown[]): boolean {
  return pairs.length === 0 && (before.length === 1 || after.length === 1);
}

function divided(
  before: readonly Shape[],
  after: readonly Shape[],
  type: JsonType,
  at: Located,
  { name, sender, inclusion }: Comparison,
): SchemaDifference[] {
  const [many, one] = after.length > 1 ? [after, before] : [before, after];
  const names = listOf(many.map((shape) => labelOf(shape, many)));
  const how =
    after.length > 1 ? `has to be one of ${many.length} alternatives now` : `is no longer one of ${many.length}`;
  const lost = unknownTo(after, before);
  const gone = lost.length === 0 ? '' : `; gone: ${listOf(lost)}`;
  // Of a response, alternatives may go with all that they have, if one stays as it is.
  const isLoss = sender === 'client' ? lost.length > 0 : before.every((each) => unknownTo(after, [each]).length > 0);
  const known: Moves = [isLoss, unknownTo(before, after).length > 0];
  const fits = (some: readonly Shape[], others: readonly Shape[]): boolean =>
    some.every((shape) => inclusion.isCovered([withoutUnknown(shape, others)], others, type));
  const place = one === before ? at : (before[0]?.pointer ?? at);
  const moves: Moves = [!fits(before, after), !fits(after, before)];
  if (![...moves, ...known].includes(true)) return [];
  return [difference('alternatives-split', place, `${name} ${how}: ${names}${gone}`, moves, known, COMPATIBLE)];
}

/** An alternative without the members that only others know: who knows nothing of them does not send them. */
function withoutUnknown(shape: Shape, others: readonly Shape[]): Shape {
  const names = others.flatMap(({ properties, required }) => [...properties.keys(), ...required]);
  const unknown = names.filter((name) => !shape.properties.has(name) && !shape.required.has(name));
  const absent = unknown.map((name) => [name, [{ ...shape.pointer, value: false }]] as const);
  return { ...shape, properties: new Map([...shape.properties, ...absent]) };
}

/** What an alternative is called: its component, or what tells it from others. */
function labelOf(shape: Shape, others: readonly Shape[]): string {
  if (shape.name !== undefined) return shape.name;
  const tag = tagOf(shape);
  if (tag !== undefined) return tag;
  const rest = others.filter((each) => each !== shape);
  const own = [...shape.required, ...shape.properties.keys()].filter(
    (name) => !rest.some(({ properties, required }) => properties.has(name) || required.has(name)),
  );
  const [only] = own.length > 0 ? own : shape.required;
  if (only !== undefined) return `with ${only}`;
  const said = [...(shape.values ?? []), ...shape.formats, ...shape.patterns];
  return said.length > 0 ? listOf(said.slice(0, 3)) : `at ${shape.pointer.pointer}`;
}

/** The share of facts in common from which an alternative is taken for one that changed. */
const LIKELY = 0.3;

/** Pairs of alternatives, beyond which they are not compared one with each other to find which became which. */
const MOST_PAIRS = 1_000;

/** Finds which alternative became which: by name and tag, by what is written, then by what is most alike. */
function matchAlternatives(before: readonly Shape[], after: readonly Shape[], type: JsonType) {
  let removed = [...before];
  let added = [...after];
  const pairs: (readonly [Shape, Shape])[] = [];
  const take = (one: Shape, other: Shape): void => {
    pairs.push([one, other]);
    removed = removed.filter((each) => each !== one);
    added = added.filter((each) => each !== other);
  };
  const pairBy = (keyOf: (shape: Shape) => string | undefined): void => {
    const [olds, news] = [removed, added].map((shapes) => groupedBy(shapes, (shape) => keyOf(shape) ?? ''));
    const newer = new Map(news);
    for (const [key, [one, ...more]] of olds ?? []) {
      const [other, ...others] = newer.get(key) ?? [];
      // What several of them are called does not tell which is which.
      if (key !== '' && one && other && more.length + others.length === 0) take(one, other);
    }
  };
  pairBy((shape) => shape.name && `${shape.name} ${tagOf(shape) ?? ''}`);
  pairBy(({ pointer }) => stableJson(pointer.value));
  if (before.length > 1 && after.length > 1 && removed.length * added.length <= MOST_PAIRS) {
    const [olds, news] = [removed, added].map((shapes) => shapes.map((shape) => ({ shape, facts: factsOf(shape) })));
    const likely = (olds ?? []).flatMap((one) =>
      (news ?? []).map((other) => ({ one: one.shape, other: other.shape, alike: likeness(one.facts, other.facts) })),
    );
    for (const { one, other, alike } of likely.sort((a, b) => b.alike - a.alike))
      if (alike >= LIKELY && removed.includes(one) && added.includes(other)) take(one, other);
  }
  const [one, ...olds] = removed;
  const [other, ...news] = added;
  if (type !== 'object' && one && other && olds.length + news.length === 0) take(one, other);
  return { pairs, removed, added };
}

/** What tells an alternative from others: its members, which of them are required, and what is written of each. */
function factsOf({ properties, required }: Shape): ReadonlySet<string> {
  const written = ([name, schema]: [string, Conjunction]): string =>
    `${name}: ${stableJson(schema.map(({ value }) => inAnyOrder(value)))}`;
  return new Set([...properties.keys(), ...[...required].map((name) => `${name}!`), ...[...properties].map(written)]);
}

/** The share of facts that two alternatives have in common. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((fact) => other.has(fact)).length;
  return common / Math.max(1, one.size + other.size - common);
}

/** The values of required members that have only one, which is how alternatives are told apart. */
function tagOf(shape: Shape): string | undefined {
  const tags = [...shape.required].sort().flatMap((name) => {
    const values = tagValues(shape.properties.get(name));
    return values?.length === 1 ? [`${name}=${values.join()}`] : [];
  });
  return tags.length === 0 ? undefined : tags.join('&');
}

function compareShapes(base: Shape, head: Shape, type: JsonType, outer: Comparison): SchemaDifference[] {
  // An alternative that is a component is called so, however deep it was found.
  const isNamed = type === 'object' && head.name !== undefined && head.name === base.name;
  const context = isNamed ? { ...outer, name: head.name } : outer;
  const at = head.pointer.pointer === '' ? base.pointer : head.pointer;
  const values = compareValues(base, head, type, at, context);
  const told = [base, head].filter((shape) => shape.values !== undefined);
  if (told.length > 0 && told.every(isPlainList)) return values;
  const others = [compareBounds, compareItems, compareMembers, compareWritten];
  return [...values, ...others.flatMap((each) => each(base, head, at, context, type))];
}

/** Keywords that are compared as they stand: one demand more narrows, one less widens, another one does both. */
const compareWritten: CompareShapes = (base, head, at, { name, sender }) => {
  const lacks = (demands: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
    [...others].some((demand) => !demands.has(demand));
  return [...new Set([...base.asWritten.keys(), ...head.asWritten.keys()])].flatMap((each) => {
    const [before, after] = [base, head].map(({ asWritten }) => asWritten.get(each) ?? new Set<string>());
    if (before === undefined || after === undefined) return [];
    const message = `${name}: the values that fit more than one alternative of a \`oneOf\` change`;
    if (each === OVERLAP) {
      const moves: Moves = [before.size === 0, after.size === 0];
      const effect = effectOn(sender, moves);
      return moves.includes(true) ? [difference('alternatives-exclusive', at, message, STILL, STILL, effect)] : [];
    }
    const moves = [lacks(before, after), lacks(after, before)] as const;
    if (each === 'oneOf') return moved('alternatives-exclusive', at, message, moves);
    return moved('constraint-changed', at, `${name}: \`${each}\` changes`, moves);
  });
};
