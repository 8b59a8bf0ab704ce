import type { HttpClient } from '../http/client.ts';
import { NAMED_USERS, type NamedUser } from '../target/user.ts';

/** Sends a request and records what came of it; an accepted one becomes part of its user's history. */
export type Send = HttpClient['send'];

/** Counts the requests to each user that may change it. Any of them may change the other user on a broken target. */
export type WriteClock = Record<NamedUser, number>;

/** Counts requests that may change any user. */
export function tickAll(clock: WriteClock): void {
  for (const subject of NAMED_USERS) clock[subject] += 1;
}
