import { mapObjects } from '../../../common/openapi.ts';
import { arrayOf, isRecord, type JsonObject, objectOf, stableJson, without } from '../../../common/json.ts';

/**
 * Writes a document in one of the forms that mean the same, so that a comparison of texts finds fewer differences that are none:
 * null by `type`, single `allOf` unwrapped, `const` as `enum`, lists sorted, security at each operation.
 */
export function canonical(root: JsonObject): JsonObject {
  const whole = objectOf(mapObjects(root, rewriteSchema));
  const document = without(whole, 'security');
  const security = whole.security;
  if (!Array.isArray(security)) return document;
  const paths = Object.entries(objectOf(document.paths)).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(objectOf(item)).map(([key, operation]) => [
        key,
        isRecord(operation) && isRecord(operation.responses) ? { security, ...operation } : operation,
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as unknown };
}

function sortedSet(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((each) => [stableJson(each), each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

function rewriteSchema(schema: JsonObject): JsonObject {
  const only = schema.const;
  let result: JsonObject = only === undefined ? schema : { ...without(schema, 'const'), enum: [only] };
  for (const key of ['required', 'enum', 'type']) {
    const list = result[key];
    if (Array.isArray(list)) result = { ...result, [key]: sortedSet(list) };
  }
  const types = result.type;
  if (Array.isArray(types) && types.length === 1) result = { ...result, type: types[0] as unknown };
  for (const key of ['unevaluatedProperties', 'additionalProperties']) {
    if (result[key] === true) result = without(result, key);
  }
  return unwrapped(withNullByType(result));
}

/** A single `allOf` says what its only schema says. */
function unwrapped(schema: JsonObject): JsonObject {
  const beside = without(schema, 'allOf');
  const [only, second] = arrayOf(schema.allOf);
  if (!isRecord(only) || second !== undefined) return schema;
  return Object.keys(beside).some((key) => Object.hasOwn(only, key)) ? schema : { ...beside, ...only };
}

/** `anyOf` with `type: null` becomes a list of types, where the other schema has a type and no list of values. */
function withNullByType(schema: JsonObject): JsonObject {
  for (const key of ['anyOf', 'oneOf']) {
    const branches = arrayOf(schema[key]);
    const [other, ...more] = branches.filter((each) => !isNull(each));
    if (branches.length !== 2 || more.length > 0 || !isRecord(other)) continue;
    const beside = without(schema, key);
    const type = other.type;
    const rest = without(other, 'type');
    if (typeof type !== 'string' || rest.enum !== undefined) continue;
    if (Object.keys(beside).some((each) => Object.hasOwn(other, each))) continue;
    return { ...beside, ...rest, type: sortedSet([type, 'null']) };
  }
  return schema;
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && schema.type === 'null' && Object.keys(schema).length === 1;
}
