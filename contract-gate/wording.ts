import { editDistance } from '../common/nearest.ts';

/** How two wordings of one requirement differ. */
export type WordingChange = 'same' | 'spelling' | 'rewording' | 'meaning';

const MODALS = ['must', 'shall', 'should', 'may', 'can', 'cannot', 'will', 'required', 'optional', 'recommended'];
const NEGATIONS = [
  ...['no', 'not', 'none', 'never', 'nothing', 'neither', 'nor', 'without', 'nobody', 'cannot', 'unless', 'except'],
  ...['refused', 'forbidden', 'rejected'],
];
const QUANTITIES = [
  ...['all', 'any', 'every', 'each', 'only', 'always', 'some', 'both', 'either', 'exactly', 'least', 'most', 'one'],
  ...['two', 'three', 'four', 'first', 'last', 'before', 'after', 'more', 'less', 'fewer', 'greater', 'and', 'or'],
];
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'text', 'empty'];
const BEARING = new Set([...MODALS, ...NEGATIONS, ...QUANTITIES, ...TYPES]);

/** The tokens of a text: words without case, numbers, and what stands in code spans letter by letter. */
function tokens(text: string): readonly string[] {
  return [...text.matchAll(/`[^`]*`|[\p{L}\p{N}]+(?:[.'’-][\p{L}\p{N}]+)*/gu)].map(([token]) =>
    token.startsWith('`') ? token : token.toLowerCase().replaceAll('’', "'"),
  );
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function bearsMeaning(token: string): boolean {
  if (token.startsWith('`') || /\p{N}/u.test(token) || token.endsWith("n't")) return true;
  return BEARING.has(token) || BEARING.has(singular(token)) || /^(un|non|in)?valid$/.test(token);
}

/** Whether one word is a slip of the other: a letter or two, and in no short word. */
function isSlip(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  // A prefix that turns a word into its contrary is no slip.
  const contrary = (one: string, other: string): boolean =>
    ['un', 'in', 'im', 'dis', 'non'].some((each) => one === each + other);
  if (contrary(a, b) || contrary(b, a)) return false;
  return editDistance(a, b) <= (length >= 7 ? 2 : length >= 3 ? 1 : 0);
}

/** Longest common part, so that only the words that differ are looked at. */
function differing(a: readonly string[], b: readonly string[]): readonly [readonly string[], readonly string[]] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/**
 * Says how far two wordings of one requirement are apart, as far as this can be computed.
 *
 * `spelling`: the words are the same but for case, punctuation, blanks, and slips of a letter or two in words that carry no
 * meaning for a judge. `meaning`: code spans, numbers, negations, quantities, types or words like "must" differ, or stand in another order.
 * `rewording`: other words around the same ones; only a person can tell.
 */
export function compareWording(before: string, after: string): WordingChange {
  if (before === after) return 'same';
  const [old, now] = [tokens(before), tokens(after)];
  if (old.join(' ') === now.join(' ')) return 'spelling';
  const [gone, come] = differing(old, now);
  const pairwise = gone.length === come.length;
  const slip = (index: number): boolean => {
    const [a = '', b = ''] = [gone[index], come[index]];
    return a === b || (!exact(a) && !exact(b) && isSlip(a, b) && !(bearsMeaning(a) && bearsMeaning(b)));
  };
  if (pairwise && gone.every((_each, index) => slip(index)))
    return gone.some((word, index) => word !== come[index] && turned(word, come[index] ?? '')) ? 'meaning' : 'spelling';
  const bearing = (words: readonly string[]): string => words.filter(bearsMeaning).join(' ');
  return bearing(old) === bearing(now) ? 'rewording' : 'meaning';
}

/** Tokens of which every letter counts. */
function exact(token: string): boolean {
  return token.startsWith('`') || /\p{N}/u.test(token);
}

/** Whether a slip may make a word that bears meaning out of a right word, or the reverse: "not" → "now". */
function turned(a: string, b: string): boolean {
  return [a, b].some((each) => bearsMeaning(each) && each.length <= 4);
}
