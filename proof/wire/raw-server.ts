import { createServer, type AddressInfo, type Socket } from 'node:net';
import { using } from '../../common/using.ts';
import { urlOf } from '../../reference-server/server.ts';

/** A request as it came over the wire. */
export interface RawRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the header as they were written. */
  readonly fieldNames: readonly string[];
  readonly body: Buffer;
  /** Counted over all connections of the server, from 1. */
  readonly number: number;
}

export interface RawServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** How many connections were made. */
  readonly connections: () => number;
  /** Closes the port and every connection; more than one call is harmless. */
  readonly close: () => Promise<void>;
}

export interface RawServerOptions {
  /** Takes the connection over: no request is read from it. */
  readonly onConnection?: (socket: Socket) => void;
  /** Answers one request, in whatever bytes. The next one on the same connection is read after it has ended. */
  readonly onRequest?: (request: RawRequest, socket: Socket) => Promise<void> | void;
  /** Serves a connection only when the one before has been closed. */
  readonly oneAtATime?: boolean;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

interface Parsed {
  readonly request: Omit<RawRequest, 'number'>;
  readonly rest: Buffer;
}

/** The first request in the bytes; undefined if it is not there in full. Bodies have a Content-Length. */
function parseRequest(bytes: Buffer): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers['content-length'] ?? 0);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  const body = bytes.subarray(start, start + length);
  const fieldNames = fields.map((field) => field.slice(0, field.indexOf(':')));
  return { request: { method, target, headers, fieldNames, body }, rest: bytes.subarray(start + length) };
}

/** Reads the requests on a connection; the next one is read after one was taken. */
async function readRequests(socket: Socket, take: (request: Parsed['request']) => Promise<void> | void): Promise<void> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let parsed = parseRequest(bytes); parsed; parsed = parseRequest(bytes)) {
      bytes = parsed.rest;
      await take(parsed.request);
    }
  }
}

/**
 * Starts a server that speaks HTTP only as far as it is told to.
 *
 * @throws Error from node:net if the address cannot be listened on
 */
export async function startRawServer(options: RawServerOptions): Promise<RawServer> {
  const { onConnection, onRequest = () => undefined, oneAtATime = false, host = '127.0.0.1', port = 0 } = options;
  const sockets = new Set<Socket>();
  const waiting: Socket[] = [];
  const requests: RawRequest[] = [];
  let connections = 0;
  let serving = 0;

  const serve = (socket: Socket): void => {
    serving += 1;
    socket.on('close', () => {
      serving -= 1;
      const next = waiting.shift();
      if (next) serve(next);
    });
    if (onConnection) onConnection(socket);
    else {
      readRequests(socket, (parsed) => {
        const request = { ...parsed, number: requests.length + 1 };
        requests.push(request);
        return onRequest(request, socket);
      }).catch(() => socket.destroy());
    }
  };

  const server = createServer({ noDelay: true, pauseOnConnect: oneAtATime }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    if (oneAtATime && serving > 0) waiting.push(socket);
    else serve(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(server.address() as AddressInfo),
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Starts a server, lets something be done with it, and ends it whatever happens. */
export function withRawServer<T>(options: RawServerOptions, use: (server: RawServer) => Promise<T>): Promise<T> {
  return using(startRawServer(options), use);
}

export type Respond = NonNullable<RawServerOptions['onRequest']>;

/** Writes these bytes, and keeps the connection. */
export function say(bytes: Buffer | string): Respond {
  return (_request, socket) => void socket.write(bytes);
}

/** Writes these bytes, and ends the connection. */
export function sayAndEnd(bytes: Buffer | string): Respond {
  return (_request, socket) => void socket.end(bytes);
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The bytes of an HTTP message with a Content-Length. */
export function message(
  status: number | string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
): Buffer {
  const bytes = Buffer.from(body);
  const fields = Object.entries({ ...headers, 'Content-Length': String(bytes.length) });
  const head = [`HTTP/1.1 ${status}`, ...fields.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
