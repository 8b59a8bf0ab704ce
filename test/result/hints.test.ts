import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Exchange } from '../../conformance/facts/exchange.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../../conformance/inputs.ts';
import { hintsFor } from '../../conformance/result/hints.ts';
import { type Behaviour } from '../../proof/servers/behaviour.ts';
import { judgeServer } from '../../proof/judge.ts';
import { responding } from '../../proof/servers/responses.ts';
import { checkOf } from '../report/sample.ts';
import { casesBeside, read } from '../support/repository.ts';

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

/** What came, as hints.yaml says it: `error` is the name in an error body. */
type Got = Partial<Exchange['response']> & { readonly error?: string };
interface Asked {
  readonly key?: string | null;
  readonly user?: string;
  readonly body?: string;
}
type Given = readonly [request: 'list' | 'put' | 'both', got: Got, asked?: Asked];

/** The exchanges of a situation. */
function exchangesOf([which, { error, ...got }, asked = {}]: Given, { adminKey } = inputs): Exchange[] {
  const { key = adminKey, user = '4', body = '{"name":"Quiet Otter"}' } = asked;
  const headers = { ...(typeof key === 'string' && { Authorization: key }) };
  const json = error === undefined ? got.json : { id: '1', name: error, message: 'No.' };
  const response = { status: 0, headers: {}, text: JSON.stringify(json ?? ''), ...got, json };
  const list = { operation: 'listBanners', path: '/api/admin/banners', headers } as const;
  const put = { operation: 'updateUser', path: `/api/admin/user-admin/${user}`, headers, body } as const;
  const requests = { list: [list], put: [put], both: [list, put] }[which];
  return requests.map((request) => ({ request, response, startedMs: 0, durationMs: 1 }));
}

interface Situation {
  readonly hint: string;
  readonly says: string;
  readonly baseUrl?: string;
  readonly adminKey?: string;
  readonly exchanges: readonly Given[];
}
const situations = casesBeside(import.meta.url) as readonly Situation[];

const hintsOf = (given: readonly Given[], checks = failed) =>
  hintsFor({ inputs, exchanges: given.flatMap((each) => exchangesOf(each)), checks });

const banners: Given = ['list', { status: 200, json: { banners: [] } }];

/** Takes a key behind "Bearer ", and nothing else. */
const wantsScheme: Behaviour = {
  around: (handle) => (request) => {
    const [, key = 'none'] = /^Bearer (.*)$/.exec(String(request.headers.authorization)) ?? [];
    return handle({ ...request, headers: { ...request.headers, authorization: key } });
  },
};
const forbidsPut = responding(({ method }) =>
  method === 'PUT' ? { status: 403, body: { timestamp: '2026-11-26', status: 403, error: 'Forbidden' } } : undefined,
);

describe('a hint', () => {
  it.each(situations)('$hint: $says', async ({ hint, says, exchanges: given, baseUrl, adminKey }) => {
    const own = {
      ...inputs,
      ...(baseUrl !== undefined && { baseUrl: new URL(baseUrl) }),
      ...(adminKey !== undefined && { adminKey }),
    };
    const exchanges = given.flatMap((each) => exchangesOf(each, own));
    const hints = await hintsFor({ inputs: own, exchanges, checks: failed });
    expect(hints).toMatchObject([{ id: hint, text: expect.stringContaining(says) as string }]);
    expect(hints[0]?.text).toMatch(/^[^\n{}]+[.?]$/);
  });

  it('has a situation for each text', () => {
    const texts = read('conformance/result/hints.yaml');
    const ids = new Set(situations.map(({ hint }) => hint));
    expect([...ids].sort()).toEqual(Object.keys(parse(texts) as object).sort());
  });

  it.each<[hint: string, what: string, behaviour: Behaviour]>([
    ['csrf', 'forbids every PUT before it looks at the key', forbidsPut],
    ['bearer-needed', 'wants a scheme before the key', wantsScheme],
  ])('%s is given to the author of a server that %s', async (hint, _what, behaviour) => {
    const { result } = await judgeServer({ behaviour });
    expect(result.hints.map(({ id }) => id)).toEqual([hint]);
  });

  it('is not given where nothing is wrong, or nothing is known, or for what a server may refuse', async () => {
    expect(await hintsOf([['both', { status: 502 }]], [checkOf('update-name')])).toEqual([]);
    expect(await hintsOf([banners, ['put', { status: 200, json: { id: 4 } }]])).toEqual([]);
    expect(await hintsOf([])).toEqual([]);
    const invalid = { status: 400, error: 'ValidationError' };
    expect(await hintsOf([banners, ['put', invalid, { body: '{"name":null}' }]])).toEqual([]);
  });

  it('does not hang on what a hostile target sends', async () => {
    const hostile = ['x-'.repeat(50_000), `type${' '.repeat(100_000)}`, 'log '.repeat(25_000), ', '.repeat(50_000)];
    for (const text of hostile) {
      const headers = { 'www-authenticate': text, location: `/${text}`, 'content-type': 'text/html' };
      const json = { id: '1', name: 'E', message: text };
      for (const status of [200, 301, 400, 401, 403, 404]) await hintsOf([['both', { status, headers, text, json }]]);
    }
  });
});
