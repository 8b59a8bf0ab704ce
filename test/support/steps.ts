/** A server that grows as the guide for writing one says. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../../common/json.ts';

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
};
const KEYS: Readonly<Record<string, { readonly canUpdate: boolean }>> = {
  'an-admin-key': { canUpdate: true },
  'a-restricted-key': { canUpdate: false },
};

/** What the guide asks for in which step. */
export const STEPS = { list: 3, keys: 4, update: 5, refuse: 6, validate: 7 } as const;

/** What to set for a run against such a server. */
export const SETTINGS = {
  CONFORMANCE_ADMIN_KEY: 'an-admin-key',
  CONFORMANCE_RESTRICTED_KEY: 'a-restricted-key',
  CONFORMANCE_USER_ID: '4',
  CONFORMANCE_OTHER_USER_ID: '5',
  CONFORMANCE_MISSING_USER_ID: '404404',
  CONFORMANCE_ROLE_IDS: '1,2',
  CONFORMANCE_BANNER_IDS: '[]',
} as const;

class Refused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`Refused with ${status}.`);
    this.status = status;
  }
}

interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly rootRole: unknown;
}

interface Received {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly bytes: Buffer;
}

async function received(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  return { method, path: url.replace(/\?.*/, ''), key: headers.authorization ?? '', bytes: Buffer.concat(chunks) };
}

/** What a body sends: only strict UTF-8 and JSON are read if a server validates. */
function bodyOf(bytes: Buffer, isStrict: boolean): Partial<User> {
  const decoder = new TextDecoder('utf-8', { fatal: isStrict, ignoreBOM: true });
  const body: unknown = JSON.parse(decoder.decode(bytes));
  const { name, email, rootRole } = isRecord(body) ? body : {};
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  const isRole = rootRole === undefined || Number.isSafeInteger(rootRole);
  if (isStrict && !(isRecord(body) && isText(name) && isText(email) && isRole)) throw new Refused(400);
  return JSON.parse(JSON.stringify({ name, email, rootRole })) as Partial<User>;
}

/** The server after a step: what later steps add is not there. */
function respond(users: Map<number, User>, step: number): (request: Received) => unknown {
  const update = (id: string, { key, bytes }: Received): unknown => {
    if (step >= STEPS.refuse && KEYS[key]?.canUpdate !== true) throw new Refused(403);
    const user = users.get(step >= STEPS.validate && !/^\d+$/.test(id) ? NaN : Number.parseInt(id, 10));
    if (step >= STEPS.refuse && !user) throw new Refused(404);
    const changed = { id: Number(id), ...user, ...bodyOf(bytes, step >= STEPS.validate) } as User;
    users.set(changed.id, changed);
    return changed;
  };
  return (request) => {
    const { method, path, key } = request;
    if (step >= STEPS.keys && !Object.hasOwn(KEYS, key)) throw new Refused(401);
    const [, id] = /^\/api\/admin\/user-admin\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && path === '/api/admin/banners') return { banners: [] };
    if (method === 'PUT' && id !== undefined && step >= STEPS.update) return update(id, request);
    throw new Refused(404);
  };
}

/** Starts the server of a step. */
export async function serverAfter(step: number): Promise<{ url: string; close: () => Promise<void> }> {
  const users = new Map([4, 5].map((id) => [id, { id, name: 'A', email: `u${id}@example.com`, rootRole: 1 }]));
  const respondTo = respond(users, step);
  const server = createServer((request, response) => {
    void received(request)
      .then((each) => ({ status: 200, body: respondTo(each) }))
      .catch((error: unknown) => {
        const status = error instanceof Refused ? error.status : 400;
        return { status, body: { id: randomUUID(), name: ERROR_NAMES[status], message: 'It was refused.' } };
      })
      .then(({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
