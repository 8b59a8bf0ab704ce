import { pathToFileURL } from 'node:url';
import { UsageError } from '../../common/args.ts';
import { atPointer, below, isRecord, type JsonObject, textOf, without } from '../../common/json.ts';
import { DATA, MAPS } from '../../common/openapi.ts';
import { percentDecoded } from '../../common/text.ts';
import { NOT_COMPARED, pointerOf } from './description.ts';

/** The member of a document that holds the other files that it refers to, by their addresses. */
export const FILES = 'x-files';

/** An object of a document, as the walk over it sees it. */
interface Visited {
  readonly object: JsonObject;
  readonly pointer: () => string;
  /** The address that references in it are relative to. */
  readonly base: string;
}

/** Visits every object of a document that is none of its data. Members of maps whose keys are names are visited, the maps are not. */
function visitObjects(root: unknown, base: string, visit: (each: Visited) => void, start = ''): void {
  const walk = (node: unknown, pointer: () => string, around: string, names: boolean): void => {
    if (Array.isArray(node)) {
      node.forEach((each, index) => {
        if (typeof each === 'object') walk(each, () => below(pointer(), index), around, false);
      });
      return;
    }
    if (!isRecord(node)) return;
    const inside = names ? around : (resolved(textOf(node.$id), around) ?? around);
    if (!names) visit({ object: node, pointer, base: inside });
    for (const [key, each] of Object.entries(node)) {
      if (!names && (DATA.has(key) || key === NOT_COMPARED || (key.startsWith('x-') && key !== FILES))) continue;
      if (typeof each === 'object') walk(each, () => below(pointer(), key), inside, !names && MAPS.has(key));
    }
  };
  walk(root, () => start, base, false);
}

/** The address that a reference stands for. */
function resolved(reference: string | undefined, base: string): string | undefined {
  if (reference === undefined || !URL.canParse(reference, base)) return undefined;
  return new URL(reference, base).href;
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
 * @throws UsageError for a reference that leads nowhere, in a circle, or out of the files
 */
export function withLocalReferences(root: JsonObject, name: string, path: string, read: ReadFile): JsonObject {
  const own = pathToFileURL(path).href;
  const files: Record<string, unknown> = {};
  const resources = new Map([[own, '']]);
  const anchors = new Map<string, string>();
  const dynamic = new Map<string, string[]>();
  const references: (Visited & { readonly key: '$ref' | '$dynamicRef'; readonly reference: string })[] = [];
  const mappings: Visited[] = [];
  const register = (document: JsonObject, url: string, start: string): void => {
    const base = resolved(textOf(document.$self), url) ?? url;
    resources.set(split(base)[0], start);
    visitObjects(
      document,
      base,
      (each) => {
        const { object, pointer } = each;
        const [resource] = split(each.base);
        if (typeof object.$id === 'string') resources.set(resource, pointer());
        for (const key of ['$anchor', '$dynamicAnchor'])
          if (typeof object[key] === 'string') anchors.set(`${resource}#${object[key]}`, pointer());
        const anchor = textOf(object.$dynamicAnchor);
        if (anchor !== undefined) dynamic.set(anchor, [...(dynamic.get(anchor) ?? []), pointer()]);
        for (const key of ['$ref', '$dynamicRef'] as const)
          if (typeof object[key] === 'string') references.push({ ...each, key, reference: object[key] });
        if (isRecord(object.discriminator)) mappings.push(each);
      },
      start,
    );
  };
  register(root, own, '');
  const open = (url: string): void => {
    if (!url.startsWith('file:')) return;
    const key = relativeTo(url, own);
    const document = read(url);
    files[key] = document;
    const start = below('', FILES, key);
    resources.set(url, start);
    register(document, url, start);
  };
  const placeOf = (reference: string, base: string): string | undefined => {
    const address = resolved(reference, base);
    if (address === undefined) return undefined;
    const [resource, fragment] = split(address);
    if (!resources.has(resource)) open(resource);
    const start = resources.get(resource);
    if (start === undefined) return undefined;
    return fragment === '' || fragment.startsWith('/') ? `${start}${fragment}` : anchors.get(`${resource}#${fragment}`);
  };
  const rewritten = new Map<JsonObject, JsonObject>();
  // Files that are opened on the way add references to this list.
  for (const { object, pointer, base, key, reference } of references) {
    const isDynamic = key === '$dynamicRef';
    if (isDynamic && dynamic.get(reference.replace(/^.*#/, ''))?.length !== 1) continue;
    const place = placeOf(reference, base);
    if (place === undefined && /^[a-z][a-z0-9+.-]*:/i.test(reference))
      throw new UsageError(
        `${name}: the reference ${JSON.stringify(reference)} at ${pointer()} is not followed; only files are.`,
      );
    if (place === undefined) throw leadsNowhere(name, reference, pointer());
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
  const whole = Object.keys(files).length > 0 ? { ...root, [FILES]: files } : root;
  const result = rewritten.size > 0 || whole !== root ? (replaced(whole, rewritten) as JsonObject) : root;
  checkTargets(result, name);
  return result;
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

function leadsNowhere(name: string, reference: string, pointer: string): UsageError {
  return new UsageError(`${name}: the reference ${JSON.stringify(reference)} at ${pointer} leads nowhere.`);
}

/** Keywords that give a schema beside a reference something of its own. */
const COMPOSING = new Set(['type', 'properties', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'items']);

/** Refuses references that lead nowhere, or back to themselves. */
function checkTargets(root: JsonObject, name: string): void {
  const next = new Map<string, string | undefined>();
  const stepFrom = (pointer: string): string | undefined => {
    if (!next.has(pointer)) {
      const value = atPointer(root, pointer);
      const reference =
        isRecord(value) && !Object.keys(value).some((key) => COMPOSING.has(key)) ? value.$ref : undefined;
      next.set(pointer, typeof reference === 'string' ? percentDecoded(reference.slice(1)) : undefined);
    }
    return next.get(pointer);
  };
  const checked = new Set<string>();
  visitObjects(root, 'file:///', ({ object, pointer }) => {
    if (typeof object.$ref !== 'string') return;
    const way: string[] = [];
    for (let at = percentDecoded(object.$ref.slice(1)); at !== undefined && !checked.has(at); at = stepFrom(at)) {
      if (way.includes(at)) {
        const loop = [...way.slice(way.indexOf(at)), at];
        throw new UsageError(`${name}: the reference at ${pointer()} leads in a circle: ${loop.join(' → ')}.`);
      }
      if (atPointer(root, at) === undefined) throw leadsNowhere(name, object.$ref, pointer());
      way.push(at);
    }
    for (const each of way) checked.add(each);
  });
}
