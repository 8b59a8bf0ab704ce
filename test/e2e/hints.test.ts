import { describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import { isSafe } from '../../conformance/http/exchange.ts';
import { operations } from '../../conformance/operations/index.ts';
import { route } from '../../contract/document.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli } from '../support/cli.ts';
import { environmentFor, withServer } from '../support/target.ts';

const KEY = 'Kt7-admin-key-of-these-tests';

/** Judges with these settings: the result, the ids of its hints, their texts as one, and all that was printed. */
async function judged(own: Readonly<Record<string, string>>, ...args: string[]) {
  // No response is late.
  const { stdout, stderr } = await cli(['run', '--format', 'json', '--timeout', '600000', ...args], own);
  const result = JSON.parse(stdout) as Result;
  const { hints = [] } = result;
  const words = hints.map(({ text }) => text).join(' ');
  return { result, ids: hints.map(({ id }) => id), words, everything: stdout + stderr };
}

describe('the key', () => {
  it.each([
    ['both operations', [], 'GET'],
    ['one check of users', ['--only', 'update-name-stored'], 'PUT'],
  ])('that needs "Bearer" is tried with it once, and never used with it: %s', async (_what, args, method) => {
    const seen: { key: string | undefined; line: string }[] = [];
    const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
      const { authorization } = request.headers;
      seen.push({ key: String(authorization), line: `${request.method} ${request.path}` });
      return handle(request);
    };
    const seed = { ...defaultSeed, keys: { ...defaultSeed.keys, admin: `Bearer ${KEY}` } };
    await withServer({ seed, around }, async (server) => {
      const own = { ...environmentFor(server), CONFORMANCE_ADMIN_KEY: KEY };
      const { result, ids, words, everything } = await judged(own, ...args);
      expect(ids[0]).toBe('bearer-needed');
      expect(words).toContain('set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY to "Bearer " and the key');
      expect(result.verdict).not.toBe('passed');
      const passed = result.checks.filter(({ id, outcome }) => id.startsWith('update-') && outcome === 'passed');
      expect(passed).toEqual([]);
      const tried = seen.filter(({ key }) => key === `Bearer ${KEY}`);
      expect(tried).toHaveLength(1);
      expect(tried[0]?.line.startsWith(method)).toBe(true);
      expect(everything).not.toContain(KEY);
    });
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
