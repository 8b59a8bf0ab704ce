/** A text that must not be printed, and what is printed in its place. */
export interface Secret {
  readonly value: string;
  readonly label: string;
}

function htmlEscaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (char) => names[char] ?? char);
}

function encodings(value: string): string[] {
  const bytes = Buffer.from(value);
  const percent = encodeURIComponent(value);
  const hex = bytes.toString('hex');
  return [
    value,
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    htmlEscaped(value),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
    value.toLowerCase(),
    value.toUpperCase(),
  ];
}

/** Shorter texts cannot be told from ordinary words; to replace them would garble every sentence and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * Makes a function that replaces every secret in a text by its label, in whichever encoding it stands there.
 *
 * @param secrets those with fewer than four characters are left out
 */
export function makeRedactor(secrets: readonly Secret[]): (text: string) => string {
  const known = new Map<string, string>();
  for (const { value, label } of secrets) {
    if (value.trim().length < SHORTEST_SECRET) continue;
    for (const encoded of encodings(value)) if (!known.has(encoded)) known.set(encoded, `[${label}]`);
  }
  const longestFirst = [...known].sort(([left], [right]) => right.length - left.length);
  return (text) => longestFirst.reduce((rest, [value, label]) => rest.replaceAll(value, label), text);
}

/** Applies a text function to every string in a JSON-like value, member names included. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, change)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [change(name), mapStrings(member as unknown, change)]),
    ) as T;
  }
  return value;
}
