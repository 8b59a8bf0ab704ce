/** Makes every reference of a document one into itself, with the files that it refers to inside of it. */
import { pathToFileURL } from 'node:url';
import { atPointer, below, isRecord, type JsonObject, objectOf, textOf } from '../../../common/json.ts';
import { DATA, MAPS } from '../../../common/openapi.ts';
import { percentDecoded } from '../../../common/text.ts';
import { UsageError } from '../../../common/process/args.ts';
import { pointerOf } from './description.ts';

/** The member of a document that holds the other files that it refers to, by their addresses. */
export const FILES = 'x-files';

/** An object of a document that is none of its data. */
interface Visited {
  readonly object: JsonObject;
  /** The address that references in it are relative to. */
  readonly base: string;
  /** The steps to it, as long as it is visited. */
  readonly steps: readonly string[];
}

/** Visits every object that is none of a document's data. Members of maps whose keys are names are visited, the maps are not. */
function visitObjects(root: JsonObject, base: string, visit: (visited: Visited) => void): void {
  const steps: string[] = [];
  const inside = (node: object, around: string, isObject: boolean): void => {
    for (const [key, each] of Object.entries(node) as [string, unknown][]) {
      if (typeof each !== 'object' || each === null || (isObject && isNoPart(key))) continue;
      steps.push(key);
      if (Array.isArray(each) || (isObject && MAPS.has(key))) inside(each, around, false);
      else walk(each as JsonObject, around);
      steps.pop();
    }
  };
  const walk = (object: JsonObject, around: string): void => {
    const own = typeof object.$id === 'string' ? (resolved(object.$id, around) ?? around) : around;
    visit({ object, base: own, steps });
    inside(object, own, true);
  };
  walk(root, base);
}

function isNoPart(key: string): boolean {
  return DATA.has(key) || (key.startsWith('x-') && key !== FILES);
}

/** The address that a reference stands for. */
function resolved(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return `${split(base).resource}${reference}`;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function split(address: string): { readonly resource: string; readonly fragment: string } {
  const at = address.indexOf('#');
  if (at < 0) return { resource: address, fragment: '' };
  return { resource: address.slice(0, at), fragment: percentDecoded(address.slice(at + 1)) ?? '' };
}

/** Where a document comes from. */
interface Origin {
  /** What it is called in messages. */
  readonly name: string;
  readonly path: string;
  /** Reads another file that it refers to, by its address. */
  readonly read: (url: string) => JsonObject;
}

/** A reference that has to be looked up. */
interface Reference {
  readonly object: JsonObject;
  readonly base: string;
  readonly reference: string;
}

/** The resources of a document and of the files that it refers to: what they are called, and what they refer to. */
class Resources {
  readonly files: Record<string, JsonObject> = {};
  readonly references: Reference[] = [];
  readonly mappings: { readonly object: JsonObject; readonly base: string }[] = [];
  /** Objects, by what stands in their place. */
  readonly rewritten = new Map<JsonObject, JsonObject>();
  private readonly starts = new Map<string, string>();
  private readonly anchors = new Map<string, string>();
  private readonly places = new Map<string, string | undefined>();
  private readonly plain = new Set<string>();
  private readonly own: string;
  private readonly read: Origin['read'];

  constructor(root: JsonObject, { path, read }: Origin) {
    this.own = pathToFileURL(path).href;
    this.read = read;
    this.starts.set(this.own, '');
    this.register(root, this.own, '');
  }

  /** The place that a reference leads to; undefined if it leads nowhere. */
  placeOf(reference: string, base: string): string | undefined {
    const key = `${base} ${reference}`;
    if (!this.places.has(key)) this.places.set(key, this.placed(reference, base));
    return this.places.get(key);
  }

  private placed(reference: string, base: string): string | undefined {
    const address = resolved(reference, base);
    if (address === undefined) return undefined;
    const { resource, fragment } = split(address);
    if (!this.starts.has(resource)) this.open(resource);
    const start = this.starts.get(resource);
    if (start === undefined) return undefined;
    if (fragment === '' || fragment.startsWith('/')) return `${start}${fragment}`;
    return this.anchors.get(`${resource}#${fragment}`);
  }

  private open(url: string): void {
    if (!url.startsWith('file:///')) return;
    const key = relativeTo(url, this.own);
    const document = this.read(url);
    this.files[key] = document;
    const start = below('', FILES, key);
    this.starts.set(url, start);
    this.register(document, url, start);
  }

  private register(document: JsonObject, url: string, start: string): void {
    const self = textOf(document.$self);
    const own = (self === undefined ? undefined : resolved(self, url)) ?? url;
    this.starts.set(split(own).resource, start);
    visitObjects(document, own, (visited) => {
      this.nameParts(visited, start);
      this.noteReference(visited, start === '' && visited.base === own);
      const { object, base } = visited;
      if (isRecord(object.discriminator)) this.mappings.push({ object, base });
    });
  }

  /** Remembers what an object is called by `$id` and its anchors. */
  private nameParts({ object, base, steps }: Visited, start: string): void {
    const { $id, $anchor, $dynamicAnchor } = object;
    const { resource } = split(base);
    if (typeof $id === 'string') this.starts.set(resource, below(start, ...steps));
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string') this.anchors.set(`${resource}#${anchor}`, below(start, ...steps));
  }

  /** @param isOwn whether references are relative to the document itself */
  private noteReference({ object, base }: Visited, isOwn: boolean): void {
    const { $ref: reference } = object;
    if (typeof reference !== 'string') return;
    // Of those that may stay as they are, one is enough to see that they lead somewhere.
    const isPlain = isOwn && reference.startsWith('#/');
    if (!isPlain || !this.plain.has(reference)) this.references.push({ object, base, reference });
    if (isPlain) this.plain.add(reference);
  }
}

function localTo(place: string): string {
  return `#${encodeURI(place)}`;
}

/**
 * A document in which every reference is a JSON pointer into the document itself: files that it refers to stand under `x-files`, and
 * what is named by `$id`, `$self` or an anchor is referred to by its place.
 *
 * @throws UsageError for a reference that leads nowhere or out of the files
 */
export function withLocalReferences(root: JsonObject, origin: Origin): JsonObject {
  const resources = new Resources(root, origin);
  const whole = (): JsonObject =>
    Object.keys(resources.files).length > 0 ? { ...root, [FILES]: resources.files } : root;
  const refuse = ({ object, reference }: Reference, why: string): never => {
    const place = pointerTo(object, whole());
    throw new UsageError(`${origin.name}: the reference ${JSON.stringify(reference)} at ${place} ${why}.`);
  };
  const places = new Map<string, Reference>();
  // Files that are opened on the way add references to this list.
  for (const each of resources.references) {
    const place = localPlace(each, resources, refuse);
    if (!places.has(place)) places.set(place, each);
  }
  for (const { object, base } of resources.mappings) localizeMapping(object, base, resources);
  const result = resources.rewritten.size > 0 ? (replaced(whole(), resources.rewritten) as JsonObject) : whole();
  for (const [place, reference] of places)
    if (atPointer(result, place) === undefined) refuse(reference, 'leads nowhere');
  return result;
}

/** The place of a reference, which is rewritten where it is no pointer into the document. */
function localPlace(
  each: Reference,
  resources: Resources,
  refuse: (reference: Reference, why: string) => never,
): string {
  const { object, base, reference } = each;
  const place = resources.placeOf(reference, base);
  if (place === undefined) {
    const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(reference);
    return refuse(each, isAddress ? 'is not followed; only files are' : 'leads nowhere');
  }
  if (pointerOf(reference) !== place) resources.rewritten.set(object, { ...object, $ref: localTo(place) });
  return place;
}

/** Makes the values of a discriminator stand for places in the document itself. */
function localizeMapping(object: JsonObject, base: string, resources: Resources): void {
  const discriminator = objectOf(object.discriminator);
  const mapping = objectOf(discriminator.mapping);
  const local = Object.entries(mapping).map(([value, target]) => {
    const reference = String(target);
    const isElsewhere = /[/#]/.test(reference) && !reference.startsWith('#/');
    const place = isElsewhere ? resources.placeOf(reference, base) : undefined;
    return [value, place === undefined ? target : localTo(place)] as const;
  });
  if (local.every(([value, place]) => place === mapping[value])) return;
  const known = resources.rewritten.get(object) ?? object;
  const rewritten = { ...discriminator, mapping: Object.fromEntries(local) };
  resources.rewritten.set(object, { ...known, discriminator: rewritten });
}

/** The place of an object in a document. */
function pointerTo(object: JsonObject, root: JsonObject): string {
  let found = '';
  visitObjects(root, 'file:///', (each) => {
    if (each.object === object) found = below('', ...each.steps);
  });
  return found;
}

/** A file by its way from another one, or by its whole address. */
function relativeTo(url: string, from: string): string {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  return decodeURI(url.startsWith(folder) ? url.slice(folder.length) : url);
}

function replaced(node: unknown, by: ReadonlyMap<JsonObject, JsonObject>): unknown {
  if (Array.isArray(node)) return node.map((each) => replaced(each, by));
  if (!isRecord(node)) return node;
  const own = by.get(node) ?? node;
  return Object.fromEntries(Object.entries(own).map(([key, each]) => [key, replaced(each, by)]));
}
