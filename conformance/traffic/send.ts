import type { HttpClient } from '../http/client.ts';
import type { Due } from '../http/due.ts';
import { NAMED_USERS, type NamedUser, type Updatable } from '../resources/user/user.ts';

/** Sends a request and records what came of it; an accepted one becomes part of its user's history. */
export type Send = HttpClient['send'];

/** What the requests of a session are due: a valid update, one that sends nothing, and another one that shows the user. */
export interface UpdateDues {
  readonly valid: (subject: NamedUser, members: readonly Updatable[]) => Due;
  readonly empty: Due;
  readonly reading: Due;
}

/** Counts the requests to each user that may change it. Any of them may change the other user on a broken target. */
export type WriteClock = Record<NamedUser, number>;

/** Counts requests that may change any user. */
export function tickAll(clock: WriteClock): void {
  for (const subject of NAMED_USERS) clock[subject] += 1;
}
