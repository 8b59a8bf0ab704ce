import { below } from './json.ts';

/** Keywords whose values are data, as opposed to parts of a document. */
export const DATA = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Keywords whose members are names that the author chose. */
export const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'paths', 'webhooks', 'content'],
  ...['headers', 'links', 'callbacks', 'encoding', 'variables', 'schemas', 'requestBodies', 'securitySchemes'],
  ...['pathItems', 'responses', 'parameters', 'mediaTypes'],
]);

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
