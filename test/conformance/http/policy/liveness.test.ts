import { expect, it } from 'vitest';
import { Liveness } from '../../../../conformance/http/policy/liveness.ts';
import { TransportFailure } from '../../../../conformance/http/transport/transport-errors.ts';

const TIMEOUT = 10_000;
const silence = new TransportFailure('timeout', 'no complete response within 10000 ms');
const refused = new TransportFailure('unreachable', 'connect ECONNREFUSED');

/** A target at which the clock moves only by what requests take. */
function target(options: Partial<ConstructorParameters<typeof Liveness>[0]> = {}) {
  const liveness = new Liveness({ timeout: TIMEOUT, patience: 3, ...options });
  let now = 0;
  return {
    liveness,
    now: () => now,
    /** So many concurrent requests, each of which gets a response. */
    respond: (ms: number, requests = 1) => {
      const begun = now;
      const under = Array.from({ length: requests }, () => liveness.begin(begun));
      now += ms;
      for (const attempt of under) {
        liveness.responded(attempt, now, true);
        liveness.end(attempt);
      }
    },
    /** So many concurrent requests without a response. */
    keepSilent: (requests = 1) => {
      const begun = now;
      const attempt = liveness.begin(begun);
      now += liveness.timeoutFor(false);
      for (let each = 0; each < requests; each += 1) liveness.failed(silence, begun, now);
      liveness.end(attempt);
    },
    /** Refuses connections for so long, or until it is given up. */
    stayAway: (ms: number) => {
      for (const end = now + ms; !liveness.givenUp && now < end; now += 250) liveness.failed(refused, now, now);
    },
    pause: (ms: number) => {
      liveness.end(liveness.begin(now));
      liveness.askedForPause(ms, now);
      now += ms;
    },
  };
}

type Target = ReturnType<typeof target>;
type Play = (target: Target) => void;

const times =
  (count: number, ...plays: Play[]): Play =>
  (on) => {
    for (let time = 0; time < count; time += 1) for (const play of plays) play(on);
  };
const inTurn = (...plays: Play[]): Play => times(1, ...plays);
type Step = 'respond' | 'keepSilent' | 'pause' | 'stayAway';
const doing =
  (step: Step) =>
  (ms = 1, requests?: number): Play =>
  (on) =>
    on[step](ms, requests);
const [respond, keepSilent, pause, stayAway] = [
  doing('respond'),
  doing('keepSilent'),
  doing('pause'),
  doing('stayAway'),
];
const slower =
  (ms: number): Play =>
  (on) => {
    for (let own = ms; !on.liveness.givenUp && own < TIMEOUT; own += ms) on.respond(own);
  };

type Row = [
  what: string,
  says: string,
  within: readonly [number, number],
  play: Play,
  options?: Parameters<typeof target>[0],
];

it.each<Row>([
  ['never responds', 'timeout', [17_000, 17_500], inTurn(keepSilent(8), keepSilent(), keepSilent())],
  ['gets a last chance and is silent', 'timeout', [5_000, 5_000], keepSilent(), { patience: 1 }],
  ['gets a last chance and asks for pauses', 'throttled', [0, 5_000], times(100, pause(1_000)), { patience: 1 }],
  ...[10, 2_000].map((ms): Row => [
    `becomes silent after responses of ${ms} ms`,
    'timeout',
    [15_000, 25_000],
    inTurn(respond(ms), times(3, keepSilent())),
  ]),
  ...[1_000, 5_000, 12_000, 19_000, 30_000, 100_000].map((ms): Row => [
    `asks for nothing but pauses of ${ms} ms`,
    'throttled',
    [0, 20_000],
    times(100, pause(ms)),
  ]),
  ['accepts no connection any more', 'unreachable', [20_000, 21_000], inTurn(respond(10), stayAway(90_000))],
  ['never accepted a connection', 'unreachable', [750, 750], stayAway(90_000)],
  [
    'accepts none while the users are restored',
    'unreachable',
    [30_000, 31_000],
    stayAway(90_000),
    { away: 30_000, wasThere: true },
  ],
  ...[20, 40, 100, 400].map((ms): Row => [
    `takes ${ms} ms longer with each request`,
    'timeout',
    [0, 40_000],
    slower(ms),
  ]),
  ...[1_000, 5_000, 15_000].map((ms): Row => [
    `asks for a pause of ${ms} ms at every second request`,
    'throttled',
    [30_000, 35_000],
    times(1_000, respond(5), pause(ms)),
  ]),
])('A target that %s is given up (%s, after %j ms)', (_what, kind, [least, most], play, options) => {
  const on = target(options);
  try {
    play(on);
  } catch (error) {
    expect(error).toBeInstanceOf(TransportFailure);
  }
  expect(on.liveness.givenUp).toMatchObject({ kind, message: expect.stringMatching(/^not sent, since/) as string });
  expect(on.liveness.mayReturn).toBe(false);
  expect(on.now()).toBeGreaterThanOrEqual(least);
  expect(on.now()).toBeLessThanOrEqual(most);
});

const seeing =
  <T>(look: (on: Target) => T) =>
  (expected: T): Play =>
  (on) =>
    expect(look(on)).toBe(expected);
const isTimeout = seeing(({ liveness }) => liveness.timeoutFor(false));
const isInDoubt = seeing(({ liveness }) => liveness.isInDoubt);
const isWithin = (ms: number): Play => seeing((on) => on.now() < ms)(true);
const serveOthers: Play = ({ liveness }) => {
  liveness.respondedBeside();
  expect([liveness.timeoutFor(true), liveness.usual]).toEqual([500, 250]);
};

it.each<[what: string, play: Play]>([
  [
    'is away again and again, but not for long',
    (on) => {
      times(10, respond(10), stayAway(19_000))(on);
      on.respond(10);
      expect(on.liveness.awayFor).toBeGreaterThan(180_000);
    },
  ],
  ['asks for a long pause now and then, as per minute', times(3, times(100, respond(5)), pause(18_000))],
  ['asks for a pause of a second at every tenth request', times(40, times(10, respond(5)), pause(1_000))],
  ['asks for long pauses, once it had responded', times(5, times(4, respond(10)), pause(60_000))],
  ['is slow', times(34, respond(1_500), respond(1_600), respond(1_400))],
  ['is slower at some requests', times(34, respond(5), respond(2_000), respond(3_000))],
  ['becomes slower, and stays so', times(25, times(3, respond(500)), respond(1_500))],
  ['becomes a little slower all the time', inTurn(...Array.from({ length: 100 }, (_each, at) => respond(2 + 4 * at)))],
  [
    'takes longer by chance, and then for concurrent requests, which wait for each other',
    inTurn(...[600, 610, 620, 630, 640].map((ms) => times(5, respond(ms))), times(20, respond(16 * 640, 16))),
  ],
  ['starts cold and is slow', inTurn(respond(8_000), times(2, respond(2_000)), respond(9_900), isTimeout(TIMEOUT))],
  ['misses one request in two', times(20, keepSilent(7), respond(2_000))],
  [
    'never responds to one request in seven: it soon gets less time, but more than it takes',
    inTurn(times(43, respond(20), keepSilent()), isWithin(160_000), respond(2_400), isTimeout(9_600)),
  ],
  [
    'hangs at some requests, but responds to one that it responded to before',
    inTurn(
      respond(10),
      times(20, isInDoubt(false), keepSilent(7), keepSilent(), isInDoubt(true), respond(10)),
      isWithin(4 * TIMEOUT),
    ),
  ],
  [
    'hangs at some requests and serves others meanwhile: it gets the whole time-out twice more, and then less',
    inTurn(
      ...[respond(10), keepSilent(7), respond(100), serveOthers],
      ...[TIMEOUT, 500, 500].flatMap((ms) => [isTimeout(ms), keepSilent(150), respond(100)]),
      ...[isWithin(30_000), respond(3_000), isTimeout(TIMEOUT)],
    ),
  ],
  [
    'serves one connection, so that all other concurrent requests get no response',
    inTurn(respond(10), keepSilent(7), isTimeout(2_500)),
  ],
  [
    'closes connections: it is found out at once anyway',
    times(10, ({ liveness, now }) => liveness.failed(new TransportFailure('closed', 'closed'), now(), now())),
  ],
])('A target is not given up that %s', (_what, play) => {
  const on = target();
  play(on);
  expect(on.liveness.givenUp).toBeUndefined();
});

it('A target that never responded, or gets a last chance, is in no doubt', () => {
  for (const [play, patience] of [
    [times(2, keepSilent()), 3],
    [respond(10), 1],
  ] as const) {
    const on = target({ patience });
    play(on);
    isInDoubt(false)(on);
  }
});
