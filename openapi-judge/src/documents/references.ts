import { pathToFileURL } from 'node:url';
import { atPointer, below, isRecord, type JsonObject, textOf, without } from '../../../common/json.ts';
import { DATA, MAPS } from '../../../common/openapi.ts';
import { percentDecoded } from '../../../common/text.ts';
import { UsageError } from '../../../common/process/args.ts';
import { pointerOf, rememberingEach } from './description.ts';

/** The member of a document that holds the other files that it refers to, by their addresses. */
export const FILES = 'x-files';

/**
 * Visits every object of a document that is none of its data. Members of maps whose keys are names are visited, the maps are not.
 *
 * @param visit gets the object, the address that references in it are relative to, and the steps to it, as long as it is visited
 */
function visitObjects(
  root: unknown,
  base: string,
  visit: (object: JsonObject, base: string, steps: readonly string[], recursive: string | undefined) => void,
): void {
  const steps: string[] = [];
  let recursive: string | undefined;
  const walk = (node: object, around: string, names: boolean): void => {
    const isList = Array.isArray(node);
    const id = names || isList ? undefined : (node as JsonObject).$id;
    const inside = typeof id === 'string' ? (resolved(id, around) ?? around) : around;
    const outer = recursive;
    if (!names && (node as JsonObject).$recursiveAnchor === true) recursive = below('', ...steps);
    if (!names && !isList) visit(node as JsonObject, inside, steps, recursive);
    for (const key of Object.keys(node)) {
      const each = (node as JsonObject)[key];
      if (typeof each !== 'object' || each === null) continue;
      const isMember = !names && !isList;
      if (isMember && (DATA.has(key) || (key.startsWith('x-') && key !== FILES))) continue;
      steps.push(key);
      walk(each, inside, isMember && MAPS.has(key));
      steps.pop();
    }
    recursive = outer;
  };
  if (typeof root === 'object' && root !== null) walk(root, base, false);
}

/** The address that a reference stands for. */
function resolved(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return `${split(base)[0]}${reference}`;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function split(address: string): readonly [resource: string, fragment: string] {
  const at = address.indexOf('#');
  return at < 0 ? [address, ''] : [address.slice(0, at), percentDecoded(address.slice(at + 1)) ?? ''];
}

/** Reads another file that a document refers to, by its address. */
export type ReadFile = (url: string) => JsonObject;

/**
 * A document in which every reference is a JSON pointer into the document itself: files that it refers to stand under `x-files`, and
 * what is named by `$id`, `$self`, `$anchor`, or a `$dynamicAnchor` that stands once, is referred to by its place.
 *
 * @param name of the document, for messages
 * @throws UsageError for a reference that leads nowhere or out of the files
 */
export function withLocalReferences(root: JsonObject, name: string, path: string, read: ReadFile): JsonObject {
  const own = pathToFileURL(path).href;
  const files: Record<string, unknown> = {};
  const resources = new Map([[own, '']]);
  const anchors = new Map<string, string>();
  const dynamic = new Map<string, string[]>();
  const references: { object: JsonObject; base: string; key: '$ref' | '$dynamicRef'; reference: string }[] = [];
  const plain = new Set<string>();
  const mappings: { object: JsonObject; base: string }[] = [];
  const rewritten = new Map<JsonObject, JsonObject>();
  const register = (document: JsonObject, url: string, start: string): void => {
    const self = textOf(document.$self);
    const own = (self === undefined ? undefined : resolved(self, url)) ?? url;
    resources.set(split(own)[0], start);
    visitObjects(document, own, (object, base, steps, recursive) => {
      const { $id, $anchor, $dynamicAnchor, discriminator } = object;
      if (typeof $id === 'string') resources.set(split(base)[0], below(start, ...steps));
      for (const anchor of [$anchor, $dynamicAnchor])
        if (typeof anchor === 'string') anchors.set(`${split(base)[0]}#${anchor}`, below(start, ...steps));
      if (typeof $dynamicAnchor === 'string')
        dynamic.set($dynamicAnchor, [...(dynamic.get($dynamicAnchor) ?? []), below(start, ...steps)]);
      for (const key of ['$ref', '$dynamicRef'] as const) {
        const reference = object[key];
        if (typeof reference !== 'string') continue;
        // Of those that may stay as they are, one is enough to see that they lead somewhere.
        const isPlain = key === '$ref' && start === '' && base === own && reference.startsWith('#/');
        if (!isPlain || !plain.has(reference)) references.push({ object, base, key, reference });
        if (isPlain) plain.add(reference);
      }
      if (isRecord(discriminator)) mappings.push({ object, base });
      if (object.$recursiveRef === '#' && recursive !== undefined)
        rewritten.set(object, { ...without(object, '$recursiveRef'), $ref: `#${encodeURI(start + recursive)}` });
    });
  };
  register(root, own, '');
  const open = (url: string): void => {
    if (!url.startsWith('file:///')) return;
    const key = relativeTo(url, own);
    const document = read(url);
    files[key] = document;
    const start = below('', FILES, key);
    resources.set(url, start);
    register(document, url, start);
  };
  const known = new Map<string, string | undefined>();
  const placeOf = (reference: string, base: string): string | undefined => {
    const key = `${base} ${reference}`;
    if (!known.has(key)) known.set(key, placed(reference, base));
    return known.get(key);
  };
  const placed = (reference: string, base: string): string | undefined => {
    const address = resolved(reference, base);
    if (address === undefined) return undefined;
    const [resource, fragment] = split(address);
    if (!resources.has(resource)) open(resource);
    const start = resources.get(resource);
    if (start === undefined) return undefined;
    return fragment === '' || fragment.startsWith('/') ? `${start}${fragment}` : anchors.get(`${resource}#${fragment}`);
  };
  const whole = (): JsonObject => (Object.keys(files).length > 0 ? { ...root, [FILES]: files } : root);
  const refusal = (object: JsonObject, reference: string, why: string): UsageError =>
    new UsageError(`${name}: the reference ${JSON.stringify(reference)} at ${pointerTo(object, whole())} ${why}.`);
  const places = new Map<string, { object: JsonObject; reference: string }>();
  // Files that are opened on the way add references to this list.
  for (const { object, base, key, reference } of references) {
    const isDynamic = key === '$dynamicRef';
    if (isDynamic && dynamic.get(reference.replace(/^.*#/, ''))?.length !== 1) continue;
    const place = placeOf(reference, base);
    if (place === undefined && /^[a-z][a-z0-9+.-]*:/i.test(reference))
      throw refusal(object, reference, 'is not followed; only files are');
    if (place === undefined) throw refusal(object, reference, 'leads nowhere');
    if (!places.has(place)) places.set(place, { object, reference });
    const local = `#${encodeURI(place)}`;
    if (!isDynamic && pointerOf(reference) === place) continue;
    if (!isDynamic || object.$ref === undefined)
      rewritten.set(object, { ...without(object, '$dynamicRef'), $ref: local });
  }
  for (const { object, base } of mappings) {
    const discriminator = object.discriminator as JsonObject;
    const mapped = Object.entries(isRecord(discriminator.mapping) ? discriminator.mapping : {}).map(
      ([value, target]) => {
        const reference = String(target);
        const place = /[/#]/.test(reference) && !reference.startsWith('#/') ? placeOf(reference, base) : undefined;
        return [value, place === undefined ? target : `#${encodeURI(place)}`] as const;
      },
    );
    if (mapped.some(([value, place]) => place !== (discriminator.mapping as JsonObject)[value]))
      rewritten.set(object, {
        ...(rewritten.get(object) ?? object),
        discriminator: { ...discriminator, mapping: Object.fromEntries(mapped) },
      });
  }
  const result = rewritten.size > 0 ? (replaced(whole(), rewritten) as JsonObject) : whole();
  for (const [place, { object, reference }] of places)
    if (atPointer(result, place) === undefined) throw refusal(object, reference, 'leads nowhere');
  return result;
}

/** The place of an object in a document. */
function pointerTo(object: JsonObject, root: JsonObject): string {
  let found = '';
  visitObjects(root, 'file:///', (each, _base, steps) => {
    if (each === object) found = below('', ...steps);
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

/** Where each `$dynamicAnchor` of a document stands. */
const dynamicAnchorsOf = rememberingEach((root: JsonObject): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  visitObjects(root, 'file:///', ({ $dynamicAnchor: anchor }, _base, steps) => {
    if (typeof anchor === 'string') found.set(anchor, [...(found.get(anchor) ?? []), below('', ...steps)]);
  });
  return found;
});

/** Where a `$dynamicRef` may lead: which of these it is depends on the way that was taken there. */
export function dynamicTargets(root: JsonObject, reference: string): readonly string[] {
  return dynamicAnchorsOf(root).get(reference.replace(/^.*#/, '')) ?? [];
}
