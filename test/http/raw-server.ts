import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Client, openClient, type ClientOptions } from '../../conformance/http/client.ts';
import type { Request } from '../../conformance/http/exchange.ts';

/** A request as it came over the wire. */
export interface Received {
  /** The request line and the header. */
  readonly head: string;
  readonly body: string;
  /** Which connection it came over, from 0. */
  readonly connection: number;
  readonly socket: Socket;
}

export interface RawServer {
  readonly url: URL;
  readonly received: readonly Received[];
}

/** Calls back for each request that the bytes of a connection hold. */
function readRequests(socket: Socket, connection: number, handle: (received: Received) => void): void {
  let bytes = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    bytes += piece;
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(bytes.slice(0, end))?.[1] ?? 0);
      if (end === 3 || bytes.length < end + length) return;
      const [head, body] = [bytes.slice(0, end), bytes.slice(end, end + length)];
      bytes = bytes.slice(end + length);
      handle({ head, body, connection, socket });
    }
  });
  socket.on('error', () => undefined);
}

/** Starts a server that writes what it likes to each request; it ends with the test. */
export async function rawServer(handle: (received: Received) => void): Promise<RawServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    readRequests(socket, connections++, (each) => {
      received.push(each);
      handle(each);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), received };
}

/** Starts a server that writes the same bytes to each request. */
export function respondingWith(response: string | Buffer, end = false): Promise<RawServer> {
  return rawServer(({ socket }) => {
    socket.write(response);
    if (end) socket.end();
  });
}

/** Opens a client that is closed with the test. The time limit ends only what is meant to hang. */
export function clientOf(baseUrl: URL, options: Partial<ClientOptions> = {}): Client {
  const client = openClient({ inputs: { baseUrl }, timeout: 20_000, startedAt: performance.now(), ...options });
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
