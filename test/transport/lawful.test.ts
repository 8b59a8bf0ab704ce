import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../conformance/client.ts';
import type { Result } from '../../conformance/result.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { blemishes, inputsFor, judge } from '../support/judging.ts';
import {
  after,
  contentLength,
  deliverPlain,
  head,
  plain,
  withWireServer,
  writeFragments,
  type WireAnswer,
  type Deliver,
  type WireServer,
  type WireOptions,
} from '../../proof/wire/wire-server.ts';
import { message, type RawRequest } from '../../proof/wire/raw-server.ts';

interface Judged {
  readonly result: Result;
  readonly server: WireServer;
}

interface Case extends WireOptions {
  readonly limits?: Partial<Limits>;
  /** Behind the address of the server. */
  readonly path?: string;
}

/** Judges the reference server through a server, and demands that it is found conforming and left as it was. */
async function expectConforming({ limits, path = '', ...options }: Case): Promise<Judged> {
  return withWireServer(options, async (server) => {
    const { seed, store } = server.service;
    const result = await judge(inputsFor(server.url + path, seed), limits);
    expect(blemishes(result)).toEqual([]);
    expect(result.verdict).toBe('passed');
    expect(result.restoration.outcome).toBe('complete');
    expect([...store.users.values()]).toEqual(seed.users);
    expect(result.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(100);
    return { result, server };
  });
}

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

function chunked(answer: WireAnswer, size: number, trailer = ''): Buffer {
  const pieces = Array.from({ length: Math.ceil(answer.body.length / size) }, (_each, index) =>
    chunk(answer.body.subarray(index * size, (index + 1) * size)),
  );
  return Buffer.concat([
    head(answer, { extra: [['Transfer-Encoding', 'chunked']] }),
    ...pieces,
    Buffer.from(`0\r\n${trailer}\r\n`),
  ]);
}

describe.concurrent('A conforming server is found conforming over', () => {
  const deliveries: readonly (readonly [how: string, deliver: Deliver])[] = [
    ['a plain connection', deliverPlain],
    [
      'chunked bodies',
      ({ answer, socket }) => {
        socket.write(chunked(answer, 7));
      },
    ],
    [
      'chunked bodies with a trailer',
      ({ answer, socket }) => {
        socket.write(chunked(answer, 64, 'X-Checksum: 1\r\n'));
      },
    ],
    ['fragments of one byte', ({ answer, socket }) => writeFragments(socket, plain(answer), 1)],
    ['chunked bodies in fragments of one byte', ({ answer, socket }) => writeFragments(socket, chunked(answer, 5), 1)],
    [
      'HTTP/1.0, with the end of the connection as the end of the body',
      ({ answer, socket }) => {
        socket.end(Buffer.concat([head(answer, { version: '1.0' }), answer.body]));
      },
    ],
    [
      'HTTP/1.0 with Content-Length and keep-alive',
      ({ answer, socket }) => {
        socket.write(plain(answer, { version: '1.0', extra: [['Connection', 'keep-alive']] }));
      },
    ],
    [
      'HTTP/1.1 with the end of the connection as the end of the body',
      ({ answer, socket }) => {
        socket.end(Buffer.concat([head(answer, { extra: [['Connection', 'close']] }), answer.body]));
      },
    ],
    [
      'connections that are closed after each answer, as announced',
      ({ answer, socket }) => {
        socket.end(plain(answer, { extra: [['Connection', 'close']] }));
      },
    ],
    [
      'connections that are closed after each answer without a word',
      ({ answer, socket }) => {
        socket.end(plain(answer));
      },
    ],
    [
      'kept-alive connections that are closed after 5 ms without a request',
      ({ answer, socket }) => {
        socket.removeAllListeners('timeout').setTimeout(5, () => socket.end());
        socket.write(plain(answer));
      },
    ],
    [
      'kept-alive connections that are reset after 5 ms without a request',
      ({ answer, socket }) => {
        socket.removeAllListeners('timeout').setTimeout(5, () => socket.resetAndDestroy());
        socket.write(plain(answer));
      },
    ],
    [
      'a kept-alive connection whose announced idle time is one second',
      ({ answer, socket }) => {
        socket.write(plain(answer, { extra: [['Keep-Alive', 'timeout=1, max=3']] }));
      },
    ],
    [
      'interim answers 102 and 103',
      ({ answer, socket }) => {
        socket.write(
          'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n',
        );
        socket.write(plain(answer));
      },
    ],
    [
      'an interim answer in the same packet as the answer',
      ({ answer, socket }) => {
        socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), plain(answer)]));
      },
    ],
    [
      'a 100 Continue that was not asked for',
      ({ answer, socket }) => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        socket.write(plain(answer));
      },
    ],
    [
      'a header in lower case',
      ({ answer, socket }) => {
        socket.write(plain(answer, { spell: (name) => name.toLowerCase() }));
      },
    ],
    [
      'a header in upper case',
      ({ answer, socket }) => {
        socket.write(plain(answer, { spell: (name) => name.toUpperCase() }));
      },
    ],
    [
      'fields that come more than once',
      ({ answer, socket }) => {
        const extra = ['Vary', 'vary', 'Cache-Control', 'Via', 'Via', 'WWW-Authenticate', 'www-authenticate'];
        socket.write(plain(answer, { extra: extra.map((name, index) => [name, `value-${index}`] as const) }));
      },
    ],
    [
      'many other fields, empty and long ones among them',
      ({ answer, socket }) => {
        const many = Array.from({ length: 60 }, (_each, index) => [`X-Field-${index}`, 'x'.repeat(index * 8)] as const);
        socket.write(
          plain(answer, {
            extra: [
              ...many,
              ['ETag', 'W/"1"'],
              ['Strict-Transport-Security', 'max-age=1'],
              ['__proto__', 'x'],
              ['X-Latin', 'caf\u00e9'],
            ],
          }),
        );
      },
    ],
    [
      'a header without a Date and with blanks around its values',
      ({ answer, socket }) => {
        const spaced = { ...answer, headers: answer.headers.map(([name, value]) => [name, `  ${value} \t`] as const) };
        socket.write(plain(spaced));
      },
    ],
    [
      'an empty reason phrase',
      ({ answer, socket }) => {
        socket.write(plain({ ...answer, reason: '' }));
      },
    ],
    [
      'cookies that are set with every answer',
      ({ request, answer, socket }) => {
        const extra = ['session', 'token', 'authorization'].map(
          (name) => ['Set-Cookie', `${name}=${request.number}; Path=/; HttpOnly`] as const,
        );
        socket.write(plain(answer, { extra }));
      },
    ],
  ];

  test.each(deliveries)('%s', async (_how, deliver) => {
    await expectConforming({ deliver });
  });

  test('answers that each take 30 ms', async () => {
    await expectConforming({ deliver: after(30, deliverPlain) });
  });

  test.each([
    'application/json',
    'Application/JSON;Charset="UTF-8"',
    'APPLICATION/JSON ; charset=utf-8',
    'application/problem+json',
  ])('the Content-Type %s', async (contentType) => {
    await expectConforming({
      deliver: ({ answer, socket }) => {
        const headers = answer.headers.map(([name, value]) =>
          name === 'content-type' ? ([name, contentType] as const) : ([name, value] as const),
        );
        socket.write(plain({ ...answer, headers }));
      },
    });
  });

  test('JSON with a byte order mark, which a reader may pass over', async () => {
    await expectConforming({
      deliver: ({ answer, socket }) => {
        socket.write(plain({ ...answer, body: Buffer.concat([Buffer.from('\u{FEFF}'), answer.body]) }));
      },
    });
  });

  test('JSON with blanks, line ends and escaped characters', async () => {
    await expectConforming({
      deliver: ({ answer, socket }) => {
        const spaced = JSON.stringify(JSON.parse(answer.body.toString()), null, '\t');
        const text = spaced.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) => string.replaceAll('e', '\\u0065'));
        socket.write(plain({ ...answer, body: Buffer.from(`\r\n ${text}\n`) }));
      },
    });
  });
});

describe.concurrent('A conforming server is found conforming with the content coding', () => {
  const codings: readonly (readonly [name: string, asked: string, encode: (body: Buffer) => Buffer])[] = [
    ['gzip', 'gzip', (body) => gzipSync(body)],
    ['GZip', 'gzip', (body) => gzipSync(body)],
    ['x-gzip', 'gzip', (body) => gzipSync(body)],
    ['deflate', 'deflate', (body) => deflateSync(body)],
    ['br', 'br', (body) => brotliCompressSync(body)],
    ['deflate, gzip', 'gzip', (body) => gzipSync(deflateSync(body))],
    ['identity', '', (body) => body],
  ];

  test.each(codings)('%s', async (name, asked, encode) => {
    let encoded = 0;
    await expectConforming({
      deliver: ({ request, answer, socket }) => {
        const accepted = (request.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
        if (asked !== '' && !accepted.includes(asked)) return deliverPlain({ request, answer, socket });
        encoded += 1;
        socket.write(plain({ ...answer, body: encode(answer.body) }, { extra: [['Content-Encoding', name]] }));
      },
    });
    expect(encoded).toBeGreaterThan(0);
  });

  test('deflate without the zlib frame, as some servers send it', async () => {
    await expectConforming({
      deliver: ({ answer, socket }) => {
        const body = deflateRawSync(answer.body);
        socket.write(plain({ ...answer, body }, { extra: [['Content-Encoding', 'deflate']] }));
      },
    });
  });

  test('gzip, chunked, in fragments of three bytes', async () => {
    await expectConforming({
      deliver: ({ answer, socket }) => {
        const zipped = { ...answer, body: gzipSync(answer.body) };
        const headers = [...answer.headers, ['Content-Encoding', 'gzip'] as const];
        return writeFragments(socket, chunked({ ...zipped, headers }, 11), 3);
      },
    });
  });
});

/** Lets so many requests through in each second, and asks for a pause for the rest of it. */
function rateLimit(perSecond: number, refusal: (opensAt: number) => Buffer): NonNullable<WireOptions['instead']> {
  let window = 0;
  let count = 0;
  return (_request, socket) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== window) count = 0;
    window = now;
    count += 1;
    if (count <= perSecond) return false;
    socket.write(refusal((now + 1) * 1000));
    return true;
  };
}

describe.concurrent('A conforming server is found conforming while it asks for pauses with', () => {
  const body = JSON.stringify({ id: 'x', name: 'TooManyRequests', message: 'Slow down.' });
  const json = { 'Content-Type': 'application/json' };
  const refusals: readonly (readonly [how: string, refusal: (opensAt: number) => Buffer])[] = [
    ['429 and Retry-After in seconds', () => message(429, { ...json, 'Retry-After': '1' }, body)],
    [
      '429 and Retry-After as a date',
      (opensAt) => message(429, { ...json, 'retry-after': new Date(opensAt).toUTCString() }, body),
    ],
    ['429 without Retry-After', () => message(429, json, body)],
    ['429 and Retry-After: 0', () => message(429, { 'Retry-After': '0' }, '')],
    ['429 and a Retry-After that nobody can read', () => message(429, { 'Retry-After': 'soon' }, 'slow down')],
    ['503 and Retry-After in seconds', () => message(503, { 'Retry-After': '1' }, '<h1>Busy</h1>')],
  ];

  test.each(refusals)('%s', async (how, refusal) => {
    // Retry-After: 0 says that the next request may follow at once; so it does not mean a window of a second.
    const atOnce = how.endsWith(': 0');
    const everyTenth: NonNullable<WireOptions['instead']> = (request, socket) => {
      if (request.number % 10 !== 0) return false;
      socket.write(refusal(Date.now()));
      return true;
    };
    const { result, server } = await expectConforming({ instead: atOnce ? everyTenth : rateLimit(70, refusal) });
    const limits = result.observations.find(({ id }) => id === 'open.limits');
    expect(limits?.observed).toBe('throttled');
    expect(server.requests.length).toBeGreaterThan(result.summary.requests);
  });
});

describe.concurrent('A conforming server is found conforming', () => {
  test.each(['/some/prefix', '/some/prefix/', '/v1.0/caf%C3%A9//x'])('under the base path %s', async (path) => {
    const prefix = path.replace(/\/$/, '');
    const { server } = await expectConforming({
      path,
      toService: (target) => (target.startsWith(prefix) ? target.slice(prefix.length) : '/outside'),
    });
    expect(server.requests.filter(({ target }) => !target.startsWith(`${prefix}/api/admin/`))).toEqual([]);
  });

  test('with user ids that a JavaScript number cannot hold', async () => {
    const ids: readonly (readonly [big: string, small: string])[] = [
      ['9007199254740993', '1'],
      ['9007199254740995', '2'],
    ];
    await withWireServer(
      {
        toService: (target) =>
          ids.reduce((rest, [big, small]) => rest.replace(new RegExp(`/${big}(?=$|\\?)`), `/${small}`), target),
        deliver: ({ answer, request, socket }) => {
          const text = answer.body.toString();
          const shown = ids.reduce(
            (rest, [big, small]) => rest.replace(`{"id":${small},"isAPI"`, `{"id":${big},"isAPI"`),
            text,
          );
          socket.write(plain(request.method === 'PUT' ? { ...answer, body: Buffer.from(shown) } : answer));
        },
      },
      async (server) => {
        const { seed, store } = server.service;
        const [userId, otherUserId] = ids.map(([big]) => big);
        const inputs = { ...inputsFor(server.url, seed), ...(userId && otherUserId ? { userId, otherUserId } : {}) };
        const result = await judge(inputs);
        expect(blemishes(result)).toEqual([]);
        expect(result.verdict).toBe('passed');
        expect(result.target.userId).toBe('9007199254740993');
        expect(result.restoration.users.map(({ id }) => id).sort()).toEqual(['9007199254740993', '9007199254740995']);
        expect([...store.users.values()]).toEqual(seed.users);
        const addressed = (request: RawRequest): boolean => request.target.endsWith('/9007199254740993');
        expect(server.requests.filter(addressed).length).toBeGreaterThan(50);
      },
    );
  });

  test('with 5,000 banners', async () => {
    const [sample] = defaultSeed.banners;
    const banners = Array.from({ length: 5000 }, (_each, index) => ({ ...sample, id: index + 1 }));
    const seed: Seed = { ...defaultSeed, banners: banners };
    const { result } = await expectConforming({ seed });
    expect(JSON.stringify(result).length).toBeLessThan(2_000_000);
  });

  test('with 5,000 banners over chunks in small pieces, compressed', async () => {
    const [sample] = defaultSeed.banners;
    const banners = Array.from({ length: 5000 }, (_each, index) => ({ ...sample, id: index + 1 }));
    await expectConforming({
      seed: { ...defaultSeed, banners: banners },
      deliver: ({ answer, socket }) => {
        const headers = [...answer.headers, ['Content-Encoding', 'gzip'] as const];
        socket.write(chunked({ ...answer, headers, body: gzipSync(answer.body) }, 100));
      },
    });
  });
});

describe('A conforming server that serves one connection at a time is found conforming', () => {
  test('if it keeps the connection', async () => {
    await expectConforming({ oneAtATime: true, limits: { timeout: 1000 } });
  });

  test('if it keeps the connection and each answer takes 10 ms', async () => {
    await expectConforming({ oneAtATime: true, limits: { timeout: 1000 }, deliver: after(10, deliverPlain) });
  });

  test('if it closes the connection after each answer', async () => {
    await expectConforming({
      oneAtATime: true,
      limits: { timeout: 1000 },
      deliver: ({ answer, socket }) => {
        socket.end(plain(answer, { extra: [['Connection', 'close']] }));
      },
    });
  });

  test('if it closes an idle connection after 40 ms', async () => {
    await expectConforming({
      oneAtATime: true,
      limits: { timeout: 1000 },
      deliver: ({ answer, socket }) => {
        socket.removeAllListeners('timeout').setTimeout(40, () => socket.end());
        socket.write(plain(answer));
      },
    });
  });

  test('if it keeps the connection and the suite sends one request at a time', async () => {
    const { server } = await expectConforming({ oneAtATime: true, limits: { timeout: 1000, concurrency: 1 } });
    expect(server.connections()).toBeLessThan(10);
  });
});

describe.concurrent('A conforming server is left as it was', () => {
  test('if the header of its answers is as long as it may be', async () => {
    const filler = 'x'.repeat(60_000);
    await expectConforming({
      deliver: ({ answer, socket }) => {
        socket.write(
          Buffer.concat([head(answer, { extra: [['X-Long', filler], contentLength(answer)] }), answer.body]),
        );
      },
    });
  });
});
