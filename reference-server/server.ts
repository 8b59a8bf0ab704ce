import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiResponse, Rules, Store } from './rules.ts';
import type { Seed } from './seed.ts';
import { createService, rendered, toApiRequest, type Service, type ServiceOptions } from './service.ts';

const MAX_BODY_BYTES = 1_048_576;

export interface ReferenceServerOptions extends ServiceOptions {
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
}

/** A reference server that listens. */
export interface ReferenceServer {
  /** What `{base_url}` of the contract stands for. */
  readonly url: string;
  /** What it started with: its keys, and its users and banners as they were then. */
  readonly seed: Seed;
  /** What it keeps now. */
  readonly store: Store;
  /** Takes no more requests, ends open connections, resolves when the port is free. */
  readonly close: () => Promise<void>;
}

/** Calls back with the body; with undefined if it is too large. */
function readBody(message: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else if (size - chunk.length <= MAX_BODY_BYTES) done(undefined);
  });
  message.on('end', () => {
    if (size <= MAX_BODY_BYTES) done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
}

function send(response: ServerResponse, answer: ApiResponse, rules: Rules): void {
  const { headers, content } = rendered(answer, rules);
  response.writeHead(answer.status, { 'content-length': Buffer.byteLength(content), ...headers });
  // Node sends a text together with the header, as one text.
  response.end(content);
}

/** A response in bytes, for a connection that ends with it. */
function lastBytes(answer: ApiResponse, rules: Rules): Buffer {
  const { headers, content } = rendered(answer, rules);
  const framing = { 'content-length': Buffer.byteLength(content), connection: 'close' };
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...Object.entries({ ...headers, ...framing }).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(content)]);
}

/** Not as promises where nothing takes time: those take longer than to handle the request. */
function serve(
  message: IncomingMessage,
  body: Buffer | undefined,
  { handle, rules }: Service,
): ReturnType<Service['handle']> {
  const close = { connection: 'close' };
  if (body === undefined) return { ...rules.refuse(413, `The body may have ${MAX_BODY_BYTES} bytes.`), headers: close };
  const { method = '', url = '', headers } = message;
  return handle(toApiRequest(method, url, headers, body));
}

/** The address of a listening server as a URL, without a slash at the end. */
export function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/**
 * Starts the reference server: the smallest server that implements the contract, with its users in memory.
 *
 * @throws Error from node:net if the address cannot be listened on (EADDRINUSE, EACCES, ENOTFOUND)
 */
export async function createReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const service = createService(options);
  const { seed, store, rules } = service;

  const server = createServer((message, response) => {
    const fail = (): void => {
      if (response.headersSent) response.destroy();
      else send(response, rules.refuse(500, 'The server failed.'), rules);
    };
    message.on('error', fail);
    readBody(message, (body) => {
      try {
        const own = serve(message, body, service);
        if (!(own instanceof Promise)) send(response, own, rules);
        else own.then((later) => send(response, later, rules)).catch(fail);
      } catch {
        fail();
      }
    });
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const why = status === 431 ? 'The header is too large.' : 'This is not a valid HTTP request.';
    if (socket.writable) socket.end(lastBytes(rules.refuse(status, why), rules));
  });
  await listen(server, port, host);

  return {
    url: urlOf(server.address() as AddressInfo),
    seed,
    store,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
