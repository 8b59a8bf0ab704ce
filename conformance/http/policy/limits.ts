/** Bounds of the HTTP client. Times in ms, sizes in bytes. */
export interface Limits {
  /** From sending a request to the last byte of its response. */
  readonly timeout: number;
  /** The whole run; requests without a response by then make their checks inconclusive. */
  readonly deadline: number;
  /** A body, as received and after content decoding. */
  readonly maxBody: number;
  /** Concurrent requests. */
  readonly concurrency: number;
}

/**
 * The limits of a run that sets none: 10 s for a request, 300 s for the run, 8 MiB for a body, 16 concurrent requests.
 * Most are requests that a target refuses before it does any work. A target that serves fewer
 * connections gets one request at a time as soon as it shows that.
 */
export const DEFAULT_LIMITS: Limits = { timeout: 10_000, deadline: 300_000, maxBody: 8_388_608, concurrency: 16 };

/** Bytes. */
export const MAX_HEADER_BYTES = 65_536;

/** ms. The pause where Retry-After cannot be read. */
const DEFAULT_PAUSE = 1_000;

/** ms. Also the wait before a request is sent again on a fresh connection. */
export const SHORTEST_PAUSE = 50;

/**
 * How long a Retry-After field asks to wait (RFC 9110, 10.2.3).
 *
 * @param value seconds or an HTTP date; undefined or unreadable gives one second
 * @param now ms since the epoch
 * @returns ms
 */
export function retryAfter(value: string | undefined, now: number): number {
  const text = value?.trim() ?? '';
  const pause = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(pause) ? DEFAULT_PAUSE : Math.max(pause, SHORTEST_PAUSE);
}
