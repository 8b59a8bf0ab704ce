import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTarget } from '../../conformance/run.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { startRawServer } from '../../proof/wire/raw-server.ts';
import { startWireServer } from '../../proof/wire/wire-server.ts';
import { clientOf, json, rawServer, respondingWith, update } from './raw-server.ts';

const USER = '{"id":4}';
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

it.each([204, 304])('A %i has no content, although it has a Content-Length', async (code) => {
  const { url } = await respondingWith(`HTTP/1.1 ${code} X\r\nContent-Length: 8\r\nA: b\r\n\r\n`);
  const { status, text, headers, lost } = (await clientOf(url).send(update())).response;
  expect({ status, text, lost, a: headers.a }).toEqual({ status: code, text: '', lost: undefined, a: 'b' });
});

it('Repeated fields are joined, and no redirect is followed', async () => {
  const { url } = await respondingWith('HTTP/1.1 302 X\r\nLocation: /b\r\nA: 1\r\na: 2\r\nContent-Length: 0\r\n\r\n');
  const { status, headers } = (await clientOf(url).send(update())).response;
  expect([status, headers.location, headers.a]).toEqual([302, '/b', '1, 2']);
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
  it.each<[kind: string, how: string, bytes: string, words: string, end?: boolean]>([
    ['limit', 'a large header', `${OK}A: ${'a'.repeat(70_000)}\r\n\r\n`, 'header of the'],
    ['limit', 'a large body', json(' '.repeat(2_200_000)), 'larger than 2097152 bytes'],
    ['limit', 'a large body in chunks', `${CHUNKED}2191c0\r\n${' '.repeat(2_200_000)}`, 'larger than 2097152 bytes'],
    ['limit', 'one behind a 100 (Continue)', `HTTP/1.1 100 Continue\r\n\r\n${json(USER)}`, '100 (Continue)'],
    ['protocol', 'no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 protocol'],
    ['protocol', 'another protocol', 'HTTP/1.1 101 X\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n', 'bad upgrade'],
    ['closed', 'nothing, and its end', '', 'was closed', true],
    ['closed', 'a part of the body, and its end', `${OK}Content-Length: 8\r\n\r\n{"i`, 'was closed', true],
    ['closed', 'no last chunk, and its end', `${CHUNKED}8\r\n${USER}\r\n`, 'was closed', true],
    ['timeout', 'nothing more', '', 'no complete response within 1000 ms'],
    ['timeout', 'only an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'no complete response'],
    ['timeout', 'only the start', `${OK}Content-Length: 8\r\n\r\n{`, 'no complete response'],
  ])('%s: the server sends %s', async (kind, _how, bytes, words, end = false) => {
    const { url, received } = await respondingWith(bytes, end);
    const client = clientOf(url, kind === 'timeout' ? { timeout: 1_000 } : {});
    const { status, lost } = (await client.send(update())).response;
    expect({ status, kind: lost?.kind }).toEqual({ status: 0, kind });
    expect(lost?.detail).toContain(words);
    expect(received.length).toBeLessThanOrEqual(1);
  });

  it('timeout: the server never ends its body, although bytes keep coming', async () => {
    const { url } = await rawServer(({ socket }) => {
      socket.write(CHUNKED);
      const drip = (): boolean => !socket.destroyed && socket.write('1\r\n \r\n', () => setImmediate(drip));
      drip();
    });
    const { response } = await clientOf(url, { timeout: 1_000 }).send(update());
    expect(response.lost?.kind).toBe('timeout');
  });

  it('unreachable: the server does not speak TLS', async () => {
    const server = await startRawServer({ onConnection: (socket) => void socket.write(`${OK}\r\n`) });
    onTestFinished(() => server.close());
    const { response } = await clientOf(new URL(server.url.replace('http', 'https'))).send(update());
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
    const others = checks.filter(({ outcome }) => outcome !== 'passed').map(({ id, outcome }) => `${id}: ${outcome}`);
    // What would have to be sent at the same time shows nothing there.
    expect(others).toEqual(
      ['concurrent-members', 'concurrent-users', 'concurrent-refusals'].map((id) => `${id}: not-applicable`),
    );
    expect(verdict).toBe('passed');
  });

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
    for (const ownConnection of [false, true, false]) await client.send(update({ ownConnection }));
    expect(new Set(connectionsOf(received)).size).toBe(3);
  });

  it('One whose TLS handshake never ends is closed with the request that asked for it', async () => {
    let opened: (socket: Socket) => void = () => undefined;
    const connection = new Promise<Socket>((resolve) => (opened = resolve));
    const server = await startRawServer({ onConnection: opened });
    onTestFinished(() => server.close());
    const sent = clientOf(new URL(server.url.replace('http', 'https')), { timeout: 100 }).send(update());
    // Until then, it would keep the process alive.
    await once((await connection).resume(), 'close');
    expect((await sent).response.lost?.kind).toBe('unreachable');
  });

  it('All are closed with the client, and what is under way ends', async () => {
    const { url, received } = await rawServer(({ connection, socket }) => {
      if (connection === 0) socket.write(json(USER));
      else if (received.length === 3) void client.close();
    });
    const client = clientOf(url);
    const all = [update(), update(), update({ ownConnection: true })].map((request) => client.send(request));
    const [first, ...others] = (await Promise.all(all)).map(({ response }) => response);
    expect(first?.status).toBe(200);
    for (const { lost } of others) expect(lost?.detail).toContain('destroyed');
    for (const { socket } of received) if (!socket.destroyed) await once(socket, 'close');
  });
});

it('A transport is held to the limits of time and size', async () => {
  const sendOver = (transport: Parameters<typeof clientOf>[1]) =>
    clientOf(new URL('http://target.example/base'), transport).send(update());
  const never = await sendOver({ timeout: 20, transport: () => new Promise(() => undefined) });
  expect(never.response.lost?.kind).toBe('timeout');
  const large = { status: 200, headers: {}, bytes: Buffer.alloc(2_200_000) };
  expect((await sendOver({ transport: () => Promise.resolve(large) })).response.lost?.kind).toBe('limit');
});

it('A client reads a list of 1 MB some times, and not at every request', async () => {
  const large = { status: 200, headers: {}, bytes: Buffer.alloc(1_000_000, ' ') };
  const client = clientOf(new URL('http://target.example'), { transport: () => Promise.resolve(large) });
  const lost: unknown[] = [];
  for (let count = 0; count < 60; count += 1) lost.push((await client.send(update())).response.lost?.kind);
  expect(lost).toEqual(Array.from({ length: 60 }, (_each, at) => (at < 50 ? undefined : 'limit')));
});
