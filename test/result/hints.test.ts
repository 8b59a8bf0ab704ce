import { describe, expect, it } from 'vitest';
import type { Exchange, LostKind } from '../../conformance/http/exchange.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../../conformance/inputs.ts';
import { hintsFor } from '../../conformance/result/hints.ts';
import { runTarget } from '../../conformance/run.ts';
import { inputsFor, withBehaviour } from '../../proof/servers/behaviour.ts';
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
const NAME = '{"name":"Quiet Otter"}';
const failed = [checkOf('update-name', { outcome: 'failed' })];

interface Sent {
  readonly key?: string | undefined;
  readonly user?: string;
  readonly body?: string;
}

interface Got {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly text?: string;
}

/** A list of banners, or an update if a user is named; with the admin key, unless another one or none is given. */
function exchange({ user, body = NAME, ...sent }: Sent, { status, json, headers = {}, text }: Got): Exchange {
  const key = 'key' in sent ? sent.key : inputs.adminKey;
  return {
    request: {
      operation: user === undefined ? 'listBanners' : 'updateUser',
      path: user === undefined ? '/api/admin/banners' : `/api/admin/user-admin/${user}`,
      headers: { ...(key !== undefined && { Authorization: key }) },
      body: user === undefined ? undefined : body,
    },
    response: { status, headers, json, text: text ?? JSON.stringify(json ?? '') },
    startedMs: 0,
    durationMs: 1,
  };
}

function lost(kind: LostKind, detail: string): Exchange {
  const plain = exchange({}, { status: 0 });
  return { ...plain, response: { ...plain.response, lost: { kind, detail } } };
}

const error = (name: string, message = 'No.'): unknown => ({ id: '1', name, message });
const banners = exchange({}, { status: 200, json: { banners: [] } });
const accepted = exchange({ user: '4' }, { status: 200, json: { id: 4 } });
const everywhere = (got: Got): Exchange[] => [exchange({}, got), exchange({ user: '4' }, got)];
const unauthorized = (headers: Record<string, string> = {}): Exchange[] =>
  everywhere({ status: 401, json: error('AuthenticationRequired'), headers });

/** The id of each hint, the situation that gives it, and what its text says. */
const SITUATIONS: [id: string, exchanges: Exchange[], text: string, own?: Partial<Inputs>][] = [
  [
    'connection-refused',
    [lost('unreachable', 'connect ECONNREFUSED 127.0.0.1:4299')],
    'Nothing listens on 127.0.0.1:4299. ',
  ],
  [
    'proxy',
    [lost('unreachable', 'the proxy 10.0.0.1:3128 cannot be reached: connect ECONNREFUSED 10.0.0.1:3128')],
    'The proxy 10.0.0.1:3128 cannot be reached. ',
  ],
  ['unknown-host', [lost('unreachable', 'getaddrinfo ENOTFOUND nowhere')], 'The host 127.0.0.1 is unknown'],
  [
    'tls-unexpected',
    [lost('unreachable', 'the target does not speak TLS there; write http://')],
    'Give http://127.0.0.1:4299 as base URL',
    { baseUrl: new URL('https://127.0.0.1:4299') },
  ],
  [
    'tls-expected',
    everywhere({ status: 400, text: 'The plain HTTP request was sent to HTTPS port' }),
    '127.0.0.1:4299 speaks TLS',
  ],
  ['certificate', [lost('unreachable', 'self-signed certificate')], '(self-signed certificate). If it is your own'],
  ['silence', [lost('timeout', 'no response within 10000 ms')], '--timeout'],
  ['no-connection', [lost('protocol', 'Expected HTTP/')], '(Expected HTTP/). Are the host and the port right'],
  ['gateway', everywhere({ status: 502 }), 'still starting? --wait'],
  ['redirect', everywhere({ status: 301, headers: { location: '/api/admin/banners/' } }), 'a trailing slash'],
  [
    'redirect',
    everywhere({ status: 308, headers: { location: 'https://127.0.0.1:4299/api/admin/banners' } }),
    'give https://127.0.0.1:4299 as base URL',
  ],
  ['redirect', everywhere({ status: 302, headers: { location: 'http://other.example/' } }), 'to http://other.example/'],
  [
    'base-path',
    everywhere({ status: 404 }),
    'Give http://127.0.0.1:4299/v1 as base URL',
    { baseUrl: new URL('http://127.0.0.1:4299/v1/api/admin') },
  ],
  [
    'web-page',
    everywhere({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }),
    'serves it for every path',
  ],
  ['no-routes', everywhere({ status: 404, text: 'Cannot GET' }), 'have these routes yet?'],
  [
    'bearer-needed',
    [...unauthorized(), exchange({ key: 'Bearer admin-key' }, { status: 200, json: { banners: [] } })],
    'accepted after "Bearer "',
  ],
  ['key-spelling', unauthorized(), 'is in quotes', { adminKey: '"k"' }],
  ['key-spelling', unauthorized(), 'ends in a line break', { adminKey: 'k\\n' }],
  ['key-spelling', unauthorized(), 'looks like a placeholder', { adminKey: '$ADMIN_KEY' }],
  ['key-spelling', unauthorized(), 'begins with another word', { adminKey: 'Bearer k' }],
  ['key-unknown', unauthorized({ 'www-authenticate': 'Basic realm="api"' }), 'the response asks for Basic'],
  ['key-unknown', unauthorized(), 'Is CONFORMANCE_ADMIN_KEY a key of this server'],
  ['refused-before-key', everywhere({ status: 403, text: 'CSRF verification failed' }), 'exempt these paths'],
  [
    'refused-before-key',
    [banners, ...[inputs.adminKey, undefined].map((key) => exchange({ user: '4', key }, { status: 403 }))],
    'a protection against CSRF',
  ],
  [
    'admin-key-forbidden',
    [banners, exchange({ user: '4' }, { status: 403, json: error('NoAccessError') })],
    'swapped?',
  ],
  [
    'admin-key-forbidden',
    [
      banners,
      exchange({ user: '4' }, { status: 403 }),
      exchange({ user: '4', key: 'restricted-key' }, { status: 200, json: { id: 4 } }),
    ],
    'are swapped.',
  ],
  [
    'user-not-found',
    [banners, exchange({ user: '4' }, { status: 404, json: error('NotFoundError') })],
    'Set CONFORMANCE_USER_ID',
  ],
  [
    'user-not-found',
    [accepted, exchange({ user: '5' }, { status: 404, json: error('NotFoundError') })],
    'Set CONFORMANCE_OTHER_USER_ID',
  ],
  [
    'roles-refused',
    [accepted, exchange({ user: '4', body: '{"rootRole":2}' }, { status: 400, json: error('ValidationError') })],
    'may not know the roles [1,2]',
  ],
  [
    'restricted-key-unknown',
    [accepted, exchange({ user: '4', key: 'restricted-key' }, { status: 401 })],
    'set CONFORMANCE_RESTRICTED_KEY',
  ],
];

describe('a hint', () => {
  it.each(SITUATIONS.map(([id, ...rest]) => ({ id, rest })))('$id', ({ id, rest: [exchanges, text, own = {}] }) => {
    const given = { ...inputs, ...own };
    const sent = exchanges.map((each) => {
      const isAdmin = each.request.headers.Authorization === inputs.adminKey;
      const headers = isAdmin ? { Authorization: given.adminKey ?? '' } : each.request.headers;
      return { ...each, request: { ...each.request, headers } };
    });
    const hints = hintsFor({ inputs: given, exchanges: sent, checks: failed });
    expect(hints.map((hint) => hint.id)).toEqual([id]);
    expect(hints[0]?.text).toContain(text);
  });

  it('names CSRF to the author of a server that forbids every PUT before it looks at the key', async () => {
    const body = { timestamp: '2026-11-26T08:00:00.000+00:00', status: 403, error: 'Forbidden' };
    const csrf = responding(({ method }) => (method === 'PUT' ? { status: 403, body } : undefined));
    const { hints } = await withBehaviour(csrf, ({ url, seed, transport }) =>
      runTarget(inputsFor(url, seed), { transport, journal: false }),
    );
    expect(hints.map(({ id }) => id)).toEqual(['refused-before-key']);
  });

  it('is not given where nothing is wrong, or where nothing is known', () => {
    const gone = everywhere({ status: 502 });
    expect(hintsFor({ inputs, exchanges: gone, checks: [checkOf('update-name')] })).toEqual([]);
    expect(hintsFor({ inputs, exchanges: [banners, accepted], checks: failed })).toEqual([]);
    expect(hintsFor({ inputs, exchanges: [], checks: failed })).toEqual([]);
  });

  it('is not given for requests that a server may refuse', () => {
    const odd = exchange({ user: '4', body: '{"name":null}' }, { status: 400, json: error('ValidationError', 'id') });
    expect(hintsFor({ inputs, exchanges: [banners, odd], checks: failed })).toEqual([]);
  });

  it('does not hang on what a hostile target sends', () => {
    const hostile = ['x-'.repeat(50_000), `type${' '.repeat(100_000)}`, 'log '.repeat(25_000), ', '.repeat(50_000)];
    for (const text of hostile) {
      const headers = { 'www-authenticate': text, location: `/${text}`, 'content-type': 'text/html' };
      for (const status of [200, 301, 400, 401, 403, 404])
        expect(() =>
          hintsFor({
            inputs,
            exchanges: everywhere({ status, headers, text, json: error('E', text) }),
            checks: failed,
          }),
        ).not.toThrow();
    }
  });
});
