import { mapStrings } from '../conformance/http/redact.ts';

/**
 * What a reader cannot see, or what changes how the rest is shown: control characters, marks of direction, soft hyphens and
 * blanks without width, halves of characters, places without a character. Joiners stay: letters and emoji are made with them.
 */
const UNSEEN = /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

function escaped(char: string): string {
  const units = Array.from({ length: char.length }, (_each, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A text in which everything can be seen: what cannot is written as JSON would escape it. Line ends stay. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(UNSEEN, escaped);
}

/** A value whose strings, and names of members, are all escapeInvisible. */
export function legibleValue<T>(value: T): T {
  return mapStrings(value, escapeInvisible);
}
