/** A JSON object, as opposed to an array or a plain value. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, as opposed to an array or a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** The value if it is an array, else an empty one. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An own member of an object; undefined where there is none, also for names like `constructor`. */
export function member(object: unknown, name: string): unknown {
  return isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object without one of its members. */
export function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
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

/** A JSON pointer one or more steps deeper. */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  let whole = pointer;
  for (const step of steps) whole += `/${typeof step === 'number' ? step : escaped(step)}`;
  return whole;
}

function escaped(step: string): string {
  return /[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step;
}

/** The steps of a JSON pointer: names of members, and indices. */
export function stepsOf(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON pointer leads to; undefined if it leads nowhere. */
export function atPointer(root: unknown, pointer: string): unknown {
  let node = root;
  for (const step of stepsOf(pointer)) {
    if (!Array.isArray(node)) node = member(node, step);
    else node = /^\d+$/.test(step) ? (node as unknown[])[Number(step)] : undefined;
  }
  return node;
}

/** JSON with sorted keys: equal texts for equal values. */
export function stableJson(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** Keywords whose values are data, as opposed to parts of a document. */
export const DATA = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Keywords whose members are names that the author chose. */
export const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'paths', 'webhooks', 'content'],
  ...['headers', 'links', 'callbacks', 'encoding', 'variables', 'schemas', 'requestBodies', 'securitySchemes'],
  ...['pathItems', 'responses', 'parameters', 'mediaTypes'],
]);
