import { createRequire } from 'node:module';

/** A mistake of who calls the tool, in one line: what is wrong, where, and how to fix it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** The lines to print. */
  get lines(): readonly string[] {
    return [inOneLine(this.message).slice(0, 2_000)];
  }
}

/** A text in one line, without what a terminal would take for a command. */
export function inOneLine(text: string): string {
  return legible(text)
    .split(/[\n\u2028]/)
    .map((line) => line.trim())
    .join(' ');
}

/** Control characters and marks of direction, which a reader does not see. Line ends stay. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text with every invisible character written as JSON would escape it. */
export function legible(text: string): string {
  return text.replaceAll(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text without its percent-encoding (RFC 3986, 2.1); undefined if it cannot be decoded. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** How many, with the noun in the right number: `1 change`, `1,224 changes`. */
export function counted(amount: number, noun: string): string {
  return `${String(amount).replaceAll(/\B(?=(\d{3})+$)/g, ',')} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Orders texts by their code units, the same on every machine. */
export function byText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Items by a key, in the order in which the keys first appear. */
export function groupedBy<T>(items: Iterable<T>, keyOf: (item: T) => string): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** Loads a CommonJS module of a package, when it is needed: most documents need neither of the readers of YAML. */
export const requireModule: (path: string) => unknown = createRequire(import.meta.url);
