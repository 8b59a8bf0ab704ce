import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { route } from '../contract/document.ts';
import { compileValidators } from '../contract/validators.ts';
import { listBanners, updateUser } from './operations.ts';
import { contractRules, Refused, type Answer, type ApiRequest, type Rules, type Store } from './rules.ts';
import { defaultSeed, type Seed } from './seed.ts';

const MAX_BODY_BYTES = 1_048_576;

export interface ReferenceServerOptions {
  readonly seed?: Seed;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Rules that replace those of the contract, to make another server out of this one. */
  readonly replace?: (rules: Rules, store: Store) => Partial<Rules>;
}

export interface ReferenceServer {
  /** What `{base_url}` of the contract stands for. */
  readonly url: string;
  readonly seed: Seed;
  readonly store: Store;
  /** Takes no more requests, ends open connections, resolves when the port is free. */
  readonly close: () => Promise<void>;
}

interface Route {
  readonly method: string;
  /** One capturing group for each path parameter. */
  readonly pattern: RegExp;
  readonly handle: (request: ApiRequest, parameters: string[], store: Store, rules: Rules) => Answer;
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '([^/]*)')}$`);
}

function makeRoute(operation: Parameters<typeof route>[0], handle: Route['handle']): Route {
  const { method, path } = route(operation);
  return { method, pattern: toPattern(path), handle };
}

const routes: readonly Route[] = [
  makeRoute('updateUser', (request, [id = ''], store, rules) => updateUser(request, id, store, rules)),
  makeRoute('listBanners', (request, _parameters, store, rules) => listBanners(request, store, rules)),
];

function dispatch(request: ApiRequest, store: Store, rules: Rules): Answer {
  const matching = routes.filter(({ pattern }) => pattern.test(request.path));
  if (matching.length === 0) throw new Refused(404, `There is nothing at ${request.path}.`);
  const found = matching.find(({ method }) => method === request.method);
  if (!found) {
    const allow = matching.map(({ method }) => method).join(', ');
    return { ...rules.refuse(405, `${request.path} takes ${allow} only.`), headers: { allow } };
  }
  return found.handle(request, found.pattern.exec(request.path)?.slice(1) ?? [], store, rules);
}

function answer(request: ApiRequest, store: Store, rules: Rules): Answer {
  try {
    return dispatch(request, store, rules);
  } catch (error) {
    if (error instanceof Refused) return rules.refuse(error.status, error.message);
    throw error;
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, body, headers }: Answer, rules: Rules): void {
  const { bytes, contentType } = rules.serialize(body);
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length, ...headers });
  response.end(bytes);
}

async function serve(message: IncomingMessage, response: ServerResponse, store: Store, rules: Rules): Promise<void> {
  const body = await readBody(message);
  if (body === undefined) {
    const tooLarge = rules.refuse(413, `The body may have ${MAX_BODY_BYTES} bytes.`);
    send(response, { ...tooLarge, headers: { connection: 'close' } }, rules);
    return;
  }
  const [path = '', query = ''] = (message.url ?? '').split('?', 2);
  const request = { method: message.method ?? '', path, query, headers: message.headers, body };
  send(response, answer(request, store, rules), rules);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/**
 * Starts the reference server: the smallest server that keeps the contract, with its users in memory.
 *
 * @throws Error from node:net if the address cannot be listened on (EADDRINUSE, EACCES, ENOTFOUND)
 */
export async function createReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const { seed = defaultSeed, host = '127.0.0.1', port = 0, replace } = options;
  const store: Store = {
    keys: seed.keys,
    users: new Map(seed.users.map((user) => [user.id, structuredClone(user)])),
    banners: structuredClone(seed.banners),
  };
  const kept = contractRules(compileValidators());
  const rules = { ...kept, ...replace?.(kept, store) };

  const server = createServer((message, response) => {
    serve(message, response, store, rules).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, rules.refuse(500, 'The server failed.'), rules);
    });
  });
  server.on('clientError', (_error, socket) => {
    const { body } = rules.refuse(400, 'This is not a valid HTTP request.');
    const { bytes, contentType } = rules.serialize(body);
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
    if (socket.writable) socket.end(Buffer.concat([Buffer.from(head), bytes]));
  });
  await listen(server, port, host);

  const address = server.address() as AddressInfo;
  const hostInUrl = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${hostInUrl}:${address.port}`,
    seed,
    store,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
