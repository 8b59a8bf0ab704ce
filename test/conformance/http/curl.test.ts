import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { badCredentials } from '../../../conformance/http/credentials.ts';
import { toCurl } from '../../../conformance/http/curl.ts';
import type { Credential, RequestSpec } from '../../../conformance/http/exchange.ts';
import { bannersRequest, updateRequest, without } from '../../support/exchanges.ts';
import { temporaryFolder } from '../../support/folder.ts';

const BASE = 'http://target.example:4242/base';

const folder = temporaryFolder();
// Prints its arguments, each with a NUL after it. A shell starts sooner than Node.js.
chmodSync(folder.write('curl', `#!/bin/sh\nprintf '%s\\0' "$@"\n`), 0o755);

interface Sent {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: readonly string[];
  readonly data: string | undefined;
}

const OPTIONS = {
  include: { type: 'boolean', short: 'i' },
  request: { type: 'string', short: 'X' },
  header: { type: 'string', short: 'H', multiple: true },
  'data-raw': { type: 'string' },
} as const;

/** What the line sends when a shell runs it, read as curl reads its arguments. */
function run(line: string, adminKey = 'Admin-key-1'): Sent {
  const env = { PATH: `${folder.path}:${process.env.PATH ?? ''}`, CONFORMANCE_ADMIN_KEY: adminKey };
  const args = execFileSync('sh', ['-c', line], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
  // Not strict: a value may start with a dash.
  const { values, positionals } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true });
  const known = values as { request?: string; header?: string[]; 'data-raw'?: string };
  expect(positionals).toHaveLength(1);
  return { url: String(positionals[0]), method: known.request, headers: known.header ?? [], data: known['data-raw'] };
}

function headerOf({ headers }: Sent, name: string): string | undefined {
  return headers
    .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim();
}

const withCredential = (credential: Credential): RequestSpec => updateRequest({ credential });

describe('toCurl', () => {
  it('sends method, address, headers and body of the request, but for content codings, which curl would print', () => {
    const headers = { Accept: 'application/json', 'Accept-Encoding': 'gzip', 'Content-Type': 'application/json' };
    expect(run(toCurl(updateRequest({ headers }), BASE))).toEqual({
      url: `${BASE}/api/admin/user-admin/4`,
      method: 'PUT',
      headers: ['Authorization: Admin-key-1', 'Accept: application/json', 'Content-Type: application/json'],
      data: '{"name":"Ada"}',
    });
  });

  it.each([
    ...[`{"name":"O'Brien"}`, `{'name':'Conformance 1'}`, `''`, `'`, 'two\nlines and a tab\t', '@/etc/hosts'],
    ...['{"name":"$HOME `id` $(id) \\"quoted\\" \\\\ !"}', '<>|&;*?~#[]{} ä 😀', '-X DELETE'],
  ])('sends the body %j as it is', (body) => expect(run(toCurl(updateRequest({ body }), BASE)).data).toBe(body));

  it('sends an empty body as data, and no body as a length of 0', () => {
    expect(run(toCurl(updateRequest({ body: '' }), BASE)).data).toBe('');
    const none = run(toCurl(without(updateRequest(), 'body'), BASE));
    expect(none.data).toBeUndefined();
    expect(headerOf(none, 'Content-Length')).toBe('0');
    expect(none.method).toBe('PUT');
  });

  it('keeps curl from adding a Content-Type if the request has none', () => {
    const sent = run(toCurl(updateRequest({ headers: { Accept: 'application/json' } }), BASE));
    expect(sent.headers).toContain('Content-Type:');
  });

  it('sends a GET without method, body or body headers', () => {
    const sent = run(toCurl(bannersRequest(), BASE));
    expect(sent).toEqual({
      url: `${BASE}/api/admin/banners`,
      method: undefined,
      headers: ['Authorization: Admin-key-1', 'Accept: application/json'],
      data: undefined,
    });
  });

  it.each(['', '   '])('sends the blank header %j as an empty one instead of omitting it', (header) => {
    const sent = run(toCurl(withCredential({ label: 'blank', shell: header, header }), BASE));
    expect(sent.headers).toContain('Authorization;');
    expect(headerOf(sent, 'Authorization')).toBeUndefined();
  });

  it.each([[`http://target.example/it's`], ['http://target.example/$HOME'], ['http://target.example/a;b&c(d)']])(
    'keeps the address %s, with the key in the header and in the query',
    (base) => {
      expect(run(toCurl(updateRequest(), base)).url).toBe(`${base}/api/admin/user-admin/4`);
      const credential = { label: 'query', shell: 'key=$CONFORMANCE_ADMIN_KEY', query: 'key=Admin-key-1' };
      expect(run(toCurl(withCredential(credential), base)).url).toBe(`${base}/api/admin/user-admin/4?key=Admin-key-1`);
    },
  );
});

it('the curl line of a body in Latin-1 sends a byte for each character', () => {
  const body = Buffer.from(`{"name":"caf\u00e9 100% 'a' \\\\x"}`).toString('latin1');
  const request: RequestSpec = { ...updateRequest(), body, charset: 'latin1' };
  expect(run(toCurl(request, BASE)).data).toBe(Buffer.from(body, 'latin1').toString('utf8'));
});

describe('the curl line of every bad credential', () => {
  const keys = ['Admin-key-1', 'Bearer Admin-key-1', `we$ird'k"ey;1`, 'a`b$(c)d\\e$HOME1'];

  for (const bad of badCredentials) {
    // In these two, the key is encoded as a URL or a cookie needs it; the line takes it from the environment as it is.
    const encoded = bad.id === 'key-in-query' || bad.id === 'key-in-cookie';
    it.each(encoded ? keys.slice(0, 1) : keys)(`sends what the suite sent: ${bad.id} of %j`, (key) => {
      const credential = bad.make(key) ?? expect.fail('This key has such a credential.');
      const line = toCurl(withCredential(credential), BASE);
      expect(line).not.toContain(key);
      const sent = run(line, key);
      const { header, query, otherHeaders = {}, shell = '' } = credential;
      expect(sent.url).toBe(`${BASE}/api/admin/user-admin/4${query === undefined ? '' : `?${query}`}`);
      for (const [name, value] of Object.entries(otherHeaders)) expect(headerOf(sent, name)).toBe(value);
      const isPlaceholder = /^<.*>$/.test(shell);
      const expected = header === undefined || header.trim() === '' ? undefined : isPlaceholder ? shell : header;
      expect(headerOf(sent, 'Authorization')).toBe(expected);
    });
  }
});
