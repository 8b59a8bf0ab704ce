import type { Exchange, RequestSpec } from '../http/exchange.ts';

/** Sends a request and records what came of it; an accepted one becomes part of its user's history. */
export type Send = (request: RequestSpec) => Promise<Exchange>;

/** Counts the requests that may change some user, whichever it is: earlier readings are stale after them. */
export interface WriteClock {
  writes: number;
}
