import { createServer as createReader, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { urlOf } from '../../reference-server/server.ts';

/** A request as it came over the wire. */
export interface RawRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
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

/** Responds to one request, in whatever bytes. */
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

/**
 * Starts a server that reads requests as HTTP, and responds in bytes.
 *
 * @throws Error from node:net if the address cannot be listened on
 */
export async function startRawServer(options: RawServerOptions): Promise<RawServer> {
  const { onConnection, onRequest = () => undefined, oneAtATime = false, host = '127.0.0.1', port = 0 } = options;
  const sockets = new Set<Socket>();
  let requests = 0;
  let last = Promise.resolve();

  const receive = (message: IncomingMessage): void => {
    const { method = '', url: target = '', headers, rawHeaders, socket } = message;
    const number = (requests += 1);
    const fieldNames = rawHeaders.filter((_each, index) => index % 2 === 0);
    buffer(message)
      .then((body) => onRequest({ method, target, headers, fieldNames, body, number }, socket))
      .catch(() => socket.destroy());
  };
  const reader = createReader(receive).on('connect', receive);
  const serve = onConnection ?? ((socket: Socket): unknown => reader.emit('connection', socket));
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
