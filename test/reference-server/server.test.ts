import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validators } from '../../contract/validators.ts';
import { createReferenceServer, type ReferenceServer } from '../../reference-server/server.ts';

let server: ReferenceServer;
const { bodies } = validators;

beforeAll(async () => {
  server = await createReferenceServer();
});

afterAll(async () => {
  await server.close();
});

interface Received {
  readonly status: number;
  readonly body: unknown;
  readonly contentType: string | null;
}

async function call(path: string, body = '{}', contentType = 'application/json', method = 'PUT'): Promise<Received> {
  const headers = { authorization: server.seed.keys.admin, ...(contentType && { 'content-type': contentType }) };
  // A text would bring a type of its own.
  const response = await fetch(`${server.url}${path}`, { method, headers, body: new Blob([body]) });
  const { status } = response;
  return { status, body: await response.json(), contentType: response.headers.get('content-type') };
}

const USER = '/api/admin/user-admin/1';

/** Sends bytes as they are, and gives back all that comes until the server closes. */
function raw(bytes: string): Promise<string> {
  const { port, hostname } = new URL(server.url);
  return text(connect(Number(port), hostname).end(bytes));
}

function expectError(received: Received, status: number, name: string): void {
  expect(received.status).toBe(status);
  expect(bodies.errorSchema(received.body)).toEqual([]);
  expect(received.body).toMatchObject({ name });
  expect(received.contentType).toMatch(/^application\/json/);
}

describe('an update', () => {
  it('stores no member that the contract does not list, and no prototype', async () => {
    const body =
      '{"name":"N","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":2,"username":"x"}';
    const received = await call(USER, body);
    expect(received.status).toBe(200);
    expect(received.body).toMatchObject({ id: 1, username: 'grace' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(server.store.users.get(1) ?? {})).not.toContain('__proto__');
  });

  it.each<[string, string, string, string, number, string]>([
    ['an empty id', '/api/admin/user-admin/', '{}', 'application/json', 400, 'ValidationError'],
    ['a string as role', USER, '{"rootRole":"Admin"}', 'application/json', 400, 'ValidationError'],
    ['no content type', USER, '{}', '', 415, 'RequestError'],
    ['a large body', USER, `{"name":"${'x'.repeat(1_100_000)}"}`, 'application/json', 413, 'RequestError'],
  ])('with %s is refused and changes nothing', async (_what, path, body, contentType, status, name) => {
    const before = structuredClone([...server.store.users]);
    expectError(await call(path, body, contentType), status, name);
    expect([...server.store.users]).toEqual(before);
  });
});

it('the list of banners takes no other method', async () => {
  expectError(await call('/api/admin/banners', '{}', 'application/json', 'POST'), 405, 'RequestError');
});

describe('what is no request of the contract', () => {
  it.each(['/', '/api/admin/user-admin', '/api/admin/user-admin/1/x', '//', '/%', '/api/admin/user-admin/%E0%A4%A'])(
    '%s gets an error body',
    async (path) => {
      const received = await call(path);
      expect([400, 404]).toContain(received.status);
      expect(bodies.errorSchema(received.body)).toEqual([]);
    },
  );

  it('gets an error body when it is not HTTP at all, and the server goes on', async () => {
    const received = await raw('NONSENSE\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toMatchObject({ name: 'ValidationError' });
    expect((await call(USER)).status).toBe(200);
  });
});

it('responds to HEAD as to GET, without the body (RFC 9110, 9.3.2)', async () => {
  const authorization = `Authorization: ${server.seed.keys.admin}\r\nConnection: close\r\n`;
  const request = (method: string) => raw(`${method} /api/admin/banners HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`);
  const [get = '', head] = [await request('GET'), await request('HEAD')].map((each) =>
    each.replace(/^date: .*\r\n/im, ''),
  );
  expect(head).toBe(get.slice(0, get.indexOf('\r\n\r\n') + 4));
});

describe('the server', () => {
  it('frees its port when it is closed', async () => {
    const first = await createReferenceServer();
    const port = Number(new URL(first.url).port);
    await first.close();
    const second = await createReferenceServer({ port });
    expect(second.url).toBe(first.url);
    await second.close();
  });
});
