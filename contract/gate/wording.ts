import editDistance from 'leven';

/** How two wordings of one requirement differ. */
export type WordingChange = 'same' | 'spelling' | 'rewording' | 'meaning';

/** Words on which the meaning of a requirement hangs. */
const BEARING = new Set(
  [
    'must shall should may can cannot will required optional recommended',
    'no not none never nothing neither nor without nobody unless except refused forbidden rejected valid invalid',
    'all any every each only always some both either exactly least most one two three four first last before after',
    'more less fewer greater and or string number integer boolean array object null text empty',
  ].flatMap((words) => words.split(' ')),
);

/** Letters. A mistyped word is at least so long, one more if it bears meaning, and differs by at most so many. */
const SLIP = { shortest: 4, most: 2 };

/** The words of a text without case, its numbers, and what stands in code spans letter by letter. */
function tokensOf(text: string): readonly string[] {
  return [...text.matchAll(/`[^`]*`|[\p{L}\p{N}]+(?:[.'’-][\p{L}\p{N}]+)*/gu)].map(([token]) =>
    token.startsWith('`') ? token : token.toLowerCase().replaceAll('’', "'"),
  );
}

/** Whether every letter of a token counts. */
function isExact(token: string): boolean {
  return token.includes('`') || token.endsWith("n't") || /\p{N}/u.test(token);
}

function bearsMeaning(token: string): boolean {
  return isExact(token) || BEARING.has(token) || BEARING.has(token.replace(/s$/, ''));
}

/** Whether one word is the other, mistyped. A prefix that turns a word into its contrary changes its first letter. */
function isSlip(one: string, other: string): boolean {
  const bearing = [one, other].filter(bearsMeaning);
  if (bearing.some(isExact) || bearing.length === 2) return false;
  // "not" is no slip of "now".
  const isLong = Math.min(one.length, other.length) >= SLIP.shortest + bearing.length;
  return isLong && one.startsWith(other.charAt(0)) && editDistance(one, other) <= SLIP.most;
}

/**
 * Says how far two wordings of one requirement are apart, as far as this can be computed.
 *
 * `spelling`: case, punctuation, blanks, and slips of a letter or two in longer words. `meaning`: code spans, numbers, negations,
 * quantities, types or words such as "must" differ, or stand in another order. `rewording`: other words around the same ones;
 * only a person can tell.
 */
export function compareWording(before: string, after: string): WordingChange {
  if (before === after) return 'same';
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const isSpelling = old.every((word, at) => word === now[at] || isSlip(word, now[at] ?? ''));
  if (old.length === now.length && isSpelling) return 'spelling';
  const bearing = (words: readonly string[]): string => words.filter(bearsMeaning).join(' ');
  return bearing(old) === bearing(now) ? 'rewording' : 'meaning';
}
