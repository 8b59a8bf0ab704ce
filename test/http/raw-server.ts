import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Client, openClient, type ClientOptions } from '../../conformance/http/client.ts';
import type { Request } from '../../conformance/facts/exchange.ts';
import { type RawRequest, startRawServer } from '../../proof/wire/raw-server.ts';

/** A request as it came over the wire. */
export interface Received extends RawRequest {
  /** Which connection it came over, from 0. */
  readonly connection: number;
  readonly socket: Socket;
}

/** Starts a server that writes what it likes to each request; it ends with the test. */
export async function rawServer(handle: (received: Received) => void) {
  const received: Received[] = [];
  const sockets: Socket[] = [];
  const server = await startRawServer({
    onRequest: (request, socket) => {
      if (!sockets.includes(socket)) sockets.push(socket);
      const each = { ...request, connection: sockets.indexOf(socket), socket };
      received.push(each);
      handle(each);
    },
  });
  onTestFinished(() => server.close());
  return { url: new URL(server.url), received };
}

/** Starts a server that writes the same bytes to each request. */
export function respondingWith(response: string | Buffer, end = false) {
  return rawServer(({ socket }) => {
    socket.write(response);
    if (end) socket.end();
  });
}

/** Opens a client that is closed with the test. The time limit ends only what is meant to hang. */
export function clientOf(baseUrl: URL, options: Partial<ClientOptions> = {}): Client {
  const client = openClient({ baseUrl, timeout: 20_000, startedAt: performance.now(), ...options });
  onTestFinished(() => client.close());
  return client;
}

/** An update with the admin key. */
export function update(more: Partial<Request> = {}): Request {
  const headers = { Accept: 'application/json', Authorization: 'Admin-key-1', 'Content-Type': 'application/json' };
  return { operation: 'updateUser', path: '/api/admin/user-admin/4', headers, body: '{"name":"Ada"}', ...more };
}

/** A response with a JSON body. */
export function json(body: string, header = ''): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${header}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
