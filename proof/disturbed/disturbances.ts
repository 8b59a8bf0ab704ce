import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport, TransportResponse } from '../../conformance/http/transport.ts';

/** Gives numbers from 0 up to 1. */
type Random = () => number;

/** The same numbers for the same text. */
export function randomBy(text: string): Random {
  let drawn = 0;
  return () => parseInt(hash('sha256', `${text} ${(drawn += 1)}`).slice(0, 8), 16) / 2 ** 32;
}

/** Lets a target carry a request out, or does something else. */
type Disturb = (carryOut: () => Promise<TransportResponse>) => Promise<TransportResponse>;

/** What comes between the suite and a target. */
export interface Disturbance {
  readonly name: string;
  /** Completes "While …". */
  readonly does: string;
  readonly make: (random: Random) => Disturb;
}

/** What comes in place of a response. */
type Loss = () => TransportResponse;

function refused(status: number, headers: Readonly<Record<string, string>> = {}): Loss {
  const bytes = Buffer.from(JSON.stringify({ id: 'x', name: 'Busy', message: 'Later.' }));
  const own = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return () => ({ status, bytes, headers: { ...own, ...headers } });
}

const reset: Loss = () => {
  throw Object.assign(new Error('other side closed'), { code: 'ECONNRESET' });
};
const noListener: Loss = () => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
};

/** At 5 and 10 % of the requests; with `carriedOut` the target has carried the request out before. */
function losing(name: string, words: string, lose: Loss, carriedOut = false): Disturbance[] {
  return [5, 10].map((rate) => ({
    name: `${name}-${rate}`,
    does: `${rate} % of the requests ${words}`,
    make: (random) => async (carryOut) => {
      if (random() * 100 >= rate) return carryOut();
      if (carriedOut) await carryOut();
      return lose();
    },
  }));
}

/** About as many requests as a run sends. */
const REQUESTS = 700;
/** ms. */
const [SHORTEST, LONGEST] = [100, 3_000];

/** Is away once, at any request of the run or of restoring; what is under way then is lost. */
function restarting(name: string, target: string, lost: Loss, refuse: Loss): Disturbance {
  const make: Disturbance['make'] = (random) => {
    const at = Math.ceil(random() * REQUESTS);
    const length = SHORTEST * (LONGEST / SHORTEST) ** random();
    let [requests, back] = [0, -Infinity];
    return async (carryOut) => {
      if (performance.now() < back) return refuse();
      requests += 1;
      if (requests !== at) return carryOut();
      back = performance.now() + length;
      if (random() < 0.5) await carryOut();
      return lost();
    };
  };
  return { name, does: `${target} is away once for ${SHORTEST} to ${LONGEST} ms`, make };
}

/** Every disturbance. */
export const disturbances: readonly Disturbance[] = [
  ...losing('429', 'get 429', refused(429)),
  ...losing('429-retry-after', 'get 429 with Retry-After: 0', refused(429, { 'retry-after': '0' })),
  ...losing('503', 'get 503', refused(503)),
  ...losing('502', 'get 502', refused(502)),
  ...losing('502-after', 'get 502 once they are carried out', refused(502), true),
  ...losing('closed', 'are closed', reset),
  ...losing('closed-after', 'are closed once they are carried out', reset, true),
  restarting('restart', 'the target', reset, noListener),
  restarting('restart-behind-a-proxy', 'the target behind a proxy', refused(502), refused(502)),
];

/** ms. How long a response takes at most. */
const LONGEST_RESPONSE = 2;

/** A way to a target on which requests take a little time, and are disturbed. */
export function disturbed(target: Transport, { make }: Disturbance, random: Random): Transport {
  const disturb = make(random);
  return async (request) => {
    await sleep(random() * LONGEST_RESPONSE);
    return disturb(() => target(request));
  };
}
