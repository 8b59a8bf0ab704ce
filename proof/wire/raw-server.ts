import { createServer, type AddressInfo, type Socket } from 'node:net';
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
  /** Closes the port and every connection. */
  readonly close: () => Promise<void>;
}

/** Responds to one request, in whatever bytes. The next one on the same connection is read after it has ended. */
export type Respond = (request: RawRequest, socket: Socket) => Promise<void> | void;

export interface RawServerOptions {
  /** Takes the connection over: no request is read from it. */
  readonly onConnection?: (socket: Socket) => void;
  readonly onRequest?: Respond;
  /** Serves a connection only when the one before has been closed. */
  readonly oneAtATime?: boolean;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

type Unnumbered = Omit<RawRequest, 'number'>;

/** The first request in the bytes, and what follows it; undefined if it is not there in full. Bodies have a length. */
function parseRequest(bytes: Buffer): { readonly request: Unnumbered; readonly rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const named = fields.map((field) => [field.slice(0, field.indexOf(':')), field] as const);
  const headers = Object.fromEntries(
    named.map(([name, field]) => [name.toLowerCase(), field.slice(name.length + 1).trim()]),
  );
  const start = end + 4;
  const body = bytes.subarray(start, start + Number(headers['content-length'] ?? 0));
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  const fieldNames = named.map(([name]) => name);
  return { request: { method, target, headers, fieldNames, body }, rest: bytes.subarray(start + body.length) };
}

/** Reads the requests on a connection; the next one is read after one was taken. */
async function readRequests(socket: Socket, take: (request: Unnumbered) => Promise<void> | void): Promise<void> {
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
  let requests = 0;
  let last = Promise.resolve();

  const serve = (socket: Socket): void => {
    if (onConnection) {
      onConnection(socket);
      return;
    }
    const take = (request: Unnumbered): Promise<void> | void => {
      requests += 1;
      return onRequest({ ...request, number: requests }, socket);
    };
    readRequests(socket, take).catch(() => socket.destroy());
  };
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const closed = new Promise<void>((done) => socket.on('close', () => done()));
    void closed.then(() => sockets.delete(socket));
    void (oneAtATime ? last : Promise.resolve()).then(() => serve(socket));
    last = closed;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(server.address() as AddressInfo),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

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
