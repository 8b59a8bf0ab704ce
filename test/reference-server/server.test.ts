import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validators } from '../../contract/validators.ts';
import { createReferenceServer, type ReferenceServer } from '../../reference-server/server.ts';

// The suite itself judges what the contract says; these are what it leaves open.
let server: ReferenceServer;

beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

const USER = '/api/admin/user-admin/1';
const JSON_TYPE = 'application/json';

function call(path: string, body = '{}', contentType = JSON_TYPE, method = 'PUT'): Promise<Response> {
  const headers = { authorization: server.seed.keys.admin, ...(contentType && { 'content-type': contentType }) };
  // A text would bring a type of its own.
  return fetch(`${server.url}${path}`, { method, headers, body: new Blob([body]) });
}

describe('what the contract does not know gets an error body, and changes nothing:', () => {
  const unknown = ['/', '/api/admin/user-admin', `${USER}/x`, '//', '/%'];
  const large = `{"name":"${'x'.repeat(1_100_000)}"}`;

  it.each<[what: string, status: number, name: string, ...Parameters<typeof call>]>([
    ...unknown.map((path): [string, number, string, string] => ['a path', 404, 'NotFoundError', path]),
    ['an id that cannot be decoded', 400, 'ValidationError', '/api/admin/user-admin/%E0%A4%A'],
    ['an empty id', 400, 'ValidationError', '/api/admin/user-admin/'],
    ['no content type', 415, 'RequestError', USER, '{}', ''],
    ['a large body', 413, 'RequestError', USER, large],
    ['another method', 405, 'RequestError', '/api/admin/banners', '{}', JSON_TYPE, 'POST'],
  ])('%s, with %i %s: %s', async (_what, status, name, ...request) => {
    const before = structuredClone([...server.store.users]);
    const response = await call(...request);
    const body: unknown = await response.json();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(validators.bodies.errorSchema(body)).toEqual([]);
    expect(body).toMatchObject({ name });
    expect([...server.store.users]).toEqual(before);
  });

  it('what is not HTTP at all', async () => {
    const { port, hostname } = new URL(server.url);
    const received = await text(connect(Number(port), hostname).end('NONSENSE\r\n\r\n'));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toMatchObject({ name: 'ValidationError' });
    expect((await call(USER)).status).toBe(200);
  });
});

it('responds to HEAD as to GET, without the body (RFC 9110, 9.3.2)', async () => {
  const headers = { authorization: server.seed.keys.admin };
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => fetch(`${server.url}/api/admin/banners`, { method, headers })),
  );
  expect([head?.status, await head?.text()]).toEqual([200, '']);
  for (const name of ['content-type', 'content-length']) expect(head?.headers.get(name)).toBe(get?.headers.get(name));
});
