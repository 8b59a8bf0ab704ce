import type { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../conformance/http/policy/limits.ts';
import { operations } from '../../conformance/operations/index.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { HOSTILE, type HostileTarget } from '../../proof/hostile/targets.ts';
import { suiteErrors } from '../../proof/judging.ts';
import { sample } from '../support/sample.ts';
import { expectVerdict, hasTimedOut, judge, PATIENT, SHORT, untilMet } from '../support/judging.ts';
import { deliverPlain, turnsOfTheLoop, withWireServer, type Deliver } from '../../proof/wire/wire-server.ts';
import { message, withRawServer, type RawRequest, JSON_TYPE, say, type Respond } from '../../proof/wire/raw-server.ts';

const [USER] = defaultSeed.users;
const NOT_RESTORED = { outcome: 'partial', journal: expect.any(String) as string };

/** What the target never showed nothing can restore: no journal is left to try again. */
const NEVER_SHOWN = { outcome: 'partial', journal: undefined };

/** A run waits for as long as its limits say for a target to be back. */
const MORTAL = { ...PATIENT, timeout: 1_000 };
/** No limit decides what is seen, and large bodies are read. */
const LIMITS = { ...PATIENT, maxBody: DEFAULT_LIMITS.maxBody };
const NONE = { outcome: 'none', journal: undefined };
/** For each group of targets: what they do, the limits, what is restored, and how many requests they get at most. */
const GROUPS = [
  ['responds to everything alike', HOSTILE.failing, LIMITS, {}, 400],
  ['cannot be read', HOSTILE.unreadable, LIMITS, { outcome: 'none' }, 60],
  ['ends each connection', HOSTILE.closing, MORTAL, NEVER_SHOWN, 200],
  ['never comes to an end', HOSTILE.hanging, SHORT, NONE, 60],
] as const;

describe.concurrent.each(GROUPS)(
  'A run has the right verdict on a target that %s',
  (_what, targets, limits, restored, most) => {
    test.each<HostileTarget>(sample(targets, 8))('$name', async ({ raw = {}, verdict: right }) => {
      const verdict = right === 'failed' ? right : 'inconclusive';
      await withRawServer(raw, async ({ url, connections, requests }) => {
        let before = 0;
        const judgeOnce = (own: typeof SHORT): Promise<Result> => {
          before = requests.length;
          return expectVerdict(url, { verdict, limits: own });
        };
        const isMet = (judged: Result): boolean => connections() > 0 && (limits === SHORT || !hasTimedOut(judged));
        const result = await untilMet(limits, judgeOnce, isMet);
        expect(connections()).toBeGreaterThan(0);
        expect(requests.length - before).toBeLessThan(most * operations.length);
        expect(JSON.stringify(result).length).toBeLessThan(20_000_000);
        expect({ journal: undefined, ...result.restoration }).toMatchObject(restored);
      });
    });
  },
);

const user = (members: object): string => JSON.stringify({ ...USER, ...members });

test.concurrent(
  'A run on a target that becomes silent sends it nothing any more, and reports the users that are not restored',
  async () => {
    const instead = ({ number }: RawRequest): boolean => number > 60;
    const { result, sent } = await untilMet(
      { ...SHORT, timeout: 2_000, deadline: 600_000 },
      (limits) =>
        withWireServer({ instead }, async ({ url, requests }) => {
          return { result: await judge(inputsFor(url), limits), sent: requests.length };
        }),
      // Before that, no time-out may end what was under way.
      (each) => each.sent > 60,
    );
    expect(suiteErrors(result)).toEqual([]);
    expect(result.verdict).toBe('inconclusive');
    expect(sent).toBeLessThan(90);
    const reasons = result.checks.flatMap(({ reason }) => reason ?? []);
    expect(reasons).not.toContain('deadline');
    expect(reasons).toContain('target-unreachable');
    expect(result.restoration.outcome).toBe('partial');
  },
);

test.concurrent.each([
  [401, 'AuthenticationRequired'],
  [403, 'NoAccessError'],
  [404, 'NotFoundError'],
])(
  'A run is inconclusive, since the operator may be mistaken, on a target that responds to everything with %i',
  async (status, name) => {
    const onRequest: Respond = ({ number }, socket) => {
      socket.write(message(status, JSON_TYPE, JSON.stringify({ id: `error-${number}`, name, message: 'no' })));
    };
    await withRawServer({ onRequest }, async ({ url, requests }) => {
      const result = await expectVerdict(url, { verdict: 'inconclusive', limits: PATIENT });
      expect(result.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(requests.length).toBeLessThan(30 * operations.length);
    });
  },
);

describe.concurrent('No request and no key follows a redirect', () => {
  /** Lets a target redirect to another server, to which nobody may connect. */
  async function unasked(use: (elsewhere: string) => Promise<void>): Promise<void> {
    await withRawServer({ onRequest: say(message(200, JSON_TYPE, user({}))) }, async ({ url, connections }) => {
      await use(url);
      expect(connections()).toBe(0);
    });
  }

  test.each([300, 301, 302, 303, 307, 308])('with the status %i', async (status) => {
    await unasked(async (elsewhere) => {
      const onRequest: Respond = ({ number, target }, socket) => {
        const to = number % 3 === 0 ? target : `${elsewhere}${target}`;
        socket.write(message(status, { Location: to, Refresh: `0; url=${to}`, 'Content-Location': to }, ''));
      };
      await withRawServer({ onRequest }, async ({ url, requests }) => {
        // A redirect elsewhere says that the API is not here; 300 offers a choice, and redirects nobody.
        await expectVerdict(url, { verdict: status === 300 ? 'failed' : 'inconclusive', limits: PATIENT });
        expect(requests.length).toBeGreaterThan(0);
      });
    });
  });

  test('that a server sends to one request in three', async () => {
    await unasked(async (elsewhere) => {
      const instead = ({ number, target }: RawRequest, socket: Socket): boolean => {
        if (number % 3 !== 0) return false;
        socket.write(message(307, { Location: `${elsewhere}${target}` }, ''));
        return true;
      };
      await withWireServer({ instead }, async ({ url }) => {
        const result = await judge(inputsFor(url), PATIENT);
        expect(suiteErrors(result)).toEqual([]);
        expect(result.verdict).toBe('failed');
      });
    });
  });
});

describe.concurrent('A run on a conforming server that', () => {
  const isUpdate = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.toString() !== '{}';
  const after = (last: number) => (request: RawRequest) => request.number > last;
  /** Only the restoration sends both values that a user had. */
  const isRestoring = ({ body }: RawRequest): boolean =>
    defaultSeed.users.some(({ name, email }) => [name, email].every((text) => body.includes(JSON.stringify(text))));
  /** When it changes, and whether its users have been changed by then. */
  const MOMENTS: readonly (readonly [when: string, at: (request: RawRequest) => boolean, changed: boolean])[] = [
    ['after a request', after(1), false],
    ['at the first update', isUpdate, false],
    ...[40, 80, 120].map((last) => [`after ${last} requests`, after(last), true] as const),
    ['when the first user is restored', isRestoring, true],
  ];
  /** What it does from then on, and the limits. */
  type Then = (socket: Socket, close: () => Promise<void>) => void;
  const TURNS: readonly (readonly [how: string, limits: typeof SHORT, then: Then])[] = [
    ['dies', MORTAL, (_socket, close) => void close()],
    ['hangs', SHORT, () => undefined],
    ['asks for a pause of a day', PATIENT, (socket) => void socket.write(message(429, { 'Retry-After': '99999' }, ''))],
    ['responds in noise', PATIENT, (socket) => void socket.end('noise\r\n\r\n')],
  ];
  const TURNING = TURNS.flatMap(([how, limits, then]) =>
    MOMENTS.map(([when, at, changed]) => ({ what: `${how} ${when}`, limits, then, at, changed })),
  );

  test.each(sample(TURNING, 14))('$what is not passed, and its users are reported as not restored', async (turning) => {
    const judgeOnce = (own: Partial<Limits>) => {
      let met = false;
      let end = (): Promise<void> => Promise.resolve();
      const instead = (request: RawRequest, socket: Socket): boolean => {
        met ||= turning.at(request);
        if (met) turning.then(socket, end);
        return met;
      };
      return withWireServer({ instead }, async ({ url, close, service: { seed, store } }) => {
        end = close;
        const result = await judge(inputsFor(url), own);
        return { result, met, changed: !isDeepStrictEqual([...store.users.values()], seed.users) };
      });
    };
    const isMet = (ended: { met: boolean; changed: boolean }): boolean =>
      ended.met && ended.changed === turning.changed;
    const { result, met, changed } = await untilMet(turning.limits, judgeOnce, isMet);
    expect([met, changed]).toEqual([true, turning.changed]);
    expect(suiteErrors(result)).toEqual([]);
    expect(turning.what.startsWith('dies') ? ['inconclusive', 'failed'] : ['inconclusive']).toContain(result.verdict);
    expect(result.restoration.outcome).not.toBe('complete');
    if (changed) expect(result.restoration).toMatchObject(NOT_RESTORED);
  });

  test('hangs at each request that it refuses with 401 is judged by the others, and the hint names these requests', async () => {
    const deliver: Deliver = (delivery) =>
      delivery.answer.status === 401 ? Promise.resolve() : deliverPlain(delivery);
    const result = await untilMet(
      { ...SHORT, deadline: 600_000 },
      (limits) => withWireServer({ deliver }, ({ url }) => judge(inputsFor(url), limits)),
      ({ hints }) => hints?.some(({ id }) => id === 'hangs') ?? false,
    );
    expect(result.hints?.find(({ id }) => id === 'hangs')?.text).toMatch(/with (no Authorization header|an? .* key)/);
    const outcomes = new Map(result.checks.map(({ id, outcome }) => [id, outcome]));
    expect([result.verdict, outcomes.get('auth-banners-unknown-key')]).toEqual(['inconclusive', 'inconclusive']);
    expect(result.restoration.outcome).toBe('complete');
  });

  test('ends at a path id that cannot be decoded gets that last, by itself, and is judged by all the rest', async () => {
    let underWay = 0;
    let ended = false;
    const beside: number[] = [];
    const instead = ({ target }: RawRequest, socket: Socket): boolean => {
      underWay += 1;
      ended ||= target.endsWith('%ff');
      if (ended) beside.push(underWay - 1);
      if (ended) socket.destroy();
      return ended;
    };
    const deliver: Deliver = async (delivery) => {
      await turnsOfTheLoop();
      underWay -= 1;
      await deliverPlain(delivery);
    };
    const result = await withWireServer({ instead, deliver }, ({ url }) => judge(inputsFor(url), PATIENT));
    const { checks, findings, restoration } = result;
    expect(beside[0]).toBe(0);
    const ofPathIds = operations.flatMap(({ negativeChecks = {} }) => negativeChecks['path-id']?.checks ?? []);
    const odd = ofPathIds.map(({ id }) => id).filter((id) => id.endsWith('-odd'));
    expect(findings).toHaveLength(1);
    const failed = findings.flatMap((each) => each.checks);
    expect(failed).toContain(odd[0]);
    expect(restoration).toMatchObject(NOT_RESTORED);
    const open = checks.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'error');
    // It may end before the same is sent to another operation.
    expect([...failed, ...open.map(({ id }) => id)].sort()).toEqual(odd.sort());
  });

  test('puts a response to no request behind each response is judged within bounds', async () => {
    const deliver: Deliver = async (delivery) => {
      await deliverPlain(delivery);
      delivery.socket.write(message(200, JSON_TYPE, '{"id":"of nobody"}'));
    };
    await withWireServer({ deliver }, async ({ url }) => {
      const result = await judge(inputsFor(url), PATIENT);
      expect(suiteErrors(result)).toEqual([]);
      expect(JSON.stringify(result)).not.toContain('of nobody');
    });
  });

  test('shows a name of 8 MB is sent it only to restore the users, and its report stays small', async () => {
    const name = 'x'.repeat(8_000_000);
    await withRawServer(
      { onRequest: say(message(200, JSON_TYPE, JSON.stringify({ ...USER, name }))) },
      async ({ url, requests }) => {
        const result = await judge(inputsFor(url), LIMITS);
        const long = requests.filter(({ body }) => body.length > 100_000);
        expect(JSON.stringify(result).length).toBeLessThan(5_000_000);
        expect(long.length).toBeLessThanOrEqual(2);
      },
    );
  });
});
