import type { Fault } from '../engine/outcome.ts';
import type { Response } from '../http/exchange.ts';
import { statusInWords } from '../engine/words.ts';

/** The fault that a request got another status than expected, as arguments of `on.fail`. */
export function unlike(what: string, expected: string, response: Response): [Fault] {
  const actual = statusInWords(response);
  return [{ title: `${what} got ${actual}, not ${expected}`, expected, actual }];
}
