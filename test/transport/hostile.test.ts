import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../conformance/http/limits.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { inputsFor } from '../../proof/behaviour.ts';
import { expectVerdict, judge, PATIENT, SHORT, suiteErrors, untilMet } from '../support/judging.ts';
import { JSON_TYPE, say, sayAndEnd, type Respond } from '../support/responses.ts';
import { deliverPlain, withWireServer, type Deliver } from '../../proof/wire/wire-server.ts';
import {
  message,
  startRawServer,
  withRawServer,
  type RawRequest,
  type RawServerOptions,
} from '../../proof/wire/raw-server.ts';

const [USER] = defaultSeed.users;

type Behaviour = Pick<RawServerOptions, 'onConnection' | 'onRequest'>;

/** Writes the same bytes again and again until the connection ends. */
async function repeat(socket: Socket, bytes: string | Buffer, pause: number): Promise<void> {
  while (!socket.destroyed) {
    const drained = socket.write(bytes);
    if (pause > 0) await sleep(pause);
    else if (drained) await new Promise(setImmediate);
    else {
      await Promise.race([
        new Promise((resolve) => socket.once('drain', resolve)),
        new Promise((resolve) => socket.once('close', resolve)),
      ]);
    }
  }
}

const dripAfter =
  (start: string, bytes: string | Buffer, pause: number): Respond =>
  (_request, socket) => {
    socket.write(start);
    return repeat(socket, bytes, pause);
  };

const OK_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

const CHUNKED = `${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const length = (value: string): string => `${OK_HEAD}Content-Length: ${value}\r\n\r\n`;
const coded = (coding: string, body: string | Buffer): Respond =>
  say(message(200, { ...JSON_TYPE, 'Content-Encoding': coding }, body));
const pausing = (retryAfter: string, status = 429): Respond => say(message(status, { 'Retry-After': retryAfter }, ''));

describe.concurrent('A run ends in time and is inconclusive on a target that', () => {
  const atConnection: readonly (readonly [what: string, onConnection: RawServerOptions['onConnection']])[] = [
    ['accepts connections and never responds', (socket) => void socket.resume()],
    ['accepts connections and never reads', () => undefined],
    ['closes each connection at once', (socket) => void socket.destroy()],
    ['resets each connection at once', (socket) => void socket.resetAndDestroy()],
    ['greets before any request', (socket) => void socket.write('220 mail.example.com ESMTP\r\n')],
  ];
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n';
  const noise = Buffer.from(Array.from({ length: 999 }, (_each, at) => (at * 89) % 256));
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n';
  const atRequest: readonly (readonly [what: string, onRequest: Respond])[] = [
    ['closes without a response after each request', (_request, socket) => void socket.end()],
    ['resets after each request', (_request, socket) => void socket.resetAndDestroy()],
    ['closes in the middle of the header', sayAndEnd('HTTP/1.1 200 OK\r\nContent-Ty')],
    ['closes in the middle of the body', sayAndEnd(`${length('100')}{"id":1`)],
    ['closes in the middle of a chunk', sayAndEnd(`${CHUNKED}ff\r\n{"id"`)],
    ['announces one gigabyte and closes', sayAndEnd(`${length('1073741824')}{}`)],
    ['announces one gigabyte and stays', say(`${length('1073741824')}{}`)],
    ['drips a header that never ends', dripAfter('HTTP/1.1 200 OK\r\n', 'X-Drip: 1\r\n', 20)],
    ['floods with a header that never ends', dripAfter('HTTP/1.1 200 OK\r\n', `X-Flood: ${'x'.repeat(4000)}\r\n`, 0)],
    ['drips a body that never ends', dripAfter(length('100000'), ' ', 20)],
    ['drips chunks that never end', dripAfter(CHUNKED, '1\r\n \r\n', 20)],
    ['floods with a body that never ends', dripAfter(CHUNKED, `10000\r\n${' '.repeat(65536)}\r\n`, 0)],
    ['floods with a body that ends with the connection', dripAfter(`${OK_HEAD}\r\n`, ' '.repeat(65536), 0)],
    ['sends interim responses for ever', dripAfter('', hints, 1)],
    ['floods with interim responses', dripAfter('', hints.repeat(1000), 0)],
    ['responds in no known protocol', sayAndEnd('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
    ['responds in binary noise', sayAndEnd(noise)],
    ['responds with a status of two digits', sayAndEnd('HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n')],
    ['responds with HTTP/9.9', sayAndEnd('HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n')],
    ['switches protocols', say(upgrade)],
    ['sends a header field without a colon', sayAndEnd('HTTP/1.1 200 OK\r\nnonsense\r\n\r\n{}')],
    ['sends two different lengths', sayAndEnd(`${OK_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`)],
    ['sends a negative length', sayAndEnd(`${length('-2')}{}`)],
    ['sends a chunk size that is no number', sayAndEnd(`${CHUNKED}zz\r\n{}\r\n`)],
    ['sends a gzip bomb', coded('gzip', bomb)],
    ['sends a gzip bomb inside another', coded('gzip, gzip', gzipSync(bomb))],
    ['calls plain text gzip', coded('gzip', '{"id":1}')],
    ['uses a content coding that was not requested', coded('zstd', '{"id":1}')],
    ['asks for a pause of a day', pausing('99999')],
    ['asks for a pause until next century', pausing('Fri, 01 Jan 2100 00:00:00 GMT', 503)],
    ['asks for a pause longer than a number can hold', pausing('9'.repeat(400))],
    ['asks for short pauses for ever', pausing('0')],
  ];
  const behaviours: readonly (readonly [what: string, behaviour: Behaviour])[] = [
    ...atConnection.map(([what, onConnection]) => [what, onConnection ? { onConnection } : {}] as const),
    ...atRequest.map(([what, onRequest]) => [what, { onRequest }] as const),
  ];

  test.each(behaviours)('%s', async (what, behaviour) => {
    await withRawServer(behaviour, async ({ url, connections }) => {
      const endsAtOnce = /^(closes|resets|switches)|closes$/.test(what);
      const result = await untilMet(
        endsAtOnce ? PATIENT : SHORT,
        (limits) => expectVerdict(url, { verdict: 'inconclusive', limits }),
        () => connections() > 0,
      );
      expect(connections()).toBeGreaterThan(0);
      const { outcome, journal } = result.restoration;
      expect(outcome).toBe(endsAtOnce ? 'partial' : 'none');
      expect(journal === undefined).toBe(outcome === 'none');
    });
  });

  test('is not there', async () => {
    const { url, close } = await startRawServer({});
    await close();
    const result = await expectVerdict(url, { verdict: 'inconclusive', limits: PATIENT });
    expect(new Set(result.checks.map(({ reason }) => reason))).toEqual(new Set(['target-unreachable']));
  });

  test('asks for a pause again and again until the deadline', async () => {
    await withRawServer({ onRequest: pausing('1') }, async ({ url }) => {
      await expectVerdict(url, { verdict: 'inconclusive', limits: { ...PATIENT, deadline: 3000 } });
    });
  });

  test('asks for a pause of a day, and gets few requests', async () => {
    await withRawServer({ onRequest: pausing('99999') }, async ({ url, requests }) => {
      const result = await expectVerdict(url, { verdict: 'inconclusive', limits: PATIENT });
      expect(result.checks.map(({ reason }) => reason)).toContain('throttled');
      expect(requests.length).toBeLessThan(50);
    });
  });
});

const user = (members: object): string => JSON.stringify({ ...USER, ...members });

describe.concurrent('A run soon stops on a target that', () => {
  test('is silent: it sends few requests, and says that nothing responded', async () => {
    await withRawServer({}, async ({ url, requests }) => {
      const result = await untilMet(
        { ...SHORT, deadline: 600_000 },
        (limits) => expectVerdict(url, { verdict: 'inconclusive', limits }),
        () => requests.length > 0,
      );
      expect(requests.length).toBeLessThan(20);
      expect(new Set(result.checks.map(({ reason }) => reason))).toEqual(new Set(['target-unreachable']));
      expect(result.hints?.length).toBeGreaterThan(0);
      expect(result.restoration.outcome).toBe('none');
    });
  });

  test('is silent from some request on: nothing is sent any more, and the users are reported', async () => {
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
  });
});

describe.concurrent('A run fails a target that', () => {
  const json = (status: number | string, body: string | Buffer): Respond => say(message(status, JSON_TYPE, body));
  const refusal = (status: number, name: string): Respond =>
    json(status, JSON.stringify({ id: String(status), name, message: 'no' }));
  const html = '<!doctype html><title>Hello</title><p>It works!';
  const notUtf8 = [Buffer.from('{"id":1,"name":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')];
  const builtIn = '{"__proto__":{"id":1},"constructor":1,"toString":2,"hasOwnProperty":3,"id":1}';
  const behaviours: readonly (readonly [what: string, onRequest: Respond])[] = [
    ['responds to everything with 200 and HTML', say(message(200, { 'Content-Type': 'text/html' }, html))],
    ['responds to everything with 200 and HTML declared as JSON', json(200, html)],
    ['responds to everything with 200 and no body', say(message(200, {}, ''))],
    ['responds to everything with 200 and []', json(200, '[]')],
    ['responds to everything with 200 and null', json(200, 'null')],
    ['responds to everything with 200 and a text', json(200, '"ok"')],
    ['responds to everything with 200 and both a user and banners', json(200, user({ banners: [] }))],
    ['responds to everything with 400', refusal(400, 'ValidationError')],
    ['responds to everything with 400 and no body', say(message(400, {}, ''))],
    ['responds to everything with 500', refusal(500, 'InternalError')],
    ['responds to everything with 503', refusal(503, 'Unavailable')],
    ['responds to everything with 204', say('HTTP/1.1 204 No Content\r\n\r\n')],
    ['responds to everything with 599', json(599, '{}')],
    ['responds to everything with 999', json('999 What', '{}')],
    ['responds to everything with 302 and no Location', json(302, '{}')],
    ['responds to everything with 304', say('HTTP/1.1 304 Not Modified\r\n\r\n')],
    ['sends back what it was sent', ({ body }, socket) => void socket.write(message(200, JSON_TYPE, body))],
    ['sends bytes that are not UTF-8', json(200, Buffer.concat(notUtf8))],
    ['sends UTF-16', json(200, Buffer.from(user({}), 'utf16le'))],
    ['sends half a JSON text', json(200, user({}).slice(0, 50))],
    ['sends two JSON texts', json(200, user({}) + user({}))],
    ['sends members with the names of built-in properties', json(200, builtIn)],
    ['sends numbers beyond all bounds', json(200, '{"id":1e999,"loginAttempts":-1e999,"name":"x","email":"y"}')],
    ['sends half of a surrogate pair as username', json(200, user({ username: '@' }).replace('@', '\\ud800'))],
    ['sends half of a surrogate pair as name', json(200, user({ name: '@' }).replace('@', '\\ud800'))],
  ];

  test.each(behaviours)('%s', async (_what, onRequest) => {
    await withRawServer({ onRequest }, async ({ url }) => {
      const result = await expectVerdict(url, { verdict: 'failed', limits: PATIENT });
      expect(JSON.stringify(result).length).toBeLessThan(20_000_000);
    });
  });

  test('responds to every update with 204, and conforms except for that', async () => {
    const instead = (request: RawRequest, socket: Socket): boolean => {
      if (request.method === 'PUT') socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      return request.method === 'PUT';
    };
    await withWireServer({ instead }, async ({ url }) => {
      const result = await expectVerdict(url, { verdict: 'failed', limits: PATIENT });
      expect(result.checks.find(({ id }) => id === 'update-name-accepted')?.outcome).toBe('failed');
    });
  });
});

describe.concurrent('A run is inconclusive, since the operator may be mistaken, on a target that', () => {
  const statuses: readonly (readonly [status: number, name: string])[] = [
    [401, 'AuthenticationRequired'],
    [403, 'NoAccessError'],
    [404, 'NotFoundError'],
  ];
  test.each(statuses)('responds to everything with %i', async (status, name) => {
    const onRequest: Respond = ({ number }, socket) => {
      socket.write(message(status, JSON_TYPE, JSON.stringify({ id: `error-${number}`, name, message: 'no' })));
    };
    await withRawServer({ onRequest }, async ({ url, requests }) => {
      const result = await expectVerdict(url, { verdict: 'inconclusive', limits: PATIENT });
      expect(result.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(requests.length).toBeLessThan(60);
    });
  });
});

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
        await expectVerdict(url, { verdict: 'failed', limits: PATIENT });
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
  const NOT_RESTORED = { outcome: 'partial', journal: expect.any(String) as string };

  interface Ended {
    readonly result: Result;
    /** Whether the server came to misbehave. */
    readonly met: boolean;
    /** Whether its users are not as they were. */
    readonly changed: boolean;
  }

  /** Judges a server that conforms up to the first request that `from` picks. */
  async function judgeUntil(
    limits: typeof SHORT,
    from: (request: RawRequest) => boolean,
    then: (socket: Socket, close: () => Promise<void>) => void,
  ): Promise<Ended> {
    const judgeOnce = (own: Partial<Limits>): Promise<Ended> => {
      let met = false;
      let end = (): Promise<void> => Promise.resolve();
      const instead = (request: RawRequest, socket: Socket): boolean => {
        met ||= from(request);
        if (met) then(socket, end);
        return met;
      };
      return withWireServer({ instead }, async ({ url, close, service: { seed, store } }) => {
        end = close;
        const result = await judge(inputsFor(url), own);
        return { result, met, changed: !isDeepStrictEqual([...store.users.values()], seed.users) };
      });
    };
    const ended = await untilMet(limits, judgeOnce, ({ met }) => met);
    expect(ended.met).toBe(true);
    expect(suiteErrors(ended.result)).toEqual([]);
    return ended;
  }

  const afterRequests =
    (last: number) =>
    ({ number }: RawRequest): boolean =>
      number > last;
  const isUpdate = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.toString() !== '{}';
  /** Only the restoration sends both values that a user had. */
  const isRestoring = (request: RawRequest): boolean =>
    defaultSeed.users.some(({ name, email }) =>
      [name, email].every((text) => request.body.includes(JSON.stringify(text))),
    );

  test.each([1, 5, 20, 40, 80, 120])(
    'dies after %i requests is not passed, and its users are reported as not restored',
    async (last) => {
      let updated = false;
      const after = (request: RawRequest): boolean => {
        if (request.number === 1) updated = false;
        if (afterRequests(last)(request)) return true;
        updated ||= isUpdate(request);
        return false;
      };
      const { result, changed } = await judgeUntil(PATIENT, after, (_socket, close) => void close());
      expect(['inconclusive', 'failed']).toContain(result.verdict);
      expect(result.restoration.outcome).not.toBe('complete');
      // Updates go before requests that nothing waits for, so a few requests may include one.
      expect(changed).toBe(updated);
      if (last === 1 || last >= 40) expect(changed).toBe(last >= 40);
      if (changed) expect(result.restoration).toMatchObject(NOT_RESTORED);
    },
  );

  test('dies at the first update is not passed, and has nothing restored', async () => {
    const { result, changed } = await judgeUntil(PATIENT, isUpdate, (_socket, close) => void close());
    expect(['inconclusive', 'failed']).toContain(result.verdict);
    expect(changed).toBe(false);
    expect(result.restoration.outcome).not.toBe('complete');
  });

  test('dies when the first user is restored leaves users that are reported as not restored', async () => {
    const { result, changed } = await judgeUntil(PATIENT, isRestoring, (_socket, close) => void close());
    expect(changed).toBe(true);
    expect(result.restoration).toMatchObject(NOT_RESTORED);
  });

  test.each([1, 20, 60, 120])('hangs after %i requests is not passed', async (last) => {
    const { result } = await judgeUntil(SHORT, afterRequests(last), () => undefined);
    expect(result.verdict).toBe('inconclusive');
  });

  test('hangs at each request that it refuses with 401 is judged by the others, and the hint names these requests', async () => {
    const deliver: Deliver = (delivery) =>
      delivery.answer.status === 401 ? Promise.resolve() : deliverPlain(delivery);
    const result = await untilMet(
      { ...SHORT, deadline: 600_000 },
      (limits) => withWireServer({ deliver }, ({ url }) => judge(inputsFor(url), limits)),
      ({ hints }) => hints?.some(({ id }) => id === 'hangs') ?? false,
    );
    expect(result.hints?.find(({ id }) => id === 'hangs')?.text).toContain('with no Authorization header');
    const outcomes = new Map(result.checks.map(({ id, outcome }) => [id, outcome]));
    expect([result.verdict, outcomes.get('auth-banners-unknown-key')]).toEqual(['inconclusive', 'inconclusive']);
    expect(result.restoration.outcome).toBe('complete');
  });

  test.each([40, 80, 120])('asks for a pause of a day after %i requests is not passed', async (last) => {
    const pause = message(429, { 'Retry-After': '99999' }, '');
    const { result } = await judgeUntil(PATIENT, afterRequests(last), (socket) => void socket.write(pause));
    expect(result.verdict).toBe('inconclusive');
    expect(result.restoration.outcome).toBe('partial');
  });

  test.each([20, 60, 120])('responds in noise after %i requests is not passed', async (last) => {
    const { result } = await judgeUntil(PATIENT, afterRequests(last), (socket) => void socket.end('noise\r\n\r\n'));
    expect(result.verdict).toBe('inconclusive');
  });

  test('puts a response to no request behind each response is judged within bounds', async () => {
    const deliver: Deliver = async (delivery) => {
      await deliverPlain(delivery);
      delivery.socket.write(message(200, JSON_TYPE, '{"id":666}'));
    };
    await withWireServer({ deliver }, async ({ url }) => {
      const result = await judge(inputsFor(url), PATIENT);
      expect(suiteErrors(result)).toEqual([]);
      expect(JSON.stringify(result)).not.toContain('666}');
    });
  });
});
