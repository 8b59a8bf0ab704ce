import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { badCredentials } from '../../conformance/checks/credentials.ts';
import type { Request, Response } from '../../conformance/facts/exchange.ts';
import { makeRecorder } from '../../conformance/http/record.ts';
import type { ExchangeRecord } from '../../conformance/facts/result.ts';
import { isPosix } from '../support/platform.ts';
import { temporaryFolder } from '../support/folder.ts';
import { update } from './raw-server.ts';

const BASE = 'http://target.example:4242/base';
const USER_PATH = '/api/admin/user-admin/4';
const ADMIN = '$CONFORMANCE_ADMIN_KEY';
const RESPONSE: Response = { status: 200, headers: { 'content-type': 'application/json' }, text: '{"id":4}', json: {} };

interface Of {
  readonly request?: Partial<Request>;
  readonly response?: Partial<Response>;
  readonly adminKey?: string;
  readonly restrictedKey?: string;
}

function recordOf({ request, response, ...keys }: Of = {}): ExchangeRecord {
  const given = { adminKey: 'Admin-key-1', restrictedKey: 'Restricted-key-2', ...keys };
  const { record } = makeRecorder({ baseUrl: new URL(`${BASE}/`), ...given });
  const exchange = { request: update(request), response: { ...RESPONSE, ...response } };
  return record({ ...exchange, startedMs: 1.234, durationMs: 5.678 });
}

it('A record has what was sent and what came back, with the variable in place of the key', () => {
  const headers = { Accept: 'application/json', Authorization: ADMIN, 'Content-Type': 'application/json' };
  const { curl, ...record } = recordOf();
  expect(record).toEqual({
    request: { method: 'PUT', url: BASE + USER_PATH, headers, body: '{"name":"Ada"}' },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":4}' },
    ...{ startedMs: 1.2, durationMs: 5.7 },
  });
  expect(curl).toContain(`-H "Authorization: ${ADMIN}"`);
});

it('A record without a response says why', () => {
  const record = recordOf({ response: { status: 0, lost: { kind: 'closed', detail: 'read ECONNRESET' } } });
  expect(record.lost).toBe('read ECONNRESET');
  expect(record.response).toBeUndefined();
});

it.each<[string, Partial<Request>, string]>([
  ['the query', { path: '/a?key=Admin-key-1&b=c' }, `/base/a?key=${ADMIN}&b=c`],
  ['a header', { headers: { Cookie: 'b=Restricted-key-2x' } }, `b=\${CONFORMANCE_RESTRICTED_KEY}x`],
  ['the body', { body: '{"a":"Admin-key-1"}' }, `{\\"a\\":\\"${ADMIN}\\"}`],
])('A key in %s of a request is shown as its variable', (_where, request, shown) =>
  expect(JSON.stringify(recordOf({ request }).request)).toContain(shown),
);

it.each(['admin', 'conformance', 'ab'])(
  'The key %j, which is a word of every request, hides no address',
  (adminKey) => {
    const { request } = recordOf({ request: { headers: { Authorization: adminKey } }, adminKey });
    expect(request.url).toBe(BASE + USER_PATH);
    expect(request.headers.Authorization).toBe(ADMIN);
  },
);

it('A key that begins with another one is shown as its own variable', () => {
  const headers = { A: 'a Key-1-restricted', B: 'a Key-1' };
  const { request } = recordOf({ request: { headers }, adminKey: 'Key-1', restrictedKey: 'Key-1-restricted' });
  expect(request.headers).toEqual({ A: 'a $CONFORMANCE_RESTRICTED_KEY', B: `a ${ADMIN}` });
});

describe('A record is bounded', () => {
  it('A long body of the target is cut', () => {
    const { response } = recordOf({ response: { text: '2'.repeat(9_000) } });
    expect(response).toMatchObject({ body: '2'.repeat(4_000), cut: 5_000 });
  });

  it('What is kept of a long body may end within a key, which is not shown though what is before it is withheld', () => {
    const adminKey = 'Admin-key-0123456789-abcdefghijklmnopqrstuvwxyz';
    const text = `["${'x'.repeat(12_000)} ${adminKey}", "${adminKey.slice(0, 15)}`;
    const { response } = recordOf({ response: { text, length: 90_000 }, adminKey });
    expect(response).toMatchObject({ cut: 86_000 });
    expect(response?.body).not.toContain('Admin-key');
  });
});

// Lines for a POSIX shell.
describe.runIf(isPosix)('The curl line', () => {
  const folder = temporaryFolder();
  // Prints its arguments, each with a NUL after it.
  chmodSync(folder.write('curl', `#!/bin/sh\nprintf '%s\\0' "$@"\n`), 0o755);
  const OPTIONS = {
    include: { type: 'boolean', short: 'i' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    'data-raw': { type: 'string' },
  } as const;

  /** What the line of a request sends when a shell runs it, read as curl reads its arguments. */
  function sentBy(of: Of) {
    const { curl } = recordOf(of);
    const PATH = `${folder.path}:${process.env.PATH ?? ''}`;
    const env = { PATH, CONFORMANCE_ADMIN_KEY: of.adminKey ?? 'Admin-key-1' };
    const args = execFileSync('sh', ['-c', curl], { env, encoding: 'latin1' }).split('\0').slice(0, -1);
    // Not strict: a value may start with a dash.
    const { values, positionals } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true });
    const { header = [], request: method, 'data-raw': data } = values;
    return { curl, headers: header, method, data, url: positionals.join() };
  }

  it('sends method, address, header and body of the request, but for content codings, which curl would print', () => {
    const headers = { Authorization: 'Admin-key-1', 'Accept-Encoding': 'gzip', 'Content-Type': 'a/b' };
    expect(sentBy({ request: { headers } })).toMatchObject({
      ...{ url: BASE + USER_PATH, method: 'PUT', data: '{"name":"Ada"}' },
      headers: ['Authorization: Admin-key-1', 'Content-Type: a/b'],
    });
    const list = { operation: 'listBanners', path: "/it's$HOME;a&b(c)", headers: {}, body: undefined } as const;
    const sent = { method: undefined, headers: [], data: undefined };
    expect(sentBy({ request: list })).toMatchObject({ url: BASE + list.path, ...sent });
  });

  it.each([
    ...[`{"name":"O'Brien"}`, '', 'two\nlines and a tab\t', '@/etc/hosts', '-X DELETE', '<>|&;*?~#[]{} ä 😀'],
    ...['{"name":"$HOME `id` $(id) \\"quoted\\" \\\\ !"}', '`id` Admin-key-1 "$(id)" \\'],
    ...['${CONFORMANCE_ADMIN_KEY:-`id`}', '\ufeff{"name":"O\'Brien \\ 5 % ä"}'],
  ])('sends the body %j as it is', (body) =>
    expect(sentBy({ request: { body } }).data).toBe(Buffer.from(body).toString('latin1')),
  );

  it('sends a byte for each character of a body in ISO 8859-1', () => {
    const body = Buffer.from(`{"name":"caf\u00e9 100% 'a' \\\\x"}`, 'latin1');
    expect(sentBy({ request: { body } }).data).toBe(body.toString('latin1'));
  });

  it('adds no header that the request has not', () => {
    const { headers } = sentBy({ request: { headers: { Authorization: '  ' }, body: undefined } });
    expect(headers).toEqual(['Authorization;', 'Content-Type:', 'Content-Length: 0']);
  });

  // In these two, the key is encoded as a URL or a cookie needs it; the line takes it from the environment as it is.
  const ENCODED = ['auth-key-in-query', 'auth-key-in-cookie'];
  const KEYS = ['Admin-key-1', 'Bearer Admin-key-1', `we$ird'k"ey;1`, 'a`b$(c)d\\e$HOME1'];

  it.each(badCredentials.map(({ id, make }) => [id, make] as const))('sends the bad credential %s', (id, make) => {
    for (const adminKey of ENCODED.includes(id) ? KEYS.slice(0, 1) : KEYS) {
      const { headers, query, ...rest } = make({ adminKey }) ?? expect.fail('This key has such a credential.');
      const path = `/a${query ?? ''}`;
      const { curl, ...sent } = sentBy({ request: { path, headers, ...rest }, adminKey });
      expect(curl).not.toContain(adminKey);
      expect(sent.url).toBe(BASE + path);
      const words = /^<.*>$/.test(rest.shell ?? '') ? rest.shell : undefined;
      const lines = Object.entries(headers).map(([name, value]) =>
        value.trim() === '' ? `${name};` : `${name}: ${name === 'Authorization' ? (words ?? value) : value}`,
      );
      expect(sent.headers).toEqual([...lines, 'Content-Type:']);
    }
  });
});

it('A page that is not kept whole and shows a key is said to be withheld', () => {
  const text = '<p>Admin-key-1</p>'.repeat(400);
  const { response } = recordOf({ response: { text, length: 100_000 } });
  expect(response?.body).toBe('[withheld: contains a key]');
});
