import { follow, type Description, type Located } from './description.ts';
import { BREAKS_BOTH, BREAKS_CLIENTS, BREAKS_IMPLEMENTERS, COMPATIBLE, type Effect } from './change.ts';
import { member, objectOf, stableJson, textOf } from './json.ts';
import {
  allowsEverything,
  allowsNothing,
  fits,
  formOf,
  identityOf,
  memberSchema,
  tagValues,
  type Conjunction,
  type JsonType,
  type Sender,
  type Shape,
} from './schema-form.ts';

/** One way in which the values that a schema allows changed. */
export interface SchemaDifference {
  readonly rule: string;
  readonly at: Located;
  /** Some value that was allowed is no longer, or it is not known that there is none. */
  readonly narrows: boolean;
  /** Some value is allowed that was not, or it is not known that there is none. */
  readonly widens: boolean;
  /** Whom it breaks beyond what follows from narrowing and widening. */
  readonly also: Effect;
  readonly message: string;
}

interface Comparison {
  readonly sender: Sender;
  /** Pairs that are being compared further up: there is nothing new to find in them. */
  readonly open: Set<string>;
  /** What the compared value is called in messages. */
  readonly name: string;
}

type Direction = 'narrows' | 'widens' | 'both' | 'neither';

function difference(
  rule: string,
  at: Located,
  direction: Direction,
  message: string,
  also: Effect = COMPATIBLE,
): SchemaDifference {
  return {
    rule,
    at,
    narrows: direction === 'narrows' || direction === 'both',
    widens: direction === 'widens' || direction === 'both',
    also,
    message,
  };
}

function toward(narrows: boolean, widens: boolean): Direction {
  if (narrows && widens) return 'both';
  return narrows ? 'narrows' : widens ? 'widens' : 'neither';
}

/**
 * Whom a difference breaks. The sender of a message breaks where fewer values are allowed (it may send one that no longer is),
 * the receiver where more are (it may get one that it does not know).
 */
export function effectOnSides({ narrows, widens, also }: SchemaDifference, sender: Sender): Effect {
  const clients = sender === 'client' ? narrows : widens;
  const implementers = sender === 'client' ? widens : narrows;
  return {
    clients: clients ? 'breaking' : also.clients,
    implementers: implementers ? 'breaking' : also.implementers,
  };
}

/**
 * Compares what two schemas allow in a message of this sender.
 *
 * @param base schemas that hold together in the older document; `head` in the newer
 * @param name what the value is called in messages
 * @returns nothing if both allow the same values and give the same members a meaning
 */
export function diffSchemas(base: Conjunction, head: Conjunction, sender: Sender, name: string): SchemaDifference[] {
  return compare(base, head, { sender, open: new Set(), name });
}

const ANYWHERE: Located = { description: { side: 'head', root: {}, old: false }, pointer: '', value: true };

/** Where to point: at the newer schema, or at the older one where there is no newer. */
function placeIn(base: Conjunction, head: Conjunction): Located {
  const [place] = [...head, ...base];
  return place === undefined ? ANYWHERE : follow(place);
}

/** What was found for a pair of schemas, by the two documents that they stand in. */
const known = new WeakMap<Description, WeakMap<Description, Map<string, readonly SchemaDifference[]>>>();

function findingsFor(base: Conjunction, head: Conjunction): Map<string, readonly SchemaDifference[]> {
  const [before, after] = [base[0]?.description, head[0]?.description];
  if (before === undefined || after === undefined) return new Map();
  const byHead = known.get(before) ?? new WeakMap<Description, Map<string, readonly SchemaDifference[]>>();
  known.set(before, byHead);
  const found = byHead.get(after) ?? new Map<string, readonly SchemaDifference[]>();
  byHead.set(after, found);
  return found;
}

/** A component is called by its name, wherever it is used. */
function nameAt({ pointer }: Located, name: string): string {
  return /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1] ?? name;
}

/** Pairs of schemas inside each other, beyond which no comparison is tried. */
const DEPTH = 500;

function compare(base: Conjunction, head: Conjunction, outer: Comparison): SchemaDifference[] {
  const pair = `${outer.sender} ${identityOf(base)}\n→\n${identityOf(head)}`;
  if (outer.open.has(pair)) return [];
  const findings = findingsFor(base, head);
  const earlier = findings.get(pair);
  if (earlier !== undefined) return [...earlier];
  const at = placeIn(base, head);
  if (outer.open.size > DEPTH) {
    return [difference('schema-not-comparable', at, 'both', `${outer.name}: the schemas are nested too deeply`)];
  }
  const context = { ...outer, name: nameAt(at, outer.name) };
  outer.open.add(pair);
  const found = once(compareForms(base, head, at, context));
  outer.open.delete(pair);
  findings.set(pair, found);
  return found;
}

/** Leaves out what is the same difference at the same place, reached on another way. */
function once(differences: readonly SchemaDifference[]): SchemaDifference[] {
  const key = ({ rule, at, message }: SchemaDifference): string => `${rule} ${at.pointer} ${message}`;
  return [...new Map(differences.map((each) => [key(each), each])).values()];
}

function compareForms(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  let forms;
  try {
    forms = [formOf(base, context.sender), formOf(head, context.sender)] as const;
  } catch {
    return [difference('schema-not-comparable', at, 'both', `${context.name}: the schema contains itself without end`)];
  }
  const [before, after] = forms;
  const gone = typeNames([...before.keys()].filter((type) => !after.has(type)));
  const come = typeNames([...after.keys()].filter((type) => !before.has(type)));
  const found: SchemaDifference[] = [];
  if (gone !== '' && come !== '') {
    found.push(difference('type-changed', at, 'both', `${context.name}: the type changes from ${gone} to ${come}`));
  } else if (gone !== '') {
    found.push(difference('type-narrowed', at, 'narrows', `${context.name}: ${gone} is no longer allowed`));
  } else if (come !== '') {
    found.push(difference('type-widened', at, 'widens', `${context.name}: ${come} is allowed now`));
  }
  for (const [type, shapes] of before) {
    const others = after.get(type);
    if (others !== undefined) found.push(...compareAlternatives(shapes, others, at, context));
  }
  return [...found, ...compareDefaults(base, head, at, context), ...compareHints(base, head, at, context)];
}

function typeNames(types: readonly JsonType[]): string {
  return types.join(', ');
}

/** The value of a keyword of a schema, also behind references and in `allOf`. */
function keyword(conjunction: Conjunction, name: string): unknown {
  for (const part of conjunction) {
    const value = member(part.value, name) ?? member(follow(part).value, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function compareDefaults(
  base: Conjunction,
  head: Conjunction,
  at: Located,
  { sender, name }: Comparison,
): SchemaDifference[] {
  const before = stableJson(keyword(base, 'default'));
  const after = stableJson(keyword(head, 'default'));
  if (before === after || sender === 'server') return [];
  if (before === 'undefined') {
    return [difference('default-added', at, 'neither', `${name}: ${after} is the default now`, BREAKS_IMPLEMENTERS)];
  }
  if (after === 'undefined') {
    return [difference('default-removed', at, 'neither', `${name}: the default ${before} is gone`, BREAKS_CLIENTS)];
  }
  const message = `${name}: the default changes from ${before} to ${after}`;
  return [difference('default-changed', at, 'neither', message, BREAKS_BOTH)];
}

/** Keywords that steer how a value is read and written: `discriminator`, `xml`. */
function compareHints(base: Conjunction, head: Conjunction, at: Located, { name }: Comparison): SchemaDifference[] {
  const found: SchemaDifference[] = [];
  const [before, after] = [keyword(base, 'discriminator'), keyword(head, 'discriminator')].map(objectOf);
  const [tag, newTag] = [textOf(before?.propertyName), textOf(after?.propertyName)];
  if (tag !== newTag) {
    const direction = tag !== undefined && newTag !== undefined ? 'both' : 'neither';
    found.push(difference('discriminator-changed', at, direction, `${name}: the discriminator is ${newTag ?? 'gone'}`));
  } else if (tag !== undefined) {
    const mapping = objectOf(before?.mapping);
    const newMapping = objectOf(after?.mapping);
    for (const [value, target] of Object.entries(mapping)) {
      const newTarget = member(newMapping, value);
      if (newTarget === undefined || !sameTarget(base, target, head, newTarget)) {
        const message = `${name}: the discriminator's value ${JSON.stringify(value)} stands for something else`;
        found.push(difference('discriminator-mapping-changed', at, 'both', message));
      }
    }
  }
  const [xml, newXml] = [keyword(base, 'xml'), keyword(head, 'xml')].map(stableJson);
  if (xml !== newXml) found.push(difference('xml-changed', at, 'both', `${name}: the XML form changes`));
  return found;
}

/** Whether a mapping leads to the same schema, whatever the component is called. */
function sameTarget(base: Conjunction, target: unknown, head: Conjunction, newTarget: unknown): boolean {
  if (target === newTarget) return true;
  const [before, after] = [base[0], head[0]];
  if (before === undefined || after === undefined) return false;
  const resolved = (from: Located, reference: unknown): unknown => {
    const text = String(reference);
    const $ref = text.includes('/') ? text : `#/components/schemas/${text}`;
    return follow({ ...from, value: { $ref } }).value;
  };
  return stableJson(resolved(before, target)) === stableJson(resolved(after, newTarget));
}

/** Compares the alternatives that two schemas leave for one type. */
function compareAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  at: Located,
  context: Comparison,
): SchemaDifference[] {
  const [only] = before;
  const [newOnly] = after;
  if (only !== undefined && newOnly !== undefined && before.length === 1 && after.length === 1) {
    return compareShapes(only, newOnly, context);
  }
  const { pairs, removed, added } = matchAlternatives(before, after, context);
  const found = pairs.flatMap(({ differences }) => differences);
  for (const shape of removed) {
    const covered = after.some((other) => !compareShapes(shape, other, context).some(({ narrows }) => narrows));
    const message = `${context.name}: an alternative${nameOf(shape)} is gone`;
    if (!covered) found.push(difference('alternative-removed', shape.pointer, 'narrows', message));
  }
  for (const shape of added) {
    const covered = before.some((other) => !compareShapes(other, shape, context).some(({ widens }) => widens));
    const message = `${context.name}: an alternative${nameOf(shape)} is allowed now`;
    if (!covered) found.push(difference('alternative-added', shape.pointer, 'widens', message));
  }
  const wasExclusive = before.some(({ exclusive }) => exclusive);
  const isExclusive = after.some(({ exclusive }) => exclusive);
  if (wasExclusive !== isExclusive && removed.length === 0 && added.length === 0) {
    const direction = toward(isExclusive, wasExclusive);
    const message = `${context.name}: ${isExclusive ? 'exactly one' : 'more than one'} of the alternatives may fit`;
    found.push(difference('alternatives-exclusive', at, direction, message));
  }
  return found;
}

function nameOf({ name }: Shape): string {
  return name === undefined ? '' : ` (${name})`;
}

interface Pairing {
  readonly pairs: readonly { readonly differences: readonly SchemaDifference[] }[];
  readonly removed: readonly Shape[];
  readonly added: readonly Shape[];
}

/** Finds which alternative became which: by name and tag, by what is written, by what they allow, then a last pair. */
function matchAlternatives(before: readonly Shape[], after: readonly Shape[], context: Comparison): Pairing {
  let removed = [...before];
  let added = [...after];
  const pairs: { differences: SchemaDifference[] }[] = [];
  const pair = (same: (one: Shape, other: Shape) => boolean): void => {
    for (const one of [...removed]) {
      const other = added.find((each) => same(one, each));
      if (other === undefined) continue;
      pairs.push({ differences: compareShapes(one, other, context) });
      removed = removed.filter((each) => each !== one);
      added = added.filter((each) => each !== other);
    }
  };
  pair((one, other) => one.name !== undefined && one.name === other.name && tagOf(one) === tagOf(other));
  pair((one, other) => stableJson(one.pointer.value) === stableJson(other.pointer.value));
  pair((one, other) => tagOf(one) !== undefined && tagOf(one) === tagOf(other));
  pair((one, other) => compareShapes(one, other, context).length === 0);
  pair((one, other) => one.name !== undefined && one.name === other.name);
  if (removed.length === 1 && added.length === 1) pair(() => true);
  return { pairs, removed, added };
}

/** The values of required members that have only one, which is how alternatives are told apart. */
function tagOf(shape: Shape): string | undefined {
  const tags = [...shape.required].sort().flatMap((name) => {
    const values = tagValues(shape.properties.get(name));
    return values?.length === 1 ? [`${name}=${values.join()}`] : [];
  });
  return tags.length === 0 ? undefined : tags.join('&');
}

function compareShapes(base: Shape, head: Shape, context: Comparison): SchemaDifference[] {
  const at = head.pointer.pointer === '' ? base.pointer : head.pointer;
  return [
    ...compareValues(base, head, at, context),
    ...compareBounds(base, head, at, context),
    ...compareSets(base, head, at, context),
    ...compareItems(base, head, context),
    ...compareMembers(base, head, at, context),
    ...compareOpaque(base, head, at, context),
  ];
}

function listOf(values: Iterable<string>): string {
  return [...values].join(', ');
}

function compareValues(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  const { values: before } = base;
  const { values: after } = head;
  if (before === undefined && after === undefined) return [];
  if (before === undefined) {
    const widens = ![...(after ?? [])].every((value) => satisfies(value, base));
    return [difference('enum-added', at, toward(true, widens), `${name}: only ${listOf(after ?? [])} is allowed now`)];
  }
  if (after === undefined) {
    const narrows = ![...before].every((value) => satisfies(value, head));
    return [difference('enum-removed', at, toward(narrows, true), `${name}: any value is allowed now`)];
  }
  const removed = [...before].filter((value) => !after.has(value));
  const added = [...after].filter((value) => !before.has(value));
  return [
    ...(removed.length > 0
      ? [difference('enum-values-removed', at, 'narrows', `${name}: ${listOf(removed)} is no longer allowed`)]
      : []),
    ...(added.length > 0
      ? [difference('enum-values-added', at, 'widens', `${name}: ${listOf(added)} is allowed now`)]
      : []),
  ];
}

/** Whether a value (as JSON text) certainly satisfies what an alternative without a list of values demands. */
function satisfies(json: string, shape: Shape): boolean {
  const value: unknown = JSON.parse(json);
  if (shape.opaque.size > 0) return false;
  if (typeof value === 'string') {
    const length = Array.from(value).length;
    return (
      shape.formats.size === 0 &&
      [...shape.patterns].every((pattern) => fits(pattern, value)) &&
      length >= shape.least &&
      length <= shape.most
    );
  }
  if (typeof value === 'number') {
    const { minimum, maximum } = shape;
    return (
      shape.multiples.every((multiple) => isMultiple(value, multiple)) &&
      (minimum === undefined || value > minimum.value || (value === minimum.value && !minimum.exclusive)) &&
      (maximum === undefined || value < maximum.value || (value === maximum.value && !maximum.exclusive))
    );
  }
  return typeof value === 'boolean';
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** A list of values makes bounds beside it idle where both documents have it: only the values are compared then. */
function bothListed(base: Shape, head: Shape): boolean {
  return base.values !== undefined || head.values !== undefined;
}

function compareBounds(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  if (bothListed(base, head)) return [];
  const found: SchemaDifference[] = [];
  const bound = (what: 'minimum' | 'maximum', sign: 1 | -1): void => {
    const [before, after] = [base[what], head[what]];
    const position = (each: typeof before): number => (each === undefined ? -Infinity : sign * each.value);
    const tighter =
      position(after) - position(before) || Number(after?.exclusive ?? false) - Number(before?.exclusive ?? false);
    if (before === after || Number.isNaN(tighter) || tighter === 0) return;
    const show = (each: typeof before): string =>
      each === undefined ? 'none' : `${each.value}${each.exclusive ? ' (exclusive)' : ''}`;
    const rule = `${what}-${tighter > 0 ? 'tightened' : 'loosened'}`;
    const message = `${name}: the ${what} changes from ${show(before)} to ${show(after)}`;
    found.push(difference(rule, at, tighter > 0 ? 'narrows' : 'widens', message));
  };
  bound('minimum', 1);
  bound('maximum', -1);
  if (base.least !== head.least) {
    const message = `${name}: the least length or number changes from ${base.least} to ${head.least}`;
    found.push(difference('minimum-size-changed', at, head.least > base.least ? 'narrows' : 'widens', message));
  }
  if (base.most !== head.most) {
    const show = (most: number): string => (most === Infinity ? 'none' : String(most));
    const message = `${name}: the greatest length or number changes from ${show(base.most)} to ${show(head.most)}`;
    found.push(difference('maximum-size-changed', at, head.most < base.most ? 'narrows' : 'widens', message));
  }
  if (base.unique !== head.unique) {
    const message = `${name}: elements ${head.unique ? 'must differ now' : 'may repeat now'}`;
    found.push(difference('unique-items-changed', at, head.unique ? 'narrows' : 'widens', message));
  }
  const within = (inner: Shape, outer: Shape): boolean =>
    outer.multiples.every((each) => inner.multiples.some((own) => isMultiple(own, each)));
  const [narrows, widens] = [!within(base, head), !within(head, base)];
  if (narrows || widens) {
    const show = ({ multiples }: Shape): string =>
      multiples.length === 0
        ? 'any number'
        : multiples.map((each) => (each === 1 ? 'whole numbers' : `multiples of ${each}`)).join(' and ');
    const message = `${name}: what is allowed changes from ${show(base)} to ${show(head)}`;
    found.push(difference('multiple-of-changed', at, toward(narrows, widens), message));
  }
  return found;
}

/** Formats of which the first one's values are all values of the second, too. */
const FORMAT_WITHIN: readonly (readonly [string, string])[] = [
  ['int8', 'int16'],
  ['int16', 'int32'],
  ['int32', 'int64'],
  ['uint8', 'int16'],
  ['float', 'double'],
  ['email', 'idn-email'],
  ['hostname', 'idn-hostname'],
  ['uri', 'iri'],
  ['uri', 'uri-reference'],
  ['uri-reference', 'iri-reference'],
];

function formatWithin(inner: string, outer: string): boolean {
  if (inner === outer) return true;
  return FORMAT_WITHIN.some(([from, to]) => from === inner && formatWithin(to, outer));
}

function compareSets(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  if (bothListed(base, head)) return [];
  const found: SchemaDifference[] = [];
  const within = (inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean =>
    [...outer].every((each) => [...inner].some((own) => formatWithin(own, each)));
  const compareSet = (rule: string, what: string, before: ReadonlySet<string>, after: ReadonlySet<string>): void => {
    const [narrows, widens] = [!within(before, after), !within(after, before)];
    const show = (each: ReadonlySet<string>): string => (each.size === 0 ? 'none' : listOf(each));
    const message = `${name}: the ${what} changes from ${show(before)} to ${show(after)}`;
    if (narrows || widens) found.push(difference(rule, at, toward(narrows, widens), message));
  };
  compareSet('format-changed', 'format', base.formats, head.formats);
  compareSet('pattern-changed', 'pattern', base.patterns, head.patterns);
  return found;
}

function compareItems(base: Shape, head: Shape, context: Comparison): SchemaDifference[] {
  const found: SchemaDifference[] = [];
  const places = Math.max(base.leading.length, head.leading.length);
  for (let index = 0; index < places; index += 1) {
    const [before, after] = [base.leading[index] ?? base.items, head.leading[index] ?? head.items];
    found.push(...compare(before, after, { ...context, name: `${context.name}[${index}]` }));
  }
  return [...found, ...compare(base.items, head.items, { ...context, name: `${context.name}[]` })];
}

function namesOf({ properties, required }: Shape): readonly string[] {
  return [...new Set([...properties.keys(), ...required])];
}

function isOpenObject({ additional }: Shape): boolean {
  return additional === undefined || allowsEverything(additional);
}

function compareMembers(base: Shape, head: Shape, at: Located, context: Comparison): SchemaDifference[] {
  const found: SchemaDifference[] = [];
  for (const name of new Set([...namesOf(base), ...namesOf(head)])) {
    const inside = { ...context, name: context.name === '' ? name : `${context.name}.${name}` };
    const known = base.properties.has(name) || base.required.has(name);
    const stays = head.properties.has(name) || head.required.has(name);
    if (!known) found.push(...memberAdded(base, head, name, at, inside));
    else if (!stays) found.push(...memberRemoved(base, head, name, inside));
    else found.push(...memberKept(base, head, name, at, inside));
  }
  return [...found, ...compareOtherMembers(base, head, at, context)];
}

function memberKept(base: Shape, head: Shape, name: string, at: Located, context: Comparison): SchemaDifference[] {
  const found = compare(memberSchema(base, name), memberSchema(head, name), context);
  const place = head.properties.get(name)?.[0] ?? at;
  if (!base.required.has(name) && head.required.has(name)) {
    found.push(difference('member-required', place, 'narrows', `${context.name} is required now`));
  }
  if (base.required.has(name) && !head.required.has(name)) {
    found.push(difference('member-optional', place, 'widens', `${context.name} is no longer required`));
  }
  return found;
}

function memberAdded(base: Shape, head: Shape, name: string, at: Located, context: Comparison): SchemaDifference[] {
  const { sender } = context;
  const added = memberSchema(head, name);
  const place = head.properties.get(name)?.[0] ?? at;
  const required = head.required.has(name);
  const before = memberSchema(base, name);
  if (allowsNothing(added, sender)) {
    const direction = allowsNothing(before, sender) ? 'neither' : 'narrows';
    return [difference('member-forbidden', place, direction, `${context.name} is forbidden now`)];
  }
  // Where nothing was said of the member, nobody could count on a value of it; so any schema for it is no narrowing.
  const differences = allowsEverything(before) ? [] : compare(before, added, context);
  const wasForbidden = allowsNothing(before, sender);
  const narrows = required || differences.some((each) => each.narrows);
  const widens = wasForbidden || differences.some((each) => each.widens);
  const honour = sender === 'client' ? BREAKS_IMPLEMENTERS : COMPATIBLE;
  return [
    difference(
      required ? 'required-member-added' : 'member-added',
      place,
      toward(narrows, widens),
      `${context.name} is new${required ? ' and required' : ''}`,
      honour,
    ),
  ];
}

function memberRemoved(base: Shape, head: Shape, name: string, context: Comparison): SchemaDifference[] {
  const { sender } = context;
  const removed = memberSchema(base, name);
  const place = base.properties.get(name)?.[0] ?? base.pointer;
  const after = memberSchema(head, name);
  if (allowsNothing(removed, sender)) {
    const direction = allowsNothing(after, sender) ? 'neither' : 'widens';
    return [difference('member-no-longer-forbidden', place, direction, `${context.name} is no longer forbidden`)];
  }
  const differences = allowsEverything(after) ? [] : compare(removed, after, context);
  const narrows = differences.some((each) => each.narrows);
  const widens = base.required.has(name) || differences.some((each) => each.widens);
  return [difference('member-removed', place, toward(narrows, widens), `${context.name} is gone`, BREAKS_CLIENTS)];
}

/** Members that neither document names. */
function compareOtherMembers(base: Shape, head: Shape, at: Located, context: Comparison): SchemaDifference[] {
  const { sender, name } = context;
  const found: SchemaDifference[] = [];
  const patterns = new Set([...base.byPattern.keys(), ...head.byPattern.keys()]);
  for (const pattern of patterns) {
    const [before, after] = [base.byPattern.get(pattern), head.byPattern.get(pattern)];
    const inside = { ...context, name: `${name}./${pattern}/` };
    found.push(...compare(before ?? base.additional ?? [], after ?? head.additional ?? [], inside));
  }
  const place = head.additional?.[0] ?? base.additional?.[0] ?? at;
  const [before, after] = [base.additional ?? [], head.additional ?? []];
  const [wasClosed, isClosed] = [allowsNothing(before, sender), allowsNothing(after, sender)];
  if (wasClosed !== isClosed) {
    const message = `${name}: members that are not listed are ${isClosed ? 'forbidden' : 'allowed'} now`;
    const rule = isClosed ? 'other-members-forbidden' : 'other-members-allowed';
    found.push(difference(rule, place, isClosed ? 'narrows' : 'widens', message));
  } else if (isOpenObject(base) !== isOpenObject(head) || !isOpenObject(base)) {
    found.push(...compare(before, after, { ...context, name: `${name}.*` }));
  }
  return found;
}

/** Keywords whose meaning is not computed: a change is taken for both narrower and wider, an addition for narrower. */
function compareOpaque(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  const keywords = new Set([...base.opaque.keys(), ...head.opaque.keys()]);
  return [...keywords].flatMap((each) => {
    const before = base.opaque.get(each);
    const after = head.opaque.get(each);
    if (stableJson([...(before ?? [])].sort()) === stableJson([...(after ?? [])].sort())) return [];
    // `then` and `else` may be the looser for being there; the others only add demands.
    const demand = !['if', 'then', 'else', 'minContains', 'maxContains'].includes(each);
    const direction = demand && before === undefined ? 'narrows' : demand && after === undefined ? 'widens' : 'both';
    return [difference('constraint-changed', at, direction, `${name}: \`${each}\` changes`)];
  });
}
