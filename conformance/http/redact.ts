import { mapStrings } from '../../common/text.ts';

/** A text that must not be printed, and the label printed in its place. */
export interface Secret {
  readonly value: string;
  readonly label: string;
}

const HTML_NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Matches one character of a secret: verbatim, percent-encoded, or escaped in JSON or HTML. */
function characterPattern(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const units = Array.from({ length: char.length }, (_each, index) => char.charCodeAt(index));
  const unicode = units.map((unit) => `\\\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const name = HTML_NAMES[char];
  const forms = [
    `\\\\*${escapePattern(char)}`,
    percent,
    unicode,
    `&#0*${code};`,
    `&#x0*${code.toString(16)};`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(char === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

function secretPattern(value: string): string {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const whole = [base64, bytes.toString('base64url')].map((text) => `${escapePattern(text)}={0,2}`);
  return [Array.from(value, characterPattern).join(''), ...whole, bytes.toString('hex')].join('|');
}

/** Longer secrets are searched for in pieces, since a pattern has a maximum length. Divisible by 3, as Base64 encodes 3 bytes together. */
const LONGEST_PIECE = 999;

function piecesOf({ value, label }: Secret): Secret[] {
  return Array.from({ length: Math.ceil(value.length / LONGEST_PIECE) }, (_each, index) => ({
    value: value.slice(index * LONGEST_PIECE, (index + 1) * LONGEST_PIECE),
    label,
  }));
}

/** Shorter texts look like ordinary words: replacing them would garble every text and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * Makes a function that replaces every secret in a text by its label, in any encoding and letter case.
 *
 * @param secrets those shorter than four characters are ignored
 */
export function makeRedactor(secrets: readonly Secret[]): (text: string) => string {
  const longestFirst = secrets
    .flatMap(piecesOf)
    .filter(({ value }) => value.trim().length >= SHORTEST_SECRET)
    .sort((left, right) => right.value.length - left.value.length);
  if (longestFirst.length === 0) return (text) => text;
  const pattern = new RegExp(longestFirst.map(({ value }) => `(${secretPattern(value)})`).join('|'), 'giu');
  return (text) =>
    text.replaceAll(pattern, (_match, ...groups: unknown[]) => {
      const index = groups.findIndex((group) => group !== undefined);
      return `[${longestFirst[index]?.label ?? 'key'}]`;
    });
}

/** How much of a value is shown, in characters of its JSON text. */
const MOST_SHOWN = 4_000;
/** No encoded secret is longer. A text cut this far after the shown part contains every secret of that part whole. */
const CUT_MARGIN = 8_192;

/**
 * The start of a text without secrets. The text is cut after the shown part, redacted, then cut again: a large text is
 * redacted quickly, and the cut leaves no half of a secret.
 *
 * @returns the start, and how many characters of the text are not shown
 */
export function redactedStart(text: string, redact: (text: string) => string): { text: string; cut: number } {
  if (text.length <= MOST_SHOWN) return { text: redact(text), cut: 0 };
  const shown = redact(text.slice(0, MOST_SHOWN + CUT_MARGIN));
  const safe = text.length > MOST_SHOWN + CUT_MARGIN ? shown.slice(0, Math.max(0, shown.length - CUT_MARGIN)) : shown;
  return { text: safe.slice(0, MOST_SHOWN), cut: text.length - MOST_SHOWN };
}

/** A value without secrets; of a large value, the start of its JSON text. */
export function redactedValue(value: unknown, redact: (text: string) => string): unknown {
  const json = JSON.stringify(value ?? null);
  return json.length <= MOST_SHOWN ? mapStrings(value ?? null, redact) : `${redactedStart(json, redact).text}…`;
}
