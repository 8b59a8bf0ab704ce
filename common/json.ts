/** Whether a JSON value is an object, as opposed to an array or a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A JSON pointer one or more steps deeper. */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  return [pointer, ...steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** The steps of a JSON pointer: names of members, and indices. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON pointer leads to; undefined if it leads nowhere. */
export function atPointer(root: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((node, step) => {
    if (Array.isArray(node)) return /^\d+$/.test(step) ? (node as unknown[])[Number(step)] : undefined;
    return isRecord(node) && Object.hasOwn(node, step) ? node[step] : undefined;
  }, root);
}
