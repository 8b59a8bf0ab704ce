import { follow, pointerOf, type Description, type Located } from '../description.ts';
import { BREAKS_BOTH, BREAKS_CLIENTS, BREAKS_IMPLEMENTERS, COMPATIBLE, worseEffect, type Effect } from '../change.ts';
import { below } from '../../../common/json.ts';
import { arrayOf, member, objectOf, stableJson, textOf } from '../../json.ts';
import { allowsEverything, allowsNothing, eachOnce, formOf, identityOf, reading, tagValues } from './normalize.ts';
import {
  isFree,
  memberSchema,
  type Branches,
  type Conjunction,
  type Form,
  type JsonType,
  type Sender,
  type Shape,
} from './value-set.ts';
import { admits, isMultiple, isPlainList, listed } from './schema-values.ts';

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
  readonly medium: Medium;
}

/**
 * How a value is written: `text` without quotes, so that `1` is a number and a text, as in a query or a header; a `form` whose fields
 * are written so, each a `field` whose members are JSON.
 */
export type Medium = 'json' | 'xml' | 'text' | 'form' | 'field';

function isText(medium: Medium): boolean {
  return medium === 'text' || medium === 'field';
}

/** How the members of an object are written. */
function mediumOfMembers(medium: Medium): Medium {
  return medium === 'form' ? 'field' : medium === 'field' ? 'json' : medium;
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
 * @param medium how the value is written
 * @returns nothing if both allow the same values and give the same members a meaning
 */
export function diffSchemas(
  base: Conjunction,
  head: Conjunction,
  sender: Sender,
  name: string,
  medium: Medium,
): SchemaDifference[] {
  return compare(base, head, { sender, open: new Set(), name, medium });
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

/** Pairs of schemas of two documents, beyond which none of three schemas and more at one place is compared: they can multiply. */
const PAIRS = 5_000;

/** Schemas that hold together at one place, beyond which they are not compared: where components contain each other they can multiply. */
const TOGETHER = 12;

function compare(before: Conjunction, after: Conjunction, outer: Comparison): SchemaDifference[] {
  const [base, head] = [eachOnce(before), eachOnce(after)];
  const pair = `${outer.sender} ${outer.medium} ${identityOf(base)}\n→\n${identityOf(head)}`;
  if (outer.open.has(pair)) return [];
  const findings = findingsFor(base, head);
  const earlier = findings.get(pair);
  if (earlier !== undefined) return [...earlier];
  const at = placeIn(base, head);
  const together = Math.max(base.length, head.length);
  if (outer.open.size > DEPTH || (together > 2 && findings.size > PAIRS) || together > TOGETHER) {
    return [difference('schema-not-comparable', at, 'both', `${outer.name}: the schemas are nested too deeply`)];
  }
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
    found.set(key, {
      ...each,
      narrows: each.narrows || earlier.narrows,
      widens: each.widens || earlier.widens,
      also: worseEffect(each.also, earlier.also),
    });
  }
  return [...found.values()];
}

function compareForms(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  let forms;
  try {
    forms = [formOf(base, context.sender), formOf(head, context.sender)] as const;
  } catch {
    return [difference('schema-not-comparable', at, 'both', `${context.name}: the schema contains itself without end`)];
  }
  const [before, after] = isText(context.medium) ? asTexts(...forms) : forms;
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
  { sender, name, medium }: Comparison,
): SchemaDifference[] {
  const [before = 'undefined', after = 'undefined'] = [base, head].map((each) => {
    const value = keyword(each, 'default');
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    return stableJson(isText(medium) && scalar ? String(value) : value);
  });
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
function compareHints(base: Conjunction, head: Conjunction, at: Located, context: Comparison): SchemaDifference[] {
  const { name } = context;
  const found: SchemaDifference[] = [];
  const [before, after] = [told(base), told(head)];
  if (before?.member !== after?.member) {
    const direction = before !== undefined && after !== undefined ? 'both' : 'neither';
    const message = `${name}: the discriminator is ${after?.member ?? 'gone'}`;
    found.push(difference('discriminator-changed', at, direction, message));
  } else if (before !== undefined && after !== undefined) {
    found.push(...compareTold(before.schemas, after.schemas, at, context));
  }
  const [xml, newXml] = [keyword(base, 'xml'), keyword(head, 'xml')].map(stableJson);
  if (context.medium === 'xml' && xml !== newXml)
    found.push(difference('xml-changed', at, 'both', `${name}: the XML form changes`));
  return found;
}

/** What the values of a discriminator stand for. */
interface Told {
  readonly member: string;
  readonly schemas: ReadonlyMap<string, Located>;
}

function told(conjunction: Conjunction): Told | undefined {
  for (const part of conjunction.flatMap((each) => [each, follow(each)])) {
    const discriminator = member(part.value, 'discriminator');
    const name = textOf(member(discriminator, 'propertyName'));
    if (name !== undefined) return { member: name, schemas: toldSchemas(part, name, objectOf(discriminator)) };
  }
  return undefined;
}

/** By `mapping`; what that leaves out, by the value that the alternative itself lists, or by the name of its component. */
function toldSchemas(
  part: Located,
  name: string,
  { mapping }: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Located> {
  const at = (reference: string): Located => follow({ ...part, value: { $ref: reference } });
  const mapped = Object.entries(objectOf(mapping)).map(([value, target]): [string, Located] => {
    const text = String(target);
    return [value, at(text.includes('/') ? text : `#/components/schemas/${text}`)];
  });
  const known = new Set(mapped.map(([, { pointer }]) => pointer));
  const others = alternativesOf(part)
    .map((reference): [string, Located] => [reference, at(reference)])
    .filter(([, schema]) => !known.has(schema.pointer))
    .flatMap(([reference, schema]): [string, Located][] => {
      const values = tagValues([
        { ...schema, pointer: below(schema.pointer, 'properties', name), value: memberOf(schema, name) },
      ]);
      const names = values?.map((value) => String(JSON.parse(value))) ?? [reference.split('/').at(-1) ?? reference];
      return names.map((each) => [each, schema]);
    });
  return new Map([...mapped, ...others]);
}

function memberOf(schema: Located, name: string): unknown {
  return member(member(schema.value, 'properties'), name);
}

/** References to the alternatives of a schema with a discriminator: those that it lists, else the components made of it by `allOf`. */
function alternativesOf({ description, pointer, value }: Located): readonly string[] {
  const references = (list: unknown): readonly string[] =>
    arrayOf(list).flatMap((each) => textOf(member(each, '$ref')) ?? []);
  const listed = [...references(member(value, 'oneOf')), ...references(member(value, 'anyOf'))];
  if (listed.length > 0) return listed;
  const components = objectOf(member(member(description.root, 'components'), 'schemas'));
  return Object.entries(components)
    .filter(([, schema]) => references(member(schema, 'allOf')).some((each) => pointerOf(each) === pointer))
    .map(([name]) => `#${below('/components/schemas', name)}`);
}

function compareTold(
  before: ReadonlyMap<string, Located>,
  after: ReadonlyMap<string, Located>,
  at: Located,
  context: Comparison,
): SchemaDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((value) => {
    const [old, now] = [before.get(value), after.get(value)];
    const label = `${context.name}: the discriminator's value ${JSON.stringify(value)}`;
    if (old === undefined) return [difference('discriminator-value-added', at, 'widens', `${label} is new`)];
    if (now === undefined) return [difference('discriminator-value-removed', at, 'narrows', `${label} is gone`)];
    // A component of the same name is compared where it is used.
    if (old.pointer === now.pointer) return [];
    const [narrows, widens] = changesOf(compare([old], [now], { ...context, name: label }));
    if (!narrows && !widens) return [];
    const message = `${label} stands for something else`;
    return [difference('discriminator-mapping-changed', at, toward(narrows, widens), message)];
  });
}

function changesOf(differences: readonly SchemaDifference[]): readonly [boolean, boolean] {
  return [differences.some(({ narrows }) => narrows), differences.some(({ widens }) => widens)];
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
  if (only !== undefined && newOnly !== undefined && before.length === 1 && after.length === 1) {
    return compareShapes(only, newOnly, type, context);
  }
  const { pairs, removed, added } = matchAlternatives(before, after, type, context);
  const found = pairs.flatMap(({ differences }) => differences);
  for (const shape of removed) {
    const covered = after.some((other) => !compareShapes(shape, other, type, context).some(({ narrows }) => narrows));
    const message = `${context.name}: an alternative${nameOf(shape)} is gone`;
    if (!covered) found.push(difference('alternative-removed', shape.pointer, 'narrows', message));
  }
  for (const shape of added) {
    const covered = before.some((other) => !compareShapes(other, shape, type, context).some(({ widens }) => widens));
    const message = `${context.name}: an alternative${nameOf(shape)} is allowed now`;
    if (!covered) found.push(difference('alternative-added', shape.pointer, 'widens', message));
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
function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  type: JsonType,
  context: Comparison,
): Pairing {
  let removed = [...before];
  let added = [...after];
  const pairs: { differences: SchemaDifference[] }[] = [];
  const pair = (same: (one: Shape, other: Shape) => boolean): void => {
    for (const one of [...removed]) {
      const other = added.find((each) => same(one, each));
      if (other === undefined) continue;
      pairs.push({ differences: compareShapes(one, other, type, context) });
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

function compareShapes(base: Shape, head: Shape, type: JsonType, context: Comparison): SchemaDifference[] {
  const at = head.pointer.pointer === '' ? base.pointer : head.pointer;
  const values = compareValues(base, head, type, at, context);
  const told = [base, head].filter((shape) => shape.values !== undefined);
  if (told.length > 0 && told.every(isPlainList)) return values;
  return [
    ...values,
    ...compareBounds(base, head, at, context),
    ...compareSets(base, head, at, context),
    ...compareItems(base, head, context),
    ...compareMembers(base, head, at, context),
    ...compareOpaque(base, head, at, context),
    ...compareExclusive(base, head, type, at, context),
  ];
}

function listOf(values: Iterable<string>): string {
  return [...values].join(', ');
}

function compareValues(
  base: Shape,
  head: Shape,
  type: JsonType,
  at: Located,
  { name, sender }: Comparison,
): SchemaDifference[] {
  if (base.values === undefined && head.values === undefined) return [];
  const read = reading(sender);
  // The values of a list keep the format that stands beside it.
  const keeps = (value: string, from: Shape, shape: Shape): boolean => {
    const formats = [...shape.formats].filter((each) => ![...from.formats].some((own) => formatWithin(own, each)));
    return admits({ ...shape, formats: new Set(formats) }, JSON.parse(value), read) === true;
  };
  const [before, after] = [listed(base, type), listed(head, type)];
  if (before === undefined) {
    const widens = ![...(after ?? [])].every((value) => keeps(value, head, base));
    return [difference('enum-added', at, toward(true, widens), `${name}: only ${listOf(after ?? [])} is allowed now`)];
  }
  if (after === undefined) {
    const narrows = ![...before].every((value) => keeps(value, base, head));
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
  const members = { ...context, medium: mediumOfMembers(context.medium) };
  for (const name of new Set([...namesOf(base), ...namesOf(head)])) {
    const inside = { ...members, name: context.name === '' ? name : `${context.name}.${name}` };
    const known = base.properties.has(name) || base.required.has(name);
    const stays = head.properties.has(name) || head.required.has(name);
    if (!known) found.push(...memberAdded(base, head, name, at, inside));
    else if (!stays) found.push(...memberRemoved(base, head, name, inside));
    else found.push(...memberKept(base, head, name, at, inside));
  }
  return [...found, ...compareOtherMembers(base, head, at, members)];
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

/** Whether two patterns begin with fixed texts that no name can both begin with. */
function neverTogether(one: string, other: string): boolean {
  const [start = '', otherStart = ''] = [one, other].map((each) => /^\^([\w-]*)(?![\w\-?*{|])/.exec(each)?.[1]);
  const anyChoice = one.includes('|') || other.includes('|');
  return !anyChoice && !start.startsWith(otherStart) && !otherStart.startsWith(start);
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
    if (before !== undefined && after !== undefined) continue;
    // A name that fits another pattern, too, has to be what both say.
    const [beside, comes] = before === undefined ? [base, true] : [head, false];
    for (const [other, schema] of beside.byPattern) {
      if (other === pattern || neverTogether(pattern, other)) continue;
      const together = [...schema, ...(before ?? after ?? [])];
      found.push(...(comes ? compare(schema, together, inside) : compare(together, schema, inside)));
    }
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

/** Keywords whose meaning is not computed: one demand more narrows, one less widens, another one does both. */
function compareOpaque(base: Shape, head: Shape, at: Located, { name }: Comparison): SchemaDifference[] {
  const keywords = new Set([...base.opaque.keys(), ...head.opaque.keys()]);
  return [...keywords].flatMap((each) => {
    const [before, after] = [base, head].map(({ opaque }) => opaque.get(each) ?? new Set<string>());
    const narrows = [...(after ?? [])].some((demand) => !before?.has(demand));
    const widens = [...(before ?? [])].some((demand) => !after?.has(demand));
    if (!narrows && !widens) return [];
    return [difference('constraint-changed', at, toward(narrows, widens), `${name}: \`${each}\` changes`)];
  });
}

/** Alternatives of which exactly one may fit: which values lie in several of them is not computed. */
function compareExclusive(
  base: Shape,
  head: Shape,
  type: JsonType,
  at: Located,
  context: Comparison,
): SchemaDifference[] {
  const same = (before: Branches, after: Branches): boolean =>
    before.length === after.length && pairsUp(before, after, (one, other) => sameValues(one, other, type, context));
  const [narrows, widens] = [
    !head.exclusive.every((after) => base.exclusive.some((before) => same(before, after))),
    !base.exclusive.every((before) => head.exclusive.some((after) => same(before, after))),
  ];
  if (!narrows && !widens) return [];
  const message = `${context.name}: the values that fit more than one alternative of a \`oneOf\` change`;
  return [difference('alternatives-exclusive', at, toward(narrows, widens), message)];
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
  const [narrows, widens] = changesOf(compareAlternatives(before, after, type, ANYWHERE, context));
  return !narrows && !widens;
}
