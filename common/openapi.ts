import { below, isRecord, type JsonObject } from './json.ts';

/** Keywords whose values are data, as opposed to parts of a document. */
export const DATA = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Keywords whose members are names that the author chose. */
export const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'paths', 'webhooks', 'content'],
  ...['headers', 'links', 'callbacks', 'encoding', 'variables', 'schemas', 'requestBodies', 'securitySchemes'],
  ...['pathItems', 'responses', 'parameters', 'mediaTypes'],
]);

/**
 * A part of an OpenAPI document with each of its objects changed, from the inside out. Data, and objects whose members are names
 * that the author chose, are not changed themselves.
 *
 * @param names whether the keys of the part are such names
 */
export function mapObjects(node: unknown, change: (object: JsonObject) => JsonObject, names = false): unknown {
  if (Array.isArray(node)) return node.map((each) => mapObjects(each, change));
  if (!isRecord(node)) return node;
  const inner = Object.entries(node).map(([key, each]) => {
    const isData = !names && DATA.has(key);
    return [key, isData ? each : mapObjects(each, change, !names && MAPS.has(key))] as const;
  });
  return names ? Object.fromEntries(inner) : change(Object.fromEntries(inner));
}

/**
 * Every value under a keyword anywhere in an OpenAPI document, in its order; data such as examples is not searched.
 *
 * @returns each value, with the JSON pointer of the object that carries it
 */
export function valuesUnder(keyword: string, node: unknown, pointer = ''): { value: unknown; pointer: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === keyword) return [{ value, pointer }];
    if (DATA.has(key) && !pointer.endsWith('/properties')) return [];
    return valuesUnder(keyword, value, below(pointer, key));
  });
}
