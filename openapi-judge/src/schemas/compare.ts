/** Compares two schemas: what each type of value may be, and then whether that makes a difference that can be proven to be none. */
import { below, stableJson } from '../../../common/json.ts';
import { follow, rememberingPair, targetOf, TooMuchWork, type Located } from '../documents/description.ts';
import { breaksNobody, worseEffect, type Moves } from '../change.ts';
import { areUnchanged } from '../unchanged.ts';
import { compareAlternatives } from './alternatives-diff.ts';
import { difference, eitherMoves, isMoving, isText, listOf, movesOfAll } from './difference.ts';
import type { Comparison, Medium, Part, SchemaDifference, SchemaPair } from './difference.ts';
import { eachOnce, formOf, identityOf } from './forms.ts';
import { compareDefaults, compareHints } from './hints-diff.ts';
import { Inclusion } from './inclusion.ts';
import { digest, inlined } from './keywords.ts';
import { asTexts } from './written-forms.ts';
import { NOWHERE, type Conjunction, type JsonType, type Shape } from './values/value-set.ts';

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
  { sender, given }: Part,
  medium: Medium,
): readonly SchemaDifference[] {
  for (const each of [...base, ...head]) each.description.work.renew();
  const proofs = knownFor(base, head).proofs[sender];
  return compare(base, head, { sender, given, medium, open: new Set(), compare, ...proofs });
}

/** What was found and proven of the schemas of two documents. */
const nothingKnown = () => ({
  proofs: {
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

/** Pairs of schemas inside each other, beyond which no comparison is tried. */
const DEPTH = 300;

function compare(before: Conjunction, after: Conjunction, context: Comparison): readonly SchemaDifference[] {
  const [base, head] = [eachOnce(before), eachOnce(after)];
  if (areUnchanged(base, head)) return [];
  const pair = { base, head, at: placeIn(base, head) };
  const found = comparedOnce(pair, context);
  // A default means something only in a request, and only if the value may be left out.
  const isIdle = context.sender === 'server' || context.given;
  return behindReference(pair, isIdle ? found : [...found, ...compareDefaults(pair, context)]);
}

/** Differences behind a reference that leads elsewhere now are differences of its place. A component with another name is no such. */
function behindReference({ base, head }: SchemaPair, found: readonly SchemaDifference[]): readonly SchemaDifference[] {
  const [was, is] = [referenceOf(base), referenceOf(head)];
  if (found.length === 0 || was === undefined || is === undefined || was.name === is.name) return found;
  if (!was.exists(is) && !is.exists(was)) return found;
  return found.map((each) => {
    const reference = { where: '', inside: each.path, was: was.name, is: is.name };
    return { ...each, at: is.place, reference };
  });
}

function referenceOf([only, ...more]: Conjunction) {
  const reference = only && more.length === 0 ? targetOfPart(only) : undefined;
  if (only === undefined || reference === undefined) return undefined;
  const name = /^\/components\/schemas\/([^/]+)$/.exec(reference)?.[1];
  if (name === undefined) return undefined;
  const exists = (other: { readonly place: Located }): boolean =>
    targetOf(`#${below('/components/schemas', name)}`, other.place.description)?.value !== undefined;
  return { name, place: only, exists };
}

function targetOfPart({ value, description }: Located): string | undefined {
  const { $ref: reference } = Object(value) as { readonly $ref?: unknown };
  return typeof reference === 'string' ? targetOf(reference, description)?.pointer : undefined;
}

function comparedOnce(pair: SchemaPair, context: Comparison): readonly SchemaDifference[] {
  const { base, head } = pair;
  const key = `${context.sender} ${context.medium} ${identityOf(base)}\n→\n${identityOf(head)}`;
  if (context.open.has(key)) return [];
  const { findings } = knownFor(base, head);
  const earlier = findings.get(key);
  if (earlier !== undefined) return earlier;
  context.open.add(key);
  const found = eachFactOnce(comparedOrNot(pair, context));
  context.open.delete(key);
  findings.set(key, found);
  return found;
}

/** One difference for what was found at the same place on several ways, or for several types; the shortest way says where. */
function eachFactOnce(differences: readonly SchemaDifference[]): readonly SchemaDifference[] {
  if (differences.length < 2) return differences;
  const found = new Map<string, SchemaDifference>();
  for (const each of differences) {
    const { rule, at, fact, reference: { was, is, inside } = {} } = each;
    const key = [rule, at.description.side, at.pointer, fact, was, is, inside].join(' ');
    const earlier = found.get(key);
    if (earlier !== each) found.set(key, earlier === undefined ? each : together(earlier, each));
  }
  return [...found.values()];
}

function together(one: SchemaDifference, other: SchemaDifference): SchemaDifference {
  return {
    ...(other.path.length < one.path.length ? other : one),
    moves: eitherMoves(one.moves, other.moves),
    meaning: eitherMoves(one.meaning, other.meaning),
    also: worseEffect(one.also, other.also),
  };
}

/** What it costs to compare two schemas, beside what is inside of them. */
const STEPS_OF_PAIR = 5;

function comparedOrNot(pair: SchemaPair, context: Comparison): readonly SchemaDifference[] {
  const found = comparedUnlessTooMuch(pair, context);
  const areSaid = found.every(({ rule, digest }) => digest !== undefined || !COARSE.has(rule));
  if (areSaid) return found;
  const digest = digestOf(pair);
  return found.map((each) => (COARSE.has(each.rule) ? { digest, ...each } : each));
}

/** Rules whose facts do not say all that differs: whoever accepts such a change accepts these two schemas. */
const COARSE: ReadonlySet<string> = new Set([
  'alternatives-exclusive',
  'discriminator-mapping-changed',
  'schema-not-comparable',
]);

function digestOf({ base, head }: SchemaPair): string {
  const texts = [base, head].map((parts) => parts.map((part) => wholeText(part)).join(' '));
  return digest(texts.join(' '));
}

/** A schema with all that it refers to, or the whole document where that is too much. */
function wholeText(part: Located): string {
  const { work, root } = part.description;
  work.renew();
  try {
    return stableJson(inlined(part, part.value, []));
  } catch (error) {
    if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
    return stableJson(root);
  }
}

/** The differences of two schemas; one that says so where they are too much to be compared. */
function comparedUnlessTooMuch(pair: SchemaPair, context: Comparison): readonly SchemaDifference[] {
  try {
    if (context.open.size > DEPTH) throw new TooMuchWork();
    for (const [part] of [pair.base, pair.head]) part?.description.work.spend(STEPS_OF_PAIR);
    return [...proven(pair, compareForms(pair, context), context), ...compareHints(pair, context)];
  } catch (error) {
    if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error;
    const fact = 'this is too much to be compared: there are too many alternatives, or they are nested too deeply';
    return [difference('schema-not-comparable', pair.at, fact)];
  }
}

/** The differences without what is proven to be none: that values are gone, or have come, if the whole schema allows them still. */
function proven(
  { base, head }: SchemaPair,
  found: readonly SchemaDifference[],
  { inclusion, meaning }: Comparison,
): readonly SchemaDifference[] {
  if (found.length === 0) return found;
  const left = (moves: Moves, by: Inclusion): Moves => ({
    narrows: moves.narrows && !by.isWithin(base, head),
    widens: moves.widens && !by.isWithin(head, base),
  });
  const [moves, meanings] = [left(movesOfAll(found), inclusion), left(movesOfAll(found, 'meaning'), meaning)];
  return found.flatMap((each): SchemaDifference[] => {
    const rest = { ...each, moves: bothMove(each.moves, moves), meaning: bothMove(each.meaning, meanings) };
    const isIdle = !isMoving(rest.moves) && !isMoving(rest.meaning) && breaksNobody(each.also);
    return isIdle && (isMoving(each.moves) || isMoving(each.meaning)) ? [] : [rest];
  });
}

function bothMove(one: Moves, other: Moves): Moves {
  return { narrows: one.narrows && other.narrows, widens: one.widens && other.widens };
}

/** What a type is called: whole numbers are integers. */
function typeName(type: JsonType, shapes: readonly Shape[]): string {
  const areWhole = type === 'number' && shapes.every(({ multiples }) => multiples.some(Number.isInteger));
  return areWhole ? 'integer' : type;
}

function compareForms({ base, head, at }: SchemaPair, context: Comparison): readonly SchemaDifference[] {
  const forms = [formOf(base, context.sender), formOf(head, context.sender)] as const;
  const [before, after] = isText(context.medium) ? asTexts(...forms) : forms;
  const lacking = (some: typeof before, others: typeof before): string =>
    listOf([...some].filter(([type]) => !others.has(type)).map(([type, shapes]) => typeName(type, shapes)));
  const [gone, come] = [lacking(before, after), lacking(after, before)];
  const found: SchemaDifference[] = [];
  if (gone !== '' && come !== '')
    found.push(difference('type-changed', at, `the type changes from ${gone} to ${come}`));
  else if (gone !== '') found.push(difference('type-narrowed', at, `${gone} is no longer allowed`));
  else if (come !== '') found.push(difference('type-widened', at, `${come} is allowed now`));
  for (const [type, shapes] of before) {
    const others = after.get(type);
    if (others !== undefined) found.push(...compareAlternatives({ before: shapes, after: others, type, at }, context));
  }
  return found;
}
