/** Whether a JSON value is an object, as opposed to an array or a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if the text is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a JSON value nests arrays and objects deeper than so many levels. It looks no deeper than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
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
  return stepsOf(pointer).reduce<unknown>((node, step) => {
    if (Array.isArray(node)) return /^\d+$/.test(step) ? (node as unknown[])[Number(step)] : undefined;
    return member(node, step);
  }, root);
}

/** A JSON object, as opposed to an array or a plain value. */
export type JsonObject = Readonly<Record<string, unknown>>;

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

/** JSON with sorted keys: equal texts for equal values. */
export function stableJson(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
