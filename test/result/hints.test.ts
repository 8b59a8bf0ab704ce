import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Exchange } from '../../conformance/facts/exchange.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../../conformance/inputs.ts';
import { hintsFor } from '../../conformance/result/hints.ts';
import { runTarget } from '../../conformance/run.ts';
import { type Behaviour, inputsFor, withBehaviour } from '../../proof/servers/behaviour.ts';
import { responding } from '../../proof/servers/responses.ts';
import { checkOf } from '../report/sample.ts';

const inputs: Inputs = {
  baseUrl: new URL('http://127.0.0.1:4299'),
  adminKey: 'admin-key',
  restrictedKey: 'restricted-key',
  userId: '4',
  otherUserId: '5',
  missingUserId: '404',
  roleIds: [1, 2],
  emailDomain: DEFAULT_EMAIL_DOMAIN,
};
const failed = [checkOf('update-name', { outcome: 'failed' })];

type Got = Partial<Exchange['response']>;

function exchange(request: Exchange['request'], got: Got): Exchange {
  const response = { status: 0, headers: {}, json: undefined, text: JSON.stringify(got.json ?? ''), ...got };
  return { request, response, startedMs: 0, durationMs: 1 };
}

const headersWith = (key?: string) => (key === undefined ? {} : { Authorization: key });
const list = (got: Got, key: string | undefined = inputs.adminKey): Exchange =>
  exchange({ operation: 'listBanners', path: '/api/admin/banners', headers: headersWith(key) }, got);
/** An update of user 4, unless another one is named, with the admin key, unless another one or none is given. */
function put(
  got: Got,
  { user = '4', body = '{"name":"Quiet Otter"}', ...more }: Record<string, string | undefined> = {},
) {
  const headers = headersWith('key' in more ? more.key : inputs.adminKey);
  return exchange({ operation: 'updateUser', path: `/api/admin/user-admin/${user}`, headers, body }, got);
}

const error = (name: string, message = 'No.') => ({ id: '1', name, message });
const banners = list({ status: 200, json: { banners: [] } });
const user = { status: 200, json: { id: 4 } };
const accepted = put(user);
const everywhere = (got: Got): Exchange[] => [list(got), put(got)];
const away = (detail: string): Exchange[] => [list({ lost: { kind: 'unreachable', detail } })];
const moved = (location: string): Exchange[] => everywhere({ status: 301, headers: { location } });
const unauthorized = (key = inputs.adminKey, headers: Record<string, string> = {}): Exchange[] => [
  list({ status: 401, json: error('AuthenticationRequired'), headers }, key),
];
const base = (url: string): Partial<Inputs> => ({ baseUrl: new URL(url) });
const notFound = { status: 404, json: error('NotFoundError') };
const invalid = { status: 400, json: error('ValidationError') };
const HTTP = 'http://127.0.0.1:4299';
const HTTPS = 'https://127.0.0.1:4299';

/** The id of each hint, the situation that gives it, and what its text says. */
const SITUATIONS: [id: string, exchanges: Exchange[], text: string, own?: Partial<Inputs>][] = [
  ['connection-refused', away('connect ECONNREFUSED 127.0.0.1:4299'), 'Nothing listens on 127.0.0.1:4299. '],
  [
    'proxy',
    away('the proxy 10.0.0.1:3128 cannot be reached: ECONNREFUSED'),
    'The proxy 10.0.0.1:3128 cannot be reached: ECONNREFUSED. HTTP_PROXY',
  ],
  ['unknown-host', away('getaddrinfo ENOTFOUND nowhere'), 'The host 127.0.0.1 is unknown'],
  ['tls-unexpected', away('the target does not speak TLS there'), `Give ${HTTP} as base URL`, base(HTTPS)],
  ['tls-likely', [list({ lost: { kind: 'closed', detail: 'other side closed' } })], `Give ${HTTPS} as base URL`],
  ['tls-likely', [list({ lost: { kind: 'protocol', detail: 'Expected HTTP/' } })], 'looks like an https port'],
  ['tls-expected', everywhere({ status: 400, text: 'HTTP was sent to an HTTPS port' }), '127.0.0.1:4299 is an https'],
  ['certificate', away('self-signed certificate'), '(self-signed certificate). If it is your own'],
  ['silence', [list({ lost: { kind: 'timeout', detail: 'no response' } })], '--timeout'],
  [
    'unreadable',
    [list({ lost: { kind: 'limit', detail: 'the body is too large' } })],
    'cannot read what 127.0.0.1:4299',
  ],
  [
    'no-connection',
    [list({ lost: { kind: 'protocol', detail: 'Expected HTTP/' } })],
    'does not respond (Expected HTTP/)',
    base(HTTPS),
  ],
  ['gateway', everywhere({ status: 502 }), 'still starting? --wait'],
  ['redirect-nowhere', moved('http://'), 'got 301 with a redirect. The suite follows none'],
  ['redirect-to-slash', moved('/api/admin/banners/'), 'a trailing slash'],
  ['redirect-to-https', moved(`${HTTPS}/api/admin/banners`), `give ${HTTPS} as base URL`],
  ['redirect', moved('http://other.example/'), 'to http://other.example/'],
  ['base-path', everywhere({ status: 404 }), `Give ${HTTP}/v1 as base URL`, base(`${HTTP}/v1/api/admin`)],
  ['web-page', everywhere({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }), 'for every path'],
  ['no-routes', everywhere({ status: 404, text: 'Cannot GET' }), 'have these routes yet?'],
  ['bearer-needed', [...unauthorized(), list(user, 'Bearer admin-key')], 'accepted after "Bearer "'],
  [
    'key-not-taken',
    [list(invalid), put(invalid), put(invalid, { key: undefined })],
    'gets 400, and so does every request without a key',
  ],
  ['key-placeholder', unauthorized('$ADMIN_KEY'), 'looks like a placeholder', { adminKey: '$ADMIN_KEY' }],
  ['key-in-quotes', unauthorized('"k"'), 'is in quotes', { adminKey: '"k"' }],
  ['key-with-line-break', unauthorized('k\\n'), 'ends in a line break', { adminKey: 'k\\n' }],
  ['key-with-header-name', unauthorized('Authorization: k'), 'the header', { adminKey: 'Authorization: k' }],
  ['key-behind-word', unauthorized('Bearer k'), 'begins with another word', { adminKey: 'Bearer k' }],
  ['key-of-scheme', unauthorized(inputs.adminKey, { 'www-authenticate': 'Basic realm="api"' }), 'asks for Basic'],
  ['key-unknown', unauthorized(), 'GET /api/admin/banners got 401, as did every request'],
  ['keys-swapped', [banners, put({ status: 403 }), put(user, { key: 'restricted-key' })], 'are swapped.'],
  ['csrf', everywhere({ status: 403, text: 'CSRF verification failed' }), 'exempt these paths'],
  ['admin-key-forbidden', [banners, put({ status: 403, json: error('NoAccessError') })], 'swapped?'],
  ['user-not-found', [banners, put(notFound)], 'Set CONFORMANCE_USER_ID'],
  ['user-not-found', [accepted, put(notFound, { user: '5' })], 'Set CONFORMANCE_OTHER_USER_ID'],
  ['roles-refused', [accepted, put(invalid, { body: '{"rootRole":2}' })], 'does not know the roles [1,2]'],
  ['emails-refused', [accepted, put(invalid, { body: '{"email":"a@example.com"}' })], '--email-domain'],
  ['updates-unauthorized', [banners, put({ status: 401 })], 'takes the same key'],
  [
    'restricted-key-unknown',
    [accepted, put({ status: 401 }, { key: 'restricted-key' })],
    'set CONFORMANCE_RESTRICTED_KEY',
  ],
];

describe('a hint', () => {
  it.each(SITUATIONS.map(([id, ...rest]) => ({ id, rest })))(
    '$id',
    async ({ id, rest: [exchanges, text, own = {}] }) => {
      const hints = await hintsFor({ inputs: { ...inputs, ...own }, exchanges, checks: failed });
      expect(hints.map((hint) => hint.id)).toEqual([id]);
      expect(hints[0]?.text).toContain(text);
      expect(hints[0]?.text).toMatch(/^[^\n{}]+[.?]$/);
    },
  );

  it('has a situation for each text', () => {
    const texts = readFileSync(new URL('../../conformance/result/hints.yaml', import.meta.url), 'utf8');
    const ids = new Set(SITUATIONS.map(([id]) => id));
    expect([...ids].sort()).toEqual(Object.keys(parse(texts) as object).sort());
  });

  it('names CSRF to the author of a server that forbids every PUT before it looks at the key', async () => {
    const body = { timestamp: '2026-11-26T08:00:00.000+00:00', status: 403, error: 'Forbidden' };
    const csrf = responding(({ method }) => (method === 'PUT' ? { status: 403, body } : undefined));
    const { hints } = await withBehaviour(csrf, ({ url, seed, transport }) =>
      runTarget(inputsFor(url, seed), { transport, journal: false }),
    );
    expect(hints.map(({ id }) => id)).toEqual(['csrf']);
  });

  it('names the scheme that a server wants before the key', async () => {
    const scheme: Behaviour = {
      around: (handle) => (request) => {
        const [, key = 'none'] = /^Bearer (.*)$/.exec(String(request.headers.authorization)) ?? [];
        return handle({ ...request, headers: { ...request.headers, authorization: key } });
      },
    };
    const { hints } = await withBehaviour(scheme, ({ url, seed, transport }) =>
      runTarget(inputsFor(url, seed), { transport, journal: false }),
    );
    expect(hints.map(({ id }) => id)).toEqual(['bearer-needed']);
  });

  it('is not given where nothing is wrong, or where nothing is known', async () => {
    const gone = everywhere({ status: 502 });
    expect(await hintsFor({ inputs, exchanges: gone, checks: [checkOf('update-name')] })).toEqual([]);
    expect(await hintsFor({ inputs, exchanges: [banners, accepted], checks: failed })).toEqual([]);
    expect(await hintsFor({ inputs, exchanges: [], checks: failed })).toEqual([]);
  });

  it('is not given for requests that a server may refuse', async () => {
    const odd = put(invalid, { body: '{"name":null}' });
    expect(await hintsFor({ inputs, exchanges: [banners, odd], checks: failed })).toEqual([]);
  });

  it('does not hang on what a hostile target sends', async () => {
    const hostile = ['x-'.repeat(50_000), `type${' '.repeat(100_000)}`, 'log '.repeat(25_000), ', '.repeat(50_000)];
    for (const text of hostile) {
      const headers = { 'www-authenticate': text, location: `/${text}`, 'content-type': 'text/html' };
      for (const status of [200, 301, 400, 401, 403, 404])
        await hintsFor({
          inputs,
          exchanges: everywhere({ status, headers, text, json: error('E', text) }),
          checks: failed,
        });
    }
  });
});
