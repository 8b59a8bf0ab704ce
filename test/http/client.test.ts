import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTarget } from '../../conformance/run.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { startWireServer } from '../../proof/wire/wire-server.ts';
import { clientOf, json, rawServer, respondingWith, update } from './raw-server.ts';

const USER = '{"id":4}';

/** The response to one request to a server that writes these bytes. */
async function responseTo(bytes: string | Buffer, end = false) {
  const { url } = await respondingWith(bytes, end);
  return (await clientOf(url).send(update())).response;
}

const chunked = (...pieces: string[]): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${[...pieces, ''].map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')}`;

describe('A response is read', () => {
  it.each([204, 304])('that has no content, although a %i has a Content-Length', async (code) => {
    const { status, text, headers, lost } = await responseTo(`HTTP/1.1 ${code} X\r\nContent-Length: 8\r\nA: b\r\n\r\n`);
    expect({ status, text, lost, a: headers.a }).toEqual({ status: code, text: '', lost: undefined, a: 'b' });
  });

  it('with repeated fields, joined, and as it is after a redirect, which is not followed', async () => {
    const { status, headers } = await responseTo(
      'HTTP/1.1 302 X\r\nLocation: /b\r\nA: 1\r\na: 2\r\nContent-Length: 0\r\n\r\n',
    );
    expect([status, headers.location, headers.a]).toEqual([302, '/b', '1, 2']);
  });
});

it('A request is sent as it was made, below the base URL, and accepts what the suite decodes', async () => {
  const { url, received } = await respondingWith(json(USER));
  const headers = { accept: 'a/b', AUTHORIZATION: '   ', 'X-Key': 'é' };
  const body = Buffer.from([0x7b, 0xe9, 0x7d]);
  await clientOf(new URL('/base//', url)).send(update({ path: '/a%2fb/04?c=d', headers, body }));
  expect(received[0]).toMatchObject({
    ...{ method: 'PUT', target: '/base/a%2fb/04?c=d', body },
    headers: { accept: 'a/b', authorization: '', 'x-key': 'é', 'accept-encoding': 'gzip, br' },
    fieldNames: expect.arrayContaining(['accept', 'AUTHORIZATION', 'X-Key']) as string[],
  });
});

it('An update without a body has a length of 0, and a list has none', async () => {
  const { url, received } = await respondingWith(json(USER));
  const client = clientOf(url);
  await client.send(update({ body: undefined }));
  await client.send({ operation: 'listBanners', path: '/api/admin/banners', headers: {} });
  const [put, get] = received;
  expect(put?.headers).toMatchObject({ 'content-length': '0' });
  expect(get).toMatchObject({ method: 'GET', target: '/api/admin/banners' });
  expect(Object.keys(get?.headers ?? {})).not.toContain('content-length');
});

it('A request that cannot be sent is no fault of the target', async () => {
  const { url } = await respondingWith(json(USER));
  const request = update({ headers: { Authorization: 'a\nb' } });
  await expect(clientOf(url).send(request)).rejects.toThrow('invalid Authorization header');
});

describe('There is no readable response', () => {
  const MIB = 1_048_576;
  it.each<[string, string, string | Buffer, string]>([
    ['limit', 'with a large header', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`, 'header of the'],
    ['limit', 'with a large body', json(' '.repeat(MIB)), 'larger than 524288 bytes'],
    ['limit', 'with a large body in chunks', chunked(...Array<string>(2).fill(' '.repeat(MIB))), 'larger than'],
    ['limit', 'behind an interim one that only Expect asks for', `HTTP/1.1 100 Continue\r\n\r\n${json(USER)}`, '100'],
    ['protocol', 'that is no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 protocol'],
    ['protocol', 'that switches protocols', 'HTTP/1.1 101 X\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n', ''],
  ])('%s: %s', async (kind, _how, bytes, words) => {
    const { status, lost } = await responseTo(bytes);
    expect({ status, kind: lost?.kind }).toEqual({ status: 0, kind });
    expect(lost?.detail).toContain(words);
  });

  it.each([
    ['before it', ''],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"i'],
    ['in its chunks', chunked(USER).slice(0, -5)],
  ])('closed: the connection ends %s', async (_where, bytes) => {
    const { url, received } = await respondingWith(bytes, true);
    const { response } = await clientOf(url).send(update());
    expect(response.lost?.kind).toMatch(/^(closed|protocol)$/);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['nothing', ''],
    ['an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['the start', 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{'],
  ])('timeout: the server writes %s, and no more', async (_what, bytes) => {
    const { url } = await respondingWith(bytes);
    const { response } = await clientOf(url, { timeout: 500 }).send(update());
    expect(response.lost).toEqual({ kind: 'timeout', detail: 'no complete response within 500 ms' });
  });

  it('timeout: the server never ends its body, although bytes keep coming', async () => {
    const { url } = await rawServer(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const drip = (): boolean => !socket.destroyed && socket.write('1\r\n \r\n', () => setImmediate(drip));
      drip();
    });
    const { response } = await clientOf(url, { timeout: 100 }).send(update());
    expect(response.lost?.kind).toBe('timeout');
  });

  it('unreachable: nothing listens', async () => {
    const { response } = await clientOf(new URL('http://127.0.0.1:1')).send(update());
    const detail = 'the target cannot be reached: connect ECONNREFUSED 127.0.0.1:1';
    expect(response.lost).toEqual({ kind: 'unreachable', detail });
  });

  it('unreachable: the server does not speak TLS', async () => {
    await using server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { response } = await clientOf(new URL(`https://127.0.0.1:${port}`)).send(update());
    const detail = 'the target does not speak TLS there; write http://';
    expect(response.lost).toEqual({ kind: 'unreachable', detail });
  });
});

describe('Connections', () => {
  const connectionsOf = (received: readonly { readonly connection: number }[]) =>
    received.map((each) => each.connection);

  it('One is used for what is sent alone, and others only beside it', async () => {
    const { url, received } = await respondingWith(json(USER));
    const client = clientOf(url);
    for (let count = 0; count < 3; count += 1) await client.send(update());
    await Promise.all([1, 2, 3].map(() => client.send(update())));
    for (let count = 0; count < 3; count += 1) await client.send(update());
    expect(connectionsOf(received.slice(0, 3))).toEqual([0, 0, 0]);
    expect(connectionsOf(received.slice(3, 6)).sort()).toEqual([0, 1, 2]);
    expect(new Set(connectionsOf(received.slice(6))).size).toBe(1);
  });

  it('A server that keeps its connections and serves one at a time is judged to the end', async () => {
    const server = await startWireServer({ oneAtATime: true });
    onTestFinished(() => server.close());
    const { verdict, checks } = await runTarget(inputsFor(server.url), { journal: false, timeout: 3_000 });
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(verdict).toBe('passed');
  }, 60_000);

  it('A kept connection that was closed is replaced, and the request sent again', async () => {
    const { url, received } = await rawServer(({ socket, connection }) => {
      if (connection === 0 && received.length === 2) socket.destroy();
      else socket.write(json(USER));
    });
    const client = clientOf(url);
    await client.send(update());
    const { response } = await client.send(update());
    expect([response.status, connectionsOf(received)]).toEqual([200, [0, 0, 1]]);
  });

  it('A request that needs a connection of its own shares it with no other one', async () => {
    const { url, received } = await respondingWith(json(USER));
    const client = clientOf(url);
    await client.send(update());
    await client.send(update({ ownConnection: true }));
    await client.send(update());
    expect(new Set(connectionsOf(received)).size).toBe(3);
  });

  it('One whose TLS handshake never ends is closed with the request that asked for it', async () => {
    const server = createTcpServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const opened = once(server, 'connection') as Promise<[Socket]>;
    const { port } = server.address() as AddressInfo;
    const sent = clientOf(new URL(`https://127.0.0.1:${port}`), { timeout: 100 }).send(update());
    const [socket] = await opened;
    onTestFinished(() => {
      socket.destroy();
      server.close();
    });
    // Until then, it would keep the process alive.
    await once(socket.resume(), 'close');
    expect((await sent).response.lost?.kind).toBe('unreachable');
  });

  it('All are closed with the client, and what is under way ends', async () => {
    const { url, received } = await rawServer(({ connection, socket }) => {
      if (connection === 0) socket.write(json(USER));
      else if (received.length === 3) void client.close();
    });
    const client = clientOf(url);
    const all = [update(), update(), update({ ownConnection: true })].map((request) => client.send(request));
    const ended = await Promise.all(all);
    expect(ended.map(({ response }) => response.lost?.detail ?? response.status)).toEqual([
      200,
      ...Array<unknown>(2).fill(expect.stringContaining('destroyed')),
    ]);
    for (const { socket } of received) if (!socket.destroyed) await once(socket, 'close');
  });
});

describe('A transport', () => {
  const overTransport = (transport: Parameters<typeof clientOf>[1]) =>
    clientOf(new URL('http://target.example/base'), transport).send(update());

  it('takes the requests in place of connections', async () => {
    const { response, startedMs, durationMs } = await overTransport({
      transport: ({ method, path }) =>
        Promise.resolve({ status: 200, headers: {}, bytes: Buffer.from(JSON.stringify({ method, path })) }),
    });
    expect(response.json).toEqual({ method: 'PUT', path: '/base/api/admin/user-admin/4' });
    expect(Math.min(startedMs, durationMs)).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['closed', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['protocol', new Error('anything')],
  ])('is told %s by the code of its error', async (kind, error) => {
    const { response } = await overTransport({ transport: () => Promise.reject(error) });
    expect(response.lost).toEqual({ kind, detail: expect.stringContaining(error.message) as string });
  });

  it('is held to the limits of time and size', async () => {
    const never = await overTransport({ timeout: 20, transport: () => new Promise(() => undefined) });
    expect(never.response.lost?.kind).toBe('timeout');
    const large = { status: 200, headers: {}, bytes: Buffer.alloc(9_000_000) };
    expect((await overTransport({ transport: () => Promise.resolve(large) })).response.lost?.kind).toBe('limit');
  });
});
