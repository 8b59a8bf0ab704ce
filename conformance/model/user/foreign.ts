import { ABSENT, type Exchange } from '../../http/exchange.ts';
import { valuesSent } from '../recording/view.ts';

/** Characters. Shorter texts, of which the suite sends some, occur in any other by chance. */
const LEAST_PART = 3;

/** Whether a text is another one, or a part of it, but for letter case and what stands between words. */
function isMadeOf(value: string, sent: string): boolean {
  const [one = '', other = ''] = [value, sent].map((text) => text.toLowerCase().replaceAll(/[\s._+-]/g, ''));
  return Math.min(one.length, other.length) >= LEAST_PART && (one.includes(other) || other.includes(one));
}

/** Not every body is JSON: a form writes blanks in other ways. */
const plain = (text: string): string => text.replaceAll(/\+|%20/g, ' ');

/**
 * Makes the function that tells whether a value is a text that the run neither sent, nor anything that it is made of: what is made
 * of what was sent is the target's work.
 */
export function makeIsForeign(exchanges: readonly Exchange[]): (value: unknown) => boolean {
  const values = exchanges.flatMap(valuesSent);
  const bodies = exchanges.map(({ request: { body = '' } }) => plain(body));
  const quoted = bodies.flatMap((body) => Array.from(body.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, text = '']) => text));
  const sent = new Set([...values.map(String), ...quoted]);
  return (value) =>
    typeof value === 'string' &&
    value !== ABSENT &&
    !sent.has(value) &&
    !bodies.some((body) => body.includes(plain(value))) &&
    ![...sent].some((text) => isMadeOf(value, text));
}
