/**
 * Characters that a reader cannot see, or that change how the rest is shown: control characters, direction marks, soft hyphens,
 * blanks without width, lone surrogates, noncharacters. Joiners stay: letters and emoji are made with them.
 */
const UNSEEN = /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Runs of characters beyond plain ASCII: most texts have none, and are not looked at closely. */
const UNUSUAL = /[^\t\n -~]+/g;

function escaped(char: string): string {
  const units = Array.from({ length: char.length }, (_each, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A text with every invisible character written as JSON would escape it. Line ends stay. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(UNUSUAL, (some) => some.replaceAll(UNSEEN, escaped));
}

/** A JSON value in which no string has an invisible character. */
export function legibleValue<T>(value: T): T {
  const legible = (_name: string, each: unknown): unknown => (typeof each === 'string' ? escapeInvisible(each) : each);
  return JSON.parse(JSON.stringify(value), legible) as T;
}

/** JSON for a file or a terminal: the same value, with every invisible character escaped. */
export function legibleJson(value: unknown): string {
  return `${escapeInvisible(JSON.stringify(value, null, 2))}\n`;
}

/** A text without its percent-encoding (RFC 3986, 2.1); undefined if it cannot be decoded. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The first characters of a text, as a text of its own: a slice would keep the whole in memory. */
export function beginningOf(text: string, most: number): string {
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}

/** The start of a text, with the number of characters left out. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${figure(text.length - most)} more characters)`;
}

/** How many characters of a value are quoted. */
const QUOTED = 80;

/** A text; of a long one, the start. */
export function startOf(text: string): string {
  return text.length <= QUOTED ? text : `${beginningOf(text, QUOTED)}…`;
}

/** Characters that lead to a place in a text. */
const LEAD = 40;

/** A text from a little before a place on: from the start of the line of that place, of a word, or of a part of a path. */
export function excerptAt(text: string, place: number): string {
  if (place <= LEAD) return text;
  const lead = text.slice(place - LEAD, place);
  const start = /\n(?=[^\n]*$)/.exec(lead) ?? /\s/.exec(lead) ?? /[/(]/.exec(lead);
  return `…${text.slice(place - (start ? LEAD - start.index - 1 : 0)).trimStart()}`;
}

/** A value as JSON; of a long one, the start. */
export function inWords(value: unknown): string {
  return value === undefined ? 'nothing' : startOf(JSON.stringify(value));
}

/** A number for people: `1,224`. */
function figure(amount: number): string {
  // Not toLocaleString: Node takes longer to load its locale data than the suite takes to write a report.
  return String(amount).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** How many, with the noun in the right number: `1 check`, `1,224 checks`. */
export function counted(amount: number, noun: string): string {
  return `${figure(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** A text with a capital at its start. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text without a capital at its start. */
export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A text with values in place of their names in braces; other braces stay. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{([\w-]+)\}/g, (braces, name: string) => String(values[name] ?? braces));
}

/** Items in words: `a, b and c`. */
export function listed(items: readonly (string | number)[], last: 'and' | 'or' = 'and'): string {
  return [...items.slice(0, -2), items.slice(-2).join(` ${last} `)].join(', ');
}

/** Names in words, each between backticks. */
export function named(names: readonly string[]): string {
  return listed(names.map((name) => `\`${name}\``));
}

/** Those values that are there: neither undefined, false nor an empty text. */
export function present<T>(values: readonly (T | undefined | false | '')[]): T[] {
  return values.filter((each): each is T => each !== undefined && each !== false && each !== '');
}

/** Orders texts by their code units, the same on every machine. */
export function byText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Items by a key, in the order in which the keys first appear. */
export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}
