import { readFileSync } from 'node:fs';
import { stepsOf } from '../../common/json.ts';
import { parse } from 'yaml';
import type { Verdict } from '../src/change.ts';
import type { Description } from '../src/documents/description.ts';
import { describeText } from '../src/load.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}
export type Schema = JsonObject | boolean;
export type Document = JsonObject;

/** What the judge has to say. What is left out may be either: two careful readers may disagree there. */
interface Outcome {
  readonly clients: Verdict;
  readonly implementers?: Verdict;
  readonly bump?: readonly string[];
}

const COMPATIBLE = { clients: 'compatible', implementers: 'compatible' } as const;

const OUTCOMES = {
  /** No text and no meaning differs. */
  nothing: { ...COMPATIBLE, bump: ['none'] },
  /** Both documents mean the same. */
  same: { ...COMPATIBLE, bump: ['none', 'patch'] },
  /** Only what people read differs. */
  wording: { ...COMPATIBLE, bump: ['patch'] },
  /** A note for readers or generators. It binds nobody on the wire. */
  notice: { ...COMPATIBLE, bump: ['patch', 'minor'] },
  /** More than words, but nobody has to do anything. */
  addition: { ...COMPATIBLE, bump: ['minor'] },
  compatible: COMPATIBLE,
  'breaks clients': { clients: 'breaking', implementers: 'compatible', bump: ['major'] },
  'breaks implementers': { clients: 'compatible', implementers: 'breaking', bump: ['minor'] },
  'breaks both': { clients: 'breaking', implementers: 'breaking', bump: ['major'] },
  'breaks clients at least': { clients: 'breaking', bump: ['major'] },
} as const satisfies Record<string, Outcome>;

type Expected = keyof typeof OUTCOMES;

/** Two documents, and the right judgement of the step from the first to the second. */
export interface Case {
  readonly name: string;
  /** A document, or the text of one. */
  readonly base: Document | string;
  readonly head: Document | string;
  readonly expected: Outcome;
  /** The client that fails, the server that no longer conforms, or the reason why both documents mean the same. */
  readonly why?: string;
}

type Edit =
  | readonly ['put', place: string, value: Json]
  | readonly ['drop' | 'reverse', place: string, none?: undefined]
  | readonly ['move', from: string, to: string];

/** One entry of a file of cases, which has them by the document that both sides start from; `texts` have no such document. */
interface Entry {
  readonly name: string;
  /** The place whose value differs: `base` and `head` are then the two values. */
  readonly at?: string;
  /** Values that fill in the document, edits of it, or the text of another one; without it, the document as it is. */
  readonly base?: Json | readonly Edit[];
  /** Values that fill in the document, edits of the base, or the text of another one; without it, the base. */
  readonly head?: Json | readonly Edit[];
  /** The judgement of the step from base to head. */
  readonly expect?: Expected;
  /** The judgement of the step from head to base. */
  readonly back?: Expected;
  /** The judgement of either step. */
  readonly both?: Expected;
  readonly why?: string;
}

/** The documents that cases start from, by name, and names for places in them. */
interface Start {
  readonly places: Readonly<Record<string, string>>;
  readonly documents: Readonly<Record<string, Document>>;
}

function read(name: string): unknown {
  return parse(readFileSync(new URL(`cases/${name}.yaml`, import.meta.url), 'utf8'), { merge: true });
}

const start = read('documents') as Start;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The document of this name with its `$` texts filled in; what it does not ask for becomes a member of its root. */
export function filledIn(name: string, values: JsonObject = {}): Document {
  const used = new Set<string>();
  const fill = (node: Json): Json | undefined => {
    if (typeof node === 'string' && /^\$\w+$/.test(node)) {
      used.add(node.slice(1));
      return values[node.slice(1)];
    }
    if (Array.isArray(node)) return (node as readonly Json[]).map((each) => fill(each) ?? null);
    if (!isObject(node)) return node;
    const filled = Object.entries(node).flatMap(([key, each]): [string, Json][] => {
      const value = fill(each);
      if (key === '...') return Object.entries((value ?? {}) as JsonObject);
      return value === undefined ? [] : [[key, value]];
    });
    return Object.fromEntries(filled);
  };
  const document = start.documents[name];
  if (document === undefined) throw new Error(`there is no document ${name}`);
  const filled = fill(document) as Document;
  return { ...filled, ...Object.fromEntries(Object.entries(values).filter(([key]) => !used.has(key))) };
}

/** The object or array that holds a place, and the key there. A place is a JSON pointer, or begins with a name. */
function holderOf(document: Document, place: string): readonly [Record<string, Json>, string] {
  const [, name = '', rest = ''] = /^([^/]*)(.*)$/.exec(place) ?? [];
  const pointer = name === '' ? '' : start.places[name];
  if (pointer === undefined) throw new Error(`${place}: there is no ${name}`);
  const steps = stepsOf(`${pointer}${rest}`);
  const key = steps.pop() ?? '';
  const holder = steps.reduce<Json | undefined>((node, step) => (node as JsonObject | undefined)?.[step], document);
  if (typeof holder !== 'object' || holder === null) throw new Error(`${place}: nothing holds it`);
  return [holder as Record<string, Json>, key];
}

/** An array in the opposite order, or an object with the members of every object in the opposite order. */
export function reversed(value: Json): Json {
  const deep = (node: Json): Json => {
    if (Array.isArray(node)) return (node as readonly Json[]).map(deep);
    if (!isObject(node)) return node;
    const members = Object.entries(node).map(([key, each]): [string, Json] => [key, deep(each)]);
    return Object.fromEntries(members.reverse());
  };
  return Array.isArray(value) ? [...(value as readonly Json[])].reverse() : deep(value);
}

/** A copy of a document with the edits made one after the other. Throws where an edit finds nothing to change. */
function edited(document: Document, edits: readonly Edit[]): Document {
  return edits.reduce(changed, document);
}

function changed(document: Document, [what, place, given]: Edit): Document {
  const copy = structuredClone(document);
  const [holder, key] = holderOf(copy, place);
  const value = what === 'put' ? given : holder[key];
  if (value === undefined) throw new Error(`${place}: nothing is there`);
  if (what === 'drop' || what === 'move') takeOut(holder, key);
  if (what === 'drop') return copy;
  const [target, name] = what === 'move' ? holderOf(copy, given) : [holder, key];
  const next = structuredClone(what === 'reverse' ? reversed(value) : value);
  if (Array.isArray(target) && name === '-') target.push(next);
  else target[name] = next;
  return copy;
}

function takeOut(holder: Record<string, Json>, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}

/** One side of an entry, from its document or, for the head, from the base. */
function side(name: string, before: Document | string | undefined, given: Entry['base']): Document | string {
  if (typeof given === 'string') return given;
  if (isObject(given)) return name === 'texts' ? given : filledIn(name, given);
  return edited((before ?? filledIn(name)) as Document, (given ?? []) as readonly Edit[]);
}

function casesOf(file: string, document: string, entry: Entry): readonly Case[] {
  const { at, both, expect = both, back = both, why } = entry;
  const [base, head] = [entry.base, entry.head].map((given) =>
    at === undefined ? given : [['put', at, given] as const],
  );
  const name = `${file}: ${entry.name}`;
  const before = side(document, undefined, base as Entry['base']);
  const after = side(document, before, head as Entry['head']);
  const more = why === undefined ? {} : { why };
  return [
    ...(expect ? [{ name, base: before, head: after, expected: OUTCOMES[expect], ...more }] : []),
    ...(back
      ? [{ name: expect ? `${name}, back` : name, base: after, head: before, expected: OUTCOMES[back], ...more }]
      : []),
  ];
}

/** Two schemas of which the narrow one accepts less; values show it. */
interface Inclusion {
  readonly name: string;
  readonly wide: Schema;
  readonly narrow: Schema;
  /** A value that only the wide schema accepts. */
  readonly onlyWide: Json;
  /** A value that both accept. */
  readonly both: Json;
  /** `components` of both documents. */
  readonly components?: JsonObject;
  /** Steps that careful readers may judge differently. */
  readonly arguable?: readonly string[];
}

/** Two schemas that accept the same values. */
interface Equality {
  readonly name: string;
  readonly a: Schema;
  readonly b: Schema;
  readonly componentsA?: JsonObject;
  readonly componentsB?: JsonObject;
  /** Values near the border: each is accepted by both schemas or by neither. */
  readonly samples: readonly Json[];
  readonly why: string;
}

export const { narrower: inclusions, equal: equalities } = read('schemas') as {
  readonly narrower: readonly Inclusion[];
  readonly equal: readonly Equality[];
};

/** The four steps between a wide schema and a narrow one, in a request and in a response, except the arguable ones. */
function stepsBetween({ name, wide, narrow, onlyWide, arguable = [], components = {} }: Inclusion): readonly Case[] {
  const value = JSON.stringify(onlyWide);
  const step = (what: string, place: string, breaks: Expected, why: string) => {
    const [from, to] = what.endsWith('narrowed') ? [wide, narrow] : [narrow, wide];
    return {
      name: `${what}: ${name}`,
      what,
      base: filledIn(place, { value: from, components }),
      head: filledIn(place, { value: to, components }),
      expected: OUTCOMES[breaks],
      why,
    };
  };
  return [
    step('request narrowed', 'sent value', 'breaks clients', `A HEAD server may refuse ${value}.`),
    step('request widened', 'sent value', 'breaks implementers', `A BASE server may refuse ${value}.`),
    step('response narrowed', 'received value', 'breaks implementers', `A BASE server may send ${value}.`),
    step('response widened', 'received value', 'breaks clients', `A HEAD server may send ${value}.`),
  ].filter(({ what }) => !arguable.includes(what));
}

const rewritten = equalities.map(({ name, a, b, componentsA = {}, componentsB = {}, why }): Case => ({
  name: `rewritten: ${name}`,
  base: filledIn('exchanged value', { value: a, components: componentsA }),
  head: filledIn('exchanged value', { value: b, components: componentsB }),
  expected: OUTCOMES.same,
  why,
}));

const FILES = [
  ...['things', 'bodies', 'parameters', 'operations', 'security', 'openapi-3.0', 'spellings', 'mixtures'],
  ...['specifications', 'kinds', 'reports'],
];

/**
 * The cases for the judge of contract changes, as data in `cases/`: two documents, the right judgement, and the reason.
 *
 * Breaking for clients: some client that works with every server that conforms to the base may fail with a server that conforms to the head.
 * Breaking for implementers: some server that conforms to the base does not conform to the head.
 */
export const cases: readonly Case[] = [
  ...FILES.flatMap((file) =>
    Object.entries(read(file) as Readonly<Record<string, readonly Entry[]>>).flatMap(([document, some]) =>
      some.flatMap((entry) => casesOf(file, document, entry)),
    ),
  ),
  ...inclusions.flatMap(stepsBetween),
  ...rewritten,
];

/** One side of a case, ready to be compared. */
export function described(side: 'base' | 'head', document: Document | string): Description {
  return describeText(side, typeof document === 'string' ? document : JSON.stringify(document), side);
}
