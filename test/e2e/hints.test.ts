import { expect, it } from 'vitest';
import { isSafe } from '../../conformance/http/exchange.ts';
import { operations } from '../../conformance/operations/index.ts';
import { route } from '../../contract/document.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli, judged } from '../support/cli.ts';
import { environmentFor, withServer } from '../support/target.ts';

const KEY = 'Kt7-admin-key-of-these-tests';

it.each([
  ['both operations', [], 'GET'],
  ['one check of users', ['--only', 'update-name-stored'], 'PUT'],
])('a key that needs "Bearer" is tried with it once, and never used with it: %s', async (_what, args, method) => {
  const seed = { ...defaultSeed, keys: { ...defaultSeed.keys, admin: `Bearer ${KEY}` } };
  await withServer({ seed }, async (server, requests) => {
    const own = { ...environmentFor(server), CONFORMANCE_ADMIN_KEY: KEY };
    // No response is late.
    const { result, stdout, stderr } = await judged(own, '--timeout', '600000', ...args);
    expect(result.hints?.[0]?.id).toBe('bearer-needed');
    expect(result.hints?.[0]?.text).toContain(
      'set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY to "Bearer " and the key',
    );
    expect(result.verdict).not.toBe('passed');
    const passed = result.checks.filter(({ id, outcome }) => id.startsWith('update-') && outcome === 'passed');
    expect(passed).toEqual([]);
    const tried = requests.filter(({ headers }) => headers.authorization === `Bearer ${KEY}`);
    expect(tried.map((request) => request.method)).toEqual([method]);
    expect(stdout + stderr).not.toContain(KEY);
  });
});

it('plan shows the request that is sent only if the key is refused', async () => {
  const reading = operations.map(({ id }) => route(id)).find(isSafe);
  await withServer({}, async (server) => {
    const own = environmentFor(server);
    const plan = JSON.parse((await cli(['plan', '--format', 'json'], own)).stdout) as { conditional: unknown };
    expect(plan.conditional).toEqual([
      expect.objectContaining({
        method: 'GET',
        url: `${server.url}${reading?.path.replace('{id}', '1')}`,
        credential: 'the admin key after "Bearer"',
        when: 'the admin key is refused each time',
        writes: false,
      }),
    ]);
    expect((await cli(['plan', '--only', 'update-name-stored'], own)).stdout).toMatch(
      /Only if the admin key is refused[^]*PUT/,
    );
  });
});
