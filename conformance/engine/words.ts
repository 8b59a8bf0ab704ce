import { beginningOf } from '../../common/text.ts';
import { route } from '../../contract/document.ts';
import type { Request, Response } from '../facts/exchange.ts';
import type { Fault } from '../facts/outcome.ts';

/** Characters of a value in a title. */
const SHORT = 80;

/** A value as JSON; of a long one, the start. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  return startOf(JSON.stringify(value));
}

/** A text; of a long one, the start. */
export function startOf(text: string): string {
  return text.length <= SHORT ? text : `${beginningOf(text, SHORT)}…`;
}

/** Names of members, in words: `name`, `email` and `rootRole`. */
export function listed(members: readonly string[]): string {
  const names = members.map((each) => `\`${each}\``);
  const last = names.slice(-2).join(' and ');
  return [...names.slice(0, -2), last].join(', ');
}

/** Statuses, in words. */
export function statusesInWords(statuses: readonly number[]): string {
  return statuses.length > 4 ? 'a 4xx status' : statuses.join(' or ');
}

/** What came of a request: its status, or why there is none. */
export function statusInWords({ status, lost }: Response): string {
  return lost ? `no response (${lost.detail})` : String(status);
}

/**
 * A request, in a few words; without its query, in which a key may be.
 *
 * @param how what is special about it, if its body does not tell: "with an unknown key"
 */
export function requestInWords({ operation, path, body }: Request, how?: string): string {
  const [address = ''] = path.split('?');
  const { method } = route(operation);
  const what = `${method} ${address}`;
  if (how !== undefined) return `${what} ${how}`;
  if (method === 'GET') return what;
  return body === undefined ? `${what} without a body` : `${what} with ${startOf(String(body))}`;
}

/** The fault that something has another value than it should. */
export function wrongValue(title: string, expected: unknown, actual: unknown): Fault {
  return { title, expected: inWords(expected), actual: inWords(actual) };
}

/** The fault that a request got another status than it should. */
export function wrongStatus(what: string, expected: string, response: Response): Fault {
  const actual = statusInWords(response);
  return { title: `${what} got ${actual}${expected === '200' ? '' : `, not ${expected}`}`, expected, actual };
}
