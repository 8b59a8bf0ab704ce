import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { using } from '../../common/using.ts';
import { HttpClient } from '../../conformance/http/client.ts';
import { bodyText, parseJson } from '../../conformance/http/content.ts';
import { DEFAULT_LIMITS, retryAfter, type Limits } from '../../conformance/http/policy/limits.ts';
import type { Exchange, RequestSpec, TransportError } from '../../conformance/http/exchange.ts';
import { bannersRequest } from '../support/exchanges.ts';
import { PATIENT, untilMet } from '../support/judging.ts';
import { slowness } from '../support/patience.ts';
import {
  message,
  startRawServer,
  withRawServer,
  type RawServerOptions,
  say,
  sayAndEnd,
  type Respond,
} from '../../proof/wire/raw-server.ts';

const REQUEST = bannersRequest({ credential: { label: 'a key', header: 'some-key' } });

async function sendTo(url: string, limits: Partial<Limits> = {}, times = 1): Promise<Exchange[]> {
  const client = new HttpClient({
    baseUrl: new URL(url),
    limits: { ...DEFAULT_LIMITS, ...PATIENT, ...limits },
    signal: new AbortController().signal,
  });
  return using(client, () => Promise.all(Array.from({ length: times }, () => client.send(REQUEST))));
}

async function exchangeWith(onRequest: Respond, limits: Partial<Limits> = {}): Promise<Exchange> {
  return withRawServer({ onRequest }, async ({ url }) => {
    const [exchange] = await sendTo(url, limits);
    return exchange ?? expect.fail('No exchange was recorded.');
  });
}

describe.concurrent('The client names the fault', () => {
  const zeros = gzipSync(Buffer.alloc(100_000));
  const faults: readonly (readonly [kind: TransportError, of: string, respond: Respond])[] = [
    ['timeout', 'a target that is silent', () => undefined],
    ['timeout', 'a body that stays away', say('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')],
    ['closed', 'a connection that is closed', sayAndEnd('')],
    ['closed', 'a header that breaks off', sayAndEnd('HTTP/1.1 200 OK\r\nX-')],
    ['closed', 'a body that breaks off', sayAndEnd('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}')],
    ['protocol', 'what is not HTTP', sayAndEnd('hello\r\n\r\n')],
    ['protocol', 'a coding that was not asked for', say(message(200, { 'Content-Encoding': 'zstd' }, 'x'))],
    ['limit', 'a header of 100,000 bytes', say(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)],
    ['limit', 'a long body', say(message(200, {}, 'x'.repeat(10_001)))],
    ['limit', 'a body that is long when decoded', say(message(200, { 'Content-Encoding': 'gzip' }, zeros))],
    ['throttled', 'a pause beyond the deadline', say(message(429, { 'Retry-After': '3600' }, ''))],
  ];

  test.each(faults)('%s of %s', async (kind, _of, respond) => {
    const { transportError, response } = await exchangeWith(respond, {
      maxBody: 10_000,
      ...(kind === 'timeout' ? { timeout: 200 } : {}),
    });
    expect(response).toBeUndefined();
    expect(transportError?.kind).toBe(kind);
    expect(transportError?.detail).not.toBe('');
  });

  test('a body that is not in its coding, and keeps it as it came', async () => {
    const { response } = await exchangeWith(say(message(200, { 'Content-Encoding': 'gzip' }, '{"id":4}')));
    expect(response).toMatchObject({ status: 200, text: '{"id":4}' });
    expect(response?.json).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^the body is not gzip/) as string,
    });
  });

  test('unreachable of a closed port', async () => {
    const { url, close } = await startRawServer({});
    await close();
    const [exchange] = await sendTo(url);
    expect(exchange?.transportError?.kind).toBe('unreachable');
  });

  test('aborted of requests that were under way when the run was stopped', async () => {
    const stop = new AbortController();
    const onRequest: Respond = ({ number }) => {
      if (number === 2) stop.abort();
    };
    await withRawServer({ onRequest }, async ({ url }) => {
      const client = new HttpClient({ baseUrl: new URL(url), limits: DEFAULT_LIMITS, signal: stop.signal });
      const sent = await Promise.all([client.send(REQUEST), client.send(REQUEST)]);
      const later = await Promise.all([client.send(REQUEST), client.send(REQUEST)]);
      await client.close();
      expect([...sent, ...later].map(({ transportError }) => transportError?.kind)).toEqual(
        Array.from({ length: 4 }, () => 'aborted'),
      );
    });
  });
});

describe.concurrent('The client takes', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  const BODY = 'Content-Type: application/json\r\nContent-Length: 8\r\n\r\n{"id":1}';
  const PAUSE = message(429, { 'Retry-After': '0' }, '');
  test.each<[which: string, respond: Respond, exchange: object]>([
    // A 100 that it did not ask for as well (RFC 9110, 15.2).
    ...[100, 102, 103, 199].map((interim): [string, Respond, object] => [
      `behind a ${interim}`,
      say(`HTTP/1.1 ${interim} X\r\n\r\n${OK}`),
      { response: { status: 200, text: '{}' } },
    ]),
    // These must not have a body (RFC 9110, 8.6).
    ...[204, 304].map((status): [string, Respond, object] => [
      `of a ${status} with a body`,
      say(`HTTP/1.1 ${status} X\r\n${BODY}`),
      { response: { status, text: '' } },
    ]),
    [
      'with a field that comes twice, joined',
      say('HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 0\r\n\r\n'),
      { response: { headers: { 'x-a': '1, 2' } } },
    ],
    ['of a 503 that stays', say(message(503, {}, '')), { pauses: 7, response: { status: 503 } }],
    [
      'after pauses, and counts them',
      ({ number }, socket) => void socket.write(number < 4 ? PAUSE : message(200, {}, '{}')),
      { pauses: 3, response: { status: 200 } },
    ],
  ])('the response %s', async (_which, respond, expected) => {
    const exchange = await exchangeWith(respond);
    expect(exchange.transportError).toBeUndefined();
    expect(exchange).toMatchObject(expected);
  });

  test('a redirect as the response, below a base path', async () => {
    await withRawServer({ onRequest: say(message(302, { Location: '/elsewhere' }, '')) }, async ({ url, requests }) => {
      const [exchange] = await sendTo(`${url}/base/`);
      expect(exchange?.response?.status).toBe(302);
      expect(requests.map(({ target }) => target)).toEqual(['/base/api/admin/banners']);
    });
  });

  test('no cookie', async () => {
    await withRawServer({ onRequest: say(message(200, { 'Set-Cookie': 'a=b' }, '{}')) }, async ({ url, requests }) => {
      await sendTo(url, { concurrency: 1 }, 3);
      expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, undefined]);
    });
  });

  test('as many concurrent requests as allowed, without a warning of a leak', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => {
      warnings.push(name);
    };
    process.on('warning', note);
    await withRawServer({ onRequest: say(message(200, {}, '{}')) }, async ({ url }) => {
      const exchanges = await sendTo(url, { concurrency: 64 }, 64);
      expect(exchanges.map(({ response }) => response?.status)).toEqual(Array.from({ length: 64 }, () => 200));
    });
    process.off('warning', note);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  test('responses after one pause, where several concurrent requests were refused', async () => {
    // A target that asks for more than 30 s is given up.
    const pause = Math.min(20, Math.ceil(slowness()));
    const arrivals: number[] = [];
    const onRequest: Respond = ({ number }, socket) => {
      if (number > 8) arrivals.push(performance.now());
      socket.write(number <= 8 ? message(429, { 'Retry-After': String(pause) }, '') : message(200, {}, '{}'));
    };
    await withRawServer({ onRequest }, async ({ url }) => {
      const exchanges = await sendTo(url, {}, 8);
      expect(exchanges.map(({ response }) => response?.status)).toEqual(exchanges.map(() => 200));
    });
    // With a pause for each of them, seven pauses lie between the first and the last.
    expect(arrivals).toHaveLength(8);
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeLessThan(7 * 1000 * pause);
  });
});

describe.concurrent('At a target that hangs at some requests, the client', () => {
  const to = (path: string): RequestSpec => ({ ...REQUEST, path: `/${path}` });
  const many = (path: string, times: number): RequestSpec[] => Array.from({ length: times }, () => to(path));

  /** Sends requests with a short time-out, those of each group concurrently, until those that get a response have got one. */
  async function judgeGroups(
    server: RawServerOptions,
    groups: readonly (readonly RequestSpec[])[],
    { begin = () => new AbortController(), late = /^\/(ok|slow)timeout/ } = {},
  ): Promise<string[][]> {
    const attempt = (limits: Partial<Limits>): Promise<string[][]> =>
      withRawServer(server, async ({ url }) => {
        const stop = begin();
        const all = { ...DEFAULT_LIMITS, concurrency: 4, ...limits };
        const client = new HttpClient({ baseUrl: new URL(url), limits: all, signal: stop.signal });
        const outcomes: string[][] = [];
        for (const group of groups) {
          const sent = await Promise.all(group.map((request) => client.send(request)));
          outcomes.push(
            sent.map(
              ({ request, response, transportError }) =>
                request.path + (transportError?.kind ?? String(response?.status)),
            ),
          );
        }
        await client.close();
        return outcomes;
      });
    const isMet = (outcomes: string[][]): boolean => outcomes.flat().every((each) => !late.test(each));
    return untilMet({ ...PATIENT, timeout: 400 }, attempt, isMet);
  }

  const ok = (socket: Socket): void => void socket.write(message(200, {}, '{}'));
  const outcomesOf = (groups: readonly (readonly RequestSpec[])[]): string[][] =>
    groups.map((group) => group.map(({ path }) => path + (path === '/hang' ? 'timeout' : '200')));

  test('waits for more requests than it sends at once, and takes slow responses', async () => {
    // Each waits for the last one to come.
    let waiting: Socket[] = [];
    const onRequest: Respond = ({ number, target }, socket) => {
      if (number === 1) waiting = [];
      if (target === '/ok') ok(socket);
      if (target !== '/slow') return;
      waiting.push(socket);
      if (waiting.length === 20) waiting.forEach(ok);
      else if (waiting.length > 20) ok(socket);
    };
    const groups = [[to('ok')], many('hang', 4), [...many('slow', 20), ...many('hang', 8)], [to('ok')]];
    expect(await judgeGroups({ onRequest }, groups)).toEqual(outcomesOf(groups));
  });

  test('sends one at a time if that target serves one connection', async () => {
    const onRequest: Respond = ({ target }, socket) => {
      if (target === '/ok') ok(socket);
    };
    const groups = [[to('ok')], [...many('hang', 6), ...many('ok', 6)], [...many('hang', 2), ...many('ok', 4)]];
    expect(await judgeGroups({ oneAtATime: true, onRequest }, groups)).toEqual(outcomesOf(groups));
  });

  test('sends nothing more when the run is stopped', async () => {
    let stop = new AbortController();
    let later = 0;
    const begin = (): AbortController => {
      later = 0;
      return (stop = new AbortController());
    };
    const onRequest: Respond = ({ target, number }, socket) => {
      // What was sent beside it may be on its way at that moment.
      if (stop.signal.aborted && target === '/hang') later += 1;
      if (target === '/ok') ok(socket);
      // The first request that is sent again.
      else if (number > 5) stop.abort();
    };
    const [, hung = []] = await judgeGroups({ onRequest }, [[to('ok')], many('hang', 4)], { begin, late: /timeout$/ });
    expect(new Set(hung)).toEqual(new Set(['/hangaborted']));
    expect(later).toBe(0);
  });
});

test.concurrent(
  'A target gets each request again whose connection it closed, and each attempt is counted',
  async () => {
    let seed = 11;
    const isClosed = (): boolean => (seed = (seed * 16_807) % 2_147_483_647) % 3 === 0;
    const onRequest: Respond = (_request, socket) => {
      if (isClosed()) socket.destroy();
      else socket.write(message(200, {}, '{}'));
    };
    await withRawServer({ onRequest }, async ({ url, requests }) => {
      const exchanges = await sendTo(url, { concurrency: 4 }, 60);
      expect(exchanges.map(({ response }) => response?.status)).toEqual(exchanges.map(() => 200));
      expect(exchanges.reduce((sum, { lost = 0 }) => sum + lost + 1, 0)).toBe(requests.length);
    });
  },
);

describe('Retry-After', () => {
  const now = Date.UTC(2030, 0, 1);
  test.each([
    ['2', 2000],
    [' 2 ', 2000],
    ['0', 50],
    [new Date(now + 3000).toUTCString(), 3000],
    [new Date(now - 3000).toUTCString(), 50],
    ['soon', 1000],
    ['', 1000],
    [undefined, 1000],
  ])('%j asks for %i ms', (value, expected) => expect(retryAfter(value, now)).toBe(expected));

  test('is always more than 0 ms', () => {
    for (const value of ['-1', '1.5', '1e3', '9'.repeat(400), 'Infinity', 'NaN']) {
      expect(retryAfter(value, now)).toBeGreaterThan(0);
    }
  });
});

test('A body that is not UTF-8 is distinguished from one that is not JSON', () => {
  const reasonOf = (bytes: Buffer | string): unknown => parseJson(bodyText(Buffer.from(bytes)));
  const notJson = (reason: string) => ({ ok: false, reason });
  expect(reasonOf(Buffer.from([0x22, 0xff, 0x22]))).toEqual(notJson('the body is not UTF-8, at character 2'));
  expect(reasonOf('no')).toEqual(notJson('the body is not JSON'));
  expect(reasonOf('{')).toEqual(notJson('the body is not JSON, at character 2'));
  expect(reasonOf('["a\u0000"]')).toEqual(notJson('the body is not JSON, at character 4: U+0000 is not escaped'));
  expect(() => parseJson(bodyText(Buffer.from('['.repeat(201) + ']'.repeat(201))))).toThrow(
    'nested deeper than 200 levels',
  );
  expect(parseJson(bodyText(Buffer.from('\u{FEFF}1')))).toEqual({ ok: true, value: 1 });
});
