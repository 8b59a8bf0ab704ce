import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport, TransportResponse } from '../../conformance/http/transport.ts';

/** Gives numbers from 0 up to 1. */
export type Random = () => number;

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

function refused(status: number, headers: Readonly<Record<string, string>> = {}): TransportResponse {
  const bytes = Buffer.from(JSON.stringify({ id: 'x', name: 'Busy', message: 'Later.' }));
  const own = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return { status, bytes, headers: { ...own, ...headers } };
}

function ended(code: 'ECONNRESET' | 'ECONNREFUSED'): never {
  throw Object.assign(new Error(code === 'ECONNRESET' ? 'other side closed' : `connect ${code}`), { code });
}

/** In place of a response: what stands for one that is lost on the way, or refused. */
interface Loss {
  readonly id: string;
  readonly words: string;
  readonly lose: () => TransportResponse;
  /** Whether the target may have carried the request out. */
  readonly afterwards?: true;
}

const LOSSES: readonly Loss[] = [
  { id: '429', words: 'of the requests get 429', lose: () => refused(429) },
  { id: '429-retry-after', words: 'get 429 with Retry-After: 0', lose: () => refused(429, { 'retry-after': '0' }) },
  { id: '503', words: 'of the requests get 503', lose: () => refused(503) },
  { id: '502', words: 'of the requests get 502', lose: () => refused(502) },
  { id: '502-after', words: 'get 502 once they are carried out', lose: () => refused(502), afterwards: true },
  { id: 'closed', words: 'of the connections are closed', lose: () => ended('ECONNRESET') },
  {
    ...{ id: 'closed-after', words: 'of the connections are closed once the request is carried out' },
    ...{ lose: () => ended('ECONNRESET'), afterwards: true },
  },
];

const losing = LOSSES.flatMap(({ id, words, lose, afterwards }) =>
  [0.05, 0.1].map((rate): Disturbance => ({
    name: `${id}-${rate * 100}`,
    does: `${rate * 100} % ${words}`,
    make: (random) => async (carryOut) => {
      if (random() >= rate) return carryOut();
      if (afterwards) await carryOut();
      return lose();
    },
  })),
);

/** About as many requests as a run sends. */
const REQUESTS = 700;
/** ms. */
const [SHORTEST, LONGEST] = [100, 3_000];

/** Is away once, at any request of the run or of restoring; what is under way then is lost. */
function restarting(lost: () => TransportResponse, refuse: () => TransportResponse): Disturbance['make'] {
  return (random) => {
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
}

const words = `is away once for ${SHORTEST} to ${LONGEST} ms`;
const bad = (): TransportResponse => refused(502);

/** Every disturbance, in the order of the table. */
export const disturbances: readonly Disturbance[] = [
  ...losing,
  {
    name: 'restart',
    does: `the target ${words}`,
    make: restarting(
      () => ended('ECONNRESET'),
      () => ended('ECONNREFUSED'),
    ),
  },
  { name: 'restart-behind-a-proxy', does: `the target behind a proxy ${words}`, make: restarting(bad, bad) },
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
