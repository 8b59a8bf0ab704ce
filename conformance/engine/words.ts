import type { Request, Response } from '../http/exchange.ts';

/** Characters of a value in a title. */
const SHORT = 80;

/** A value as JSON; of a long one, the start. */
export function inWords(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= SHORT ? text : `${text.slice(0, SHORT)}…`;
}

/** Names of members, in words. */
export function listed(members: readonly string[]): string {
  return members.map((each) => `\`${each}\``).join(', ');
}

/** Statuses, in words. */
export function statusesInWords(statuses: readonly number[]): string {
  return statuses.length > 4 ? 'a 4xx status' : statuses.join(' or ');
}

/** What came of a request: its status, or why there is none. */
export function statusInWords({ status, lost }: Response): string {
  return lost ? `no response (${lost.detail})` : String(status);
}

/** A request, in a few words; without its query, in which a key may be. */
export function requestInWords({ operation, path, body }: Request): string {
  const [address = ''] = path.split('?');
  if (operation === 'listBanners') return `GET ${address}`;
  return body === undefined ? `PUT ${address} without a body` : `PUT ${address} with ${String(body).slice(0, SHORT)}`;
}
