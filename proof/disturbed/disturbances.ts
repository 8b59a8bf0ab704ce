import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport, TransportResponse } from '../../conformance/http/transport/transport.ts';
import { JSON_TYPE } from '../wire/raw-server.ts';

/** Gives numbers from 0 up to 1. */
export type Random = () => number;

/** The same numbers for the same text. */
export function randomBy(text: string): Random {
  let drawn = 0;
  return () => parseInt(hash('sha256', `${text} ${(drawn += 1)}`).slice(0, 8), 16) / 2 ** 32;
}

type CarryOut = () => Promise<TransportResponse>;

/**
 * What becomes of a request.
 *
 * @param arrive waits until it has reached the target
 * @param carryOut lets the target carry it out
 */
type Disturb = (arrive: () => Promise<void>, carryOut: CarryOut) => Promise<TransportResponse>;

function onArrival(act: (carryOut: CarryOut) => Promise<TransportResponse>): Disturb {
  return (arrive, carryOut) => arrive().then(() => act(carryOut));
}

/** What comes between the suite and a target that is as it should be. */
export interface Disturbance {
  readonly name: string;
  readonly does: string;
  /** The part of the runs against a conforming target that may be inconclusive; undefined if all may. */
  readonly mostInconclusive?: number;
  /** How many times as many runs it takes as others to meet each moment; default 1. */
  readonly times?: number;
  readonly make: (random: Random) => Disturb;
}

const RATES = [0.01, 0.05, 0.1, 0.5];
const percent = (rate: number): string => `${rate * 100} %`;
/** A tenth of the requests is more than most gateways refuse: up to there nearly all runs must say something. */
const mostInconclusiveAt = (rate: number): Pick<Disturbance, 'mostInconclusive'> =>
  rate <= 0.1 ? { mostInconclusive: 0.05 } : {};

function refused(status: number, retryAfter?: string): TransportResponse {
  const bytes = Buffer.from(JSON.stringify({ id: 'x', name: 'Busy', message: 'Later.' }));
  const headers = { 'content-type': JSON_TYPE['Content-Type'], 'content-length': String(bytes.length) };
  return { status, bytes, headers: { ...headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) } };
}

function ended(code: 'ECONNRESET' | 'ECONNREFUSED'): never {
  throw Object.assign(new Error(code === 'ECONNRESET' ? 'other side closed' : `connect ${code}`), { code });
}

const REFUSALS = ([429, 503] as const).flatMap((status) =>
  [undefined, '1'].map((retryAfter) => ({
    refusal: refused(status, retryAfter),
    id: `${status}${retryAfter === undefined ? '' : '-retry-after'}`,
    words: `${status}${retryAfter === undefined ? '' : ` with Retry-After: ${retryAfter}`}`,
  })),
);

const refusing = REFUSALS.flatMap(({ refusal, id, words }) =>
  RATES.map((rate): Disturbance => ({
    name: `${id}-${rate * 100}`,
    does: `${words} for ${percent(rate)} of the requests`,
    ...mostInconclusiveAt(rate),
    make: (random) => onArrival((carryOut) => (random() < rate ? Promise.resolve(refusal) : carryOut())),
  })),
);

/** ms. */
const LONGEST_BURST = 2_000;
/** The part of the requests at which a burst begins. */
const BURSTS = 0.02;

const bursts = REFUSALS.map(({ refusal, id, words }): Disturbance => ({
  name: `${id}-bursts`,
  does: `${words} for up to ${LONGEST_BURST / 1000} s, from every fiftieth request on`,
  make: (random) => {
    let until = -Infinity;
    return onArrival((carryOut) => {
      const now = performance.now();
      if (now >= until && random() < BURSTS) until = now + random() * LONGEST_BURST;
      return now < until ? Promise.resolve(refusal) : carryOut();
    });
  },
}));

/** What stands for a response that the target did not give. */
interface Loss {
  readonly id: string;
  readonly words: string;
  /** Where a target is that restarts. */
  readonly where: string;
  /** In place of a response that was lost, and while the target accepts no connection. */
  readonly lose: () => TransportResponse;
  readonly refuse: () => TransportResponse;
}

const bad = (): TransportResponse => refused(502);
const LOSSES: readonly Loss[] = [
  {
    ...{ id: 'closed', words: 'of the connections end', where: '' },
    ...{ lose: () => ended('ECONNRESET'), refuse: () => ended('ECONNREFUSED') },
  },
  { id: '502', words: 'of the requests get 502', where: ' behind a proxy', lose: bad, refuse: bad },
];

const losing = LOSSES.flatMap(({ id, words, lose }) =>
  (['before', 'after'] as const).flatMap((when) =>
    RATES.map((rate): Disturbance => ({
      name: `${id}-${when}-${rate * 100}`,
      does: `${percent(rate)} ${words} ${when} the request is carried out`,
      ...mostInconclusiveAt(rate),
      make: (random) =>
        onArrival(async (carryOut) => {
          const isLost = random() < rate;
          if (isLost && when === 'before') return lose();
          const response = await carryOut();
          return isLost ? lose() : response;
        }),
    })),
  ),
);

/** About as many requests as a run sends before it restores the users, and about those that restore them. */
const [REQUESTS, RESTORING] = [295, 12];
/** The part of the runs in which it happens while the users are restored. */
const WHILE_RESTORING = 0.2;
/** ms. */
const [SHORTEST_RESTART, LONGEST_RESTART] = [100, 20_000];

/** Accepts no connection for a while; what is under way then gets no response, whether it is carried out or not. */
const restarts = LOSSES.map(({ where, refuse, lose }): Disturbance => ({
  name: `restart${where.replaceAll(' ', '-')}`,
  does: `the target${where} is away once for ${SHORTEST_RESTART / 1000} to ${LONGEST_RESTART / 1000} s, at any request of the run or of restoring`,
  times: 6,
  make: (random) => {
    const at = random() < WHILE_RESTORING ? REQUESTS + Math.ceil(random() * RESTORING) : Math.ceil(random() * REQUESTS);
    const length = SHORTEST_RESTART * (LONGEST_RESTART / SHORTEST_RESTART) ** random();
    let [requests, back, hasEnded] = [0, -Infinity, false];
    return async (arrive, carryOut) => {
      if (performance.now() < back) return refuse();
      const wasThere = !hasEnded;
      await arrive();
      requests += 1;
      if (requests === at) [back, hasEnded] = [performance.now() + length, true];
      if (!hasEnded || !wasThere) return carryOut();
      if (random() < 0.5) await carryOut();
      return lose();
    };
  },
}));

/** Every disturbance, in the order of the table. */
export const disturbances: readonly Disturbance[] = [...refusing, ...bursts, ...losing, ...restarts];

/** ms. How long a response takes at most. */
const LONGEST_RESPONSE = 10;

/** A way to a target on which requests take a little time, and are disturbed. */
export function disturbed(target: Transport, { make }: Disturbance, random: Random): Transport {
  const disturb = make(random);
  const arrive = (): Promise<void> => sleep(random() * LONGEST_RESPONSE);
  return (request) => disturb(arrive, () => target(request));
}
