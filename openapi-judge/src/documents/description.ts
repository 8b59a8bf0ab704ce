/** OpenAPI documents as they were read, the places in them, and the work that is spent on comparing them. */
import { percentDecoded } from '../../../common/text.ts';
import { atPointer, below, isRecord, member, objectOf, textOf, type JsonObject } from '../../../common/json.ts';

/** The keys of a path item that are operations. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** An OpenAPI document as it was read, whole, with references into itself only. */
export interface Description {
  readonly side: 'base' | 'head';
  readonly root: JsonObject;
  /** OpenAPI 3.0 has other rules for schemas than 3.1 and later. */
  readonly old: boolean;
  readonly work: Work;
}

/** Thrown where a comparison takes more steps than are spent on it. */
export class TooMuchWork extends Error {}

/** Steps for the schemas of one message, and for a whole document. They end what would take minutes: alternatives can multiply. */
const STEPS_EACH = 100_000;
const STEPS = 500_000;
/** More of them for each object of a document, so that long documents are compared as short ones are. */
const STEPS_OF_OBJECT = 50;

const TOO_MUCH = new TooMuchWork();

/** The work that is left to compare schemas with. */
export class Work {
  private left: number;
  private leftHere = STEPS_EACH;

  /** @param objects how many the document has */
  constructor(objects: number) {
    this.left = STEPS + STEPS_OF_OBJECT * objects;
  }

  /** Begins the schemas of another message. */
  renew(): void {
    this.leftHere = Math.min(this.left, STEPS_EACH);
  }

  /** Takes some steps. Throws TooMuchWork if none are left. */
  spend(steps = 1): void {
    this.left -= steps;
    this.leftHere -= steps;
    if (this.leftHere < 0) throw TOO_MUCH;
  }
}

/** A value with its place in a document. */
export interface Located {
  readonly description: Description;
  readonly pointer: string;
  readonly value: unknown;
}

function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + objectsIn(each), 1);
}

/** A description, ready to be compared. */
export function describe(side: 'base' | 'head', root: JsonObject): Description {
  return { side, root, old: /^3\.0(\.|$)/.test(textOf(root.openapi) ?? ''), work: new Work(objectsIn(root)) };
}

/** Makes a function remember what it gave for each object, or for what `keyOf` gives of it. */
export function rememberingEach<T extends object, V>(
  make: (each: T) => V,
  keyOf: (each: T) => object = (each) => each,
): (each: T) => V {
  const known = new WeakMap<object, { readonly value: V }>();
  return (each) => {
    const key = keyOf(each);
    const found = known.get(key);
    if (found) return found.value;
    const value = make(each);
    known.set(key, { value });
    return value;
  };
}

/** Makes a function remember what it gave for two documents. */
export function rememberingPair<V>(make: (base: Description, head: Description) => V) {
  const known = rememberingEach((base: Description) => rememberingEach((head: Description) => make(base, head)));
  return (base: Description, head: Description): V => known(base)(head);
}

/** The pointer that a reference into the same document stands for: `#/a/b%20c` → `/a/b c`. */
export function pointerOf(reference: string): string | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  return percentDecoded(reference.slice(1));
}

/** Where the references of a document lead, by how they are written; nothing for those to elsewhere. */
const targetsIn = rememberingEach<Description, Map<string, MaybeLocated>>(() => new Map());

/** What stands where a reference leads; nothing if it leads elsewhere. Where that is a reference itself, it is not followed. */
export function targetOf(reference: string, description: Description): MaybeLocated {
  const targets = targetsIn(description);
  if (targets.has(reference)) return targets.get(reference);
  const pointer = pointerOf(reference);
  const target =
    pointer === undefined ? undefined : { description, pointer, value: atPointer(description.root, pointer) };
  targets.set(reference, target);
  return target;
}

/** Follows references, so that the value is the object itself and the pointer is where it stands. */
export function follow(located: Located): Located {
  let current = located;
  let seen: Located[] | undefined;
  while (isRecord(current.value) && typeof current.value.$ref === 'string') {
    const target = targetOf(current.value.$ref, current.description);
    if (target === undefined || seen?.includes(target)) return current;
    (seen ??= []).push(target);
    current = target;
  }
  return current;
}

function inside(value: unknown, step: string | number): unknown {
  return Array.isArray(value) ? (value as unknown[])[Number(step)] : member(value, String(step));
}

/** What stands below a place as it is written, without following references. */
export function partAt({ description, pointer, value }: Located, ...steps: readonly (string | number)[]): Located {
  return { description, pointer: below(pointer, ...steps), value: steps.reduce(inside, value) };
}

/** The day of a sunset (`x-sunset`) that was announced for something deprecated, if it has passed. */
export function passedSunset({ value }: Located): string | undefined {
  const day = /^\d{4}-\d\d-\d\d/.exec(textOf(member(value, 'x-sunset')) ?? '')?.[0];
  const isOver = day !== undefined && day < new Date().toISOString().slice(0, 10);
  return isOver && member(value, 'deprecated') === true ? day : undefined;
}

/** Whether something is meant for everybody: it is not internal, and at least beta. */
export function isPublic(value: unknown): boolean {
  const level = textOf(member(value, 'x-stability-level'));
  return member(value, 'x-internal') !== true && level !== 'draft' && level !== 'alpha';
}

/** A place that may not be there. */
export type MaybeLocated = Located | undefined;

/** What stands below a place, with references followed at every step. */
export function child(located: MaybeLocated, ...steps: (string | number)[]): MaybeLocated {
  let current = located;
  for (const step of steps) {
    if (current === undefined) return undefined;
    const at = follow(current);
    const value = inside(at.value, step);
    current =
      value === undefined ? undefined : { description: at.description, pointer: below(at.pointer, step), value };
  }
  return current === undefined ? undefined : follow(current);
}

/** The members of the object at a place, with references followed. */
export function children(located: MaybeLocated): Map<string, Located> {
  const found = new Map<string, Located>();
  if (located === undefined) return found;
  for (const key of Object.keys(objectOf(follow(located).value))) {
    const each = child(located, key);
    if (each !== undefined) found.set(key, each);
  }
  return found;
}

/**
 * Compares the entries of two maps by key.
 *
 * @param pair what it means that an entry went, came, or is in both
 */
export function diffEntries<T, Found>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  pair: {
    readonly gone: (old: T, key: string) => Found | readonly Found[];
    readonly come: (now: T, key: string) => Found | readonly Found[];
    readonly both: (old: T, now: T, key: string) => readonly Found[];
  },
): Found[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    if (old === undefined) return now === undefined ? [] : pair.come(now, key);
    return now === undefined ? pair.gone(old, key) : pair.both(old, now, key);
  });
}
