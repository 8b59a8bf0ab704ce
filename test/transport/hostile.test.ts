import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { inputsFor } from '../../proof/behaviour.ts';
import { expectVerdict, judge, PATIENT, SHORT, suiteErrors } from '../support/judging.ts';
import { deliverPlain, startWireServer, withWireServer, type Deliver } from '../../proof/wire/wire-server.ts';
import {
  message,
  startRawServer,
  withRawServer,
  type RawRequest,
  type RawServerOptions,
} from '../../proof/wire/raw-server.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const [USER] = defaultSeed.users;

type Behaviour = Pick<RawServerOptions, 'onConnection' | 'onRequest'>;
type Respond = NonNullable<RawServerOptions['onRequest']>;

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

const say =
  (bytes: Buffer | string): Respond =>
  (_request, socket) => {
    socket.write(bytes);
  };

const sayAndEnd =
  (bytes: Buffer | string): Respond =>
  (_request, socket) => {
    socket.end(bytes);
  };

const dripAfter =
  (start: string, bytes: string | Buffer, pause: number): Respond =>
  (_request, socket) => {
    socket.write(start);
    return repeat(socket, bytes, pause);
  };

const OK_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

describe.concurrent('A run ends in time and is inconclusive on a target that', () => {
  const behaviours: readonly (readonly [what: string, behaviour: Behaviour])[] = [
    [
      'accepts connections and never answers',
      {
        onConnection: (socket) => {
          socket.resume();
        },
      },
    ],
    ['accepts connections and never reads', { onConnection: () => undefined }],
    [
      'closes each connection at once',
      {
        onConnection: (socket) => {
          socket.destroy();
        },
      },
    ],
    [
      'resets each connection at once',
      {
        onConnection: (socket) => {
          socket.resetAndDestroy();
        },
      },
    ],
    ['closes without an answer after each request', { onRequest: (_request, socket) => void socket.end() }],
    ['resets after each request', { onRequest: (_request, socket) => void socket.resetAndDestroy() }],
    ['closes in the middle of the header', { onRequest: sayAndEnd('HTTP/1.1 200 OK\r\nContent-Ty') }],
    ['closes in the middle of the body', { onRequest: sayAndEnd(`${OK_HEAD}Content-Length: 100\r\n\r\n{"id":1`) }],
    [
      'closes in the middle of a chunk',
      { onRequest: sayAndEnd(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\n{"id"`) },
    ],
    ['announces one gigabyte and closes', { onRequest: sayAndEnd(`${OK_HEAD}Content-Length: 1073741824\r\n\r\n{}`) }],
    ['announces one gigabyte and stays', { onRequest: say(`${OK_HEAD}Content-Length: 1073741824\r\n\r\n{}`) }],
    ['drips a header that never ends', { onRequest: dripAfter('HTTP/1.1 200 OK\r\n', 'X-Drip: 1\r\n', 20) }],
    [
      'floods with a header that never ends',
      { onRequest: dripAfter('HTTP/1.1 200 OK\r\n', `X-Flood: ${'x'.repeat(4000)}\r\n`, 0) },
    ],
    ['drips a body that never ends', { onRequest: dripAfter(`${OK_HEAD}Content-Length: 100000\r\n\r\n`, ' ', 20) }],
    [
      'drips chunks that never end',
      { onRequest: dripAfter(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n', 20) },
    ],
    [
      'floods with a body that never ends',
      { onRequest: dripAfter(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${' '.repeat(65536)}\r\n`, 0) },
    ],
    [
      'floods with a body that ends with the connection',
      { onRequest: dripAfter(`${OK_HEAD}\r\n`, ' '.repeat(65536), 0) },
    ],
    ['sends interim answers for ever', { onRequest: dripAfter('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 1) }],
    ['floods with interim answers', { onRequest: dripAfter('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000), 0) }],
    ['answers in no known protocol', { onRequest: sayAndEnd('SSH-2.0-OpenSSH_9.6\r\n\r\n') }],
    ['greets before any request', { onConnection: (socket) => void socket.write('220 mail.example.com ESMTP\r\n') }],
    [
      'answers in binary noise',
      { onRequest: sayAndEnd(Buffer.from(Array.from({ length: 999 }, (_each, at) => (at * 89) % 256))) },
    ],
    ['answers with a status of two digits', { onRequest: sayAndEnd('HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n') }],
    ['answers with HTTP/9.9', { onRequest: sayAndEnd('HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n') }],
    [
      'switches protocols',
      { onRequest: say('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n') },
    ],
    ['sends a header field without a colon', { onRequest: sayAndEnd('HTTP/1.1 200 OK\r\nnonsense\r\n\r\n{}') }],
    [
      'sends two different lengths',
      { onRequest: sayAndEnd(`${OK_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`) },
    ],
    ['sends a negative length', { onRequest: sayAndEnd(`${OK_HEAD}Content-Length: -2\r\n\r\n{}`) }],
    [
      'sends a chunk size that is no number',
      { onRequest: sayAndEnd(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`) },
    ],
    [
      'sends a gzip bomb',
      {
        onRequest: say(message(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000)))),
      },
    ],
    [
      'sends a gzip bomb inside another',
      {
        onRequest: say(
          message(
            200,
            { ...JSON_TYPE, 'Content-Encoding': 'gzip, gzip' },
            gzipSync(gzipSync(Buffer.alloc(50_000_000))),
          ),
        ),
      },
    ],
    [
      'calls plain text gzip',
      { onRequest: say(message(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, '{"id":1}')) },
    ],
    [
      'uses a coding that was not asked for',
      { onRequest: say(message(200, { ...JSON_TYPE, 'Content-Encoding': 'zstd' }, '{"id":1}')) },
    ],
    ['asks for a pause of a day', { onRequest: say(message(429, { 'Retry-After': '99999' }, '')) }],
    [
      'asks for a pause until next century',
      { onRequest: say(message(503, { 'Retry-After': 'Fri, 01 Jan 2100 00:00:00 GMT' }, '')) },
    ],
    [
      'asks for a pause longer than a number can hold',
      { onRequest: say(message(429, { 'Retry-After': '9'.repeat(400) }, '')) },
    ],
    ['asks for short pauses for ever', { onRequest: say(message(429, { 'Retry-After': '0' }, '')) }],
  ];

  test.each(behaviours)('%s', async (what, behaviour) => {
    await withRawServer(behaviour, async ({ url, connections }) => {
      const endsAtOnce = /^(closes|resets|switches)|closes$/.test(what);
      const result = await expectVerdict(url, { verdict: 'inconclusive', limits: endsAtOnce ? PATIENT : SHORT });
      expect(connections()).toBeGreaterThan(0);
      const { outcome, journal } = result.restoration;
      expect(outcome).toBe(endsAtOnce ? 'partial' : 'none');
      expect(journal === undefined).toBe(outcome === 'none');
    });
  });

  test('is not there', async () => {
    const { url, close } = await startRawServer({});
    await close();
    const result = await expectVerdict(url, { verdict: 'inconclusive' });
    expect(new Set(result.checks.map(({ reason }) => reason))).toEqual(new Set(['target-unreachable']));
  });

  test('asks for a pause again and again until the deadline', async () => {
    await withRawServer({ onRequest: say(message(429, { 'Retry-After': '1' }, '')) }, async ({ url }) => {
      await expectVerdict(url, { verdict: 'inconclusive', limits: { deadline: 3000 } });
    });
  });

  test('asks for a pause of a day, within the default time-out', async () => {
    await withRawServer({ onRequest: say(message(429, { 'Retry-After': '99999' }, '')) }, async ({ url, requests }) => {
      const result = await expectVerdict(url, { verdict: 'inconclusive', limits: { deadline: 3000 } });
      expect(result.checks.map(({ reason }) => reason)).toContain('throttled');
      expect(requests.length).toBeLessThan(50);
    });
  });
});

const user = (members: object): string => JSON.stringify({ ...USER, ...members });

describe.concurrent('A run fails a target that', () => {
  const json = (status: number | string, body: string | Buffer): Behaviour => ({
    onRequest: say(message(status, JSON_TYPE, body)),
  });
  const refusal = (status: number, name: string): string => JSON.stringify({ id: String(status), name, message: 'no' });
  const html = '<!doctype html><title>Hello</title><p>It works!';
  const behaviours: readonly (readonly [what: string, behaviour: Behaviour])[] = [
    ['answers everything with 200 and HTML', { onRequest: say(message(200, { 'Content-Type': 'text/html' }, html)) }],
    ['answers everything with 200 and HTML declared as JSON', json(200, html)],
    ['answers everything with 200 and no body', { onRequest: say(message(200, {}, '')) }],
    ['answers everything with 200 and {}', json(200, '{}')],
    ['answers everything with 200 and []', json(200, '[]')],
    ['answers everything with 200 and null', json(200, 'null')],
    ['answers everything with 200 and a text', json(200, '"ok"')],
    ['answers everything with 200 and the same user', json(200, user({}))],
    ['answers everything with 200 and a user with an id alone', json(200, '{"id":1}')],
    ['answers everything with 200 and both a user and banners', json(200, user({ banners: [] }))],
    ['answers everything with 400', json(400, refusal(400, 'ValidationError'))],
    ['answers everything with 400 and no body', { onRequest: say(message(400, {}, '')) }],
    ['answers everything with 500', json(500, refusal(500, 'InternalError'))],
    ['answers everything with 503', json(503, refusal(503, 'Unavailable'))],
    ['answers everything with 204', { onRequest: say('HTTP/1.1 204 No Content\r\n\r\n') }],
    ['answers everything with 599', json(599, '{}')],
    ['answers everything with 999', json('999 What', '{}')],
    ['answers everything with 302 and no Location', json(302, '{}')],
    ['answers everything with 304', { onRequest: say('HTTP/1.1 304 Not Modified\r\n\r\n') }],
    [
      'sends back what it was sent',
      { onRequest: (request, socket) => void socket.write(message(200, JSON_TYPE, request.body)) },
    ],
    [
      'sends bytes that are not UTF-8',
      json(200, Buffer.concat([Buffer.from('{"id":1,"name":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')])),
    ],
    ['sends UTF-16', json(200, Buffer.from(user({}), 'utf16le'))],
    ['sends half a JSON text', json(200, user({}).slice(0, 50))],
    ['sends two JSON texts', json(200, user({}) + user({}))],
    [
      'sends members with the names of built-in properties',
      json(200, '{"__proto__":{"id":1},"constructor":1,"toString":2,"hasOwnProperty":3,"id":1}'),
    ],
    ['sends numbers beyond all bounds', json(200, '{"id":1e999,"loginAttempts":-1e999,"name":"x","email":"y"}')],
    ['sends half of a surrogate pair as name', json(200, user({ name: '@' }).replace('@', '\\ud800'))],
  ];

  test.each(behaviours)('%s', async (_what, behaviour) => {
    await withRawServer(behaviour, async ({ url }) => {
      const limits = { timeout: 5000, deadline: 15_000 };
      const result = await expectVerdict(url, { verdict: 'failed', limits });
      expect(JSON.stringify(result).length).toBeLessThan(20_000_000);
    });
  });

  test('answers every update with 204, and keeps the contract otherwise', async () => {
    const instead = async (request: RawRequest, socket: Socket): Promise<boolean> => {
      await Promise.resolve();
      if (request.method === 'PUT') socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      return request.method === 'PUT';
    };
    await withWireServer({ instead }, async ({ url }) => {
      const limits = { timeout: 5000, deadline: 15_000 };
      const result = await expectVerdict(url, { verdict: 'failed', limits });
      expect(result.checks.find(({ id }) => id === 'update-name-accepted')?.outcome).toBe('failed');
    });
  });
});

describe.concurrent('A run is incomplete, since the operator may be mistaken, on a target that', () => {
  const statuses: readonly (readonly [status: number, name: string])[] = [
    [401, 'AuthenticationRequired'],
    [403, 'NoAccessError'],
    [404, 'NotFoundError'],
  ];
  test.each(statuses)('answers everything with %i', async (status, name) => {
    const onRequest: Respond = ({ number }, socket) => {
      socket.write(message(status, JSON_TYPE, JSON.stringify({ id: `error-${number}`, name, message: 'no' })));
    };
    await withRawServer({ onRequest }, async ({ url, requests }) => {
      const result = await expectVerdict(url, { verdict: 'inconclusive' });
      expect(result.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
      expect(requests.length).toBeLessThan(60);
    });
  });
});

describe.concurrent('No request and no key follows a redirect', () => {
  test.each([300, 301, 302, 303, 307, 308])('with the status %i', async (status) => {
    const elsewhere = await startRawServer({ onRequest: say(message(200, JSON_TYPE, user({}))) });
    try {
      await withRawServer(
        {
          onRequest: (request, socket) => {
            const to = request.number % 3 === 0 ? request.target : `${elsewhere.url}${request.target}`;
            socket.write(message(status, { Location: to, Refresh: `0; url=${to}`, 'Content-Location': to }, ''));
          },
        },
        async ({ url, requests }) => {
          await expectVerdict(url, { verdict: 'failed', limits: PATIENT });
          expect(requests.length).toBeGreaterThan(0);
        },
      );
      expect(elsewhere.connections()).toBe(0);
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test('that a conforming server gives to one request in three', async () => {
    const elsewhere = await startRawServer({});
    try {
      const instead = (request: RawRequest, socket: Socket): boolean => {
        if (request.number % 3 !== 0) return false;
        socket.write(message(307, { Location: `${elsewhere.url}${request.target}` }, ''));
        return true;
      };
      await withWireServer({ instead }, async ({ url }) => {
        const result = await judge(inputsFor(url));
        expect(suiteErrors(result)).toEqual([]);
        expect(result.verdict).toBe('failed');
      });
      expect(elsewhere.connections()).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });
});

describe.concurrent('A run on a conforming server that', () => {
  /** Judges a server that keeps the contract up to some request. */
  async function judgeUntil(last: number, then: (socket: Socket, close: () => Promise<void>) => void): Promise<Result> {
    let end = (): Promise<void> => Promise.resolve();
    const proxy = await startWireServer({
      instead: (request, socket) => {
        if (request.number <= last) return false;
        then(socket, end);
        return true;
      },
    });
    end = proxy.close;
    try {
      const started = performance.now();
      const result = await judge(inputsFor(proxy.url), SHORT);
      expect(performance.now() - started).toBeLessThan(36_000);
      expect(suiteErrors(result)).toEqual([]);
      expect(['inconclusive', 'failed']).toContain(result.verdict);
      return result;
    } finally {
      await proxy.close();
    }
  }

  test.each([1, 5, 20, 40, 80, 120])(
    'dies after %i requests is not passed, and its users are said not to be put back',
    async (last) => {
      const result = await judgeUntil(last, (_socket, close) => void close());
      expect(result.restoration.outcome).not.toBe('complete');
      if (last >= 40)
        expect(result.restoration).toMatchObject({ outcome: 'partial', journal: expect.any(String) as string });
    },
  );

  test.each([1, 20, 60, 120])('hangs after %i requests is not passed', async (last) => {
    const result = await judgeUntil(last, () => undefined);
    expect(result.verdict).toBe('inconclusive');
  });

  test.each([40, 80, 120])('asks for a pause of a day after %i requests is not passed', async (last) => {
    const result = await judgeUntil(last, (socket) => void socket.write(message(429, { 'Retry-After': '99999' }, '')));
    expect(result.verdict).toBe('inconclusive');
    expect(result.restoration.outcome).toBe('partial');
  });

  test.each([20, 60, 120])('answers in noise after %i requests is not passed', async (last) => {
    const result = await judgeUntil(last, (socket) => void socket.end('noise\r\n\r\n'));
    expect(result.verdict).toBe('inconclusive');
  });

  test('puts an answer to nobody behind each answer is judged within bounds', async () => {
    const deliver: Deliver = async (delivery) => {
      await deliverPlain(delivery);
      delivery.socket.write(message(200, JSON_TYPE, '{"id":666}'));
    };
    await withWireServer({ deliver }, async ({ url }) => {
      const result = await judge(inputsFor(url), SHORT);
      expect(suiteErrors(result)).toEqual([]);
      expect(JSON.stringify(result)).not.toContain('666}');
    });
  });
});
