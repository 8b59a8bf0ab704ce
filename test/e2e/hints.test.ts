import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli } from '../support/cli.ts';
import { freePort } from '../support/ports.ts';
import { environmentFor, withServer } from '../support/target.ts';

const KEY = 'Kt7-admin-key-of-these-tests';

interface Judged {
  readonly result: Result;
  readonly ids: readonly string[];
  /** The hints as one text. */
  readonly words: string;
  readonly everything: string;
}

/** ms. No target responds later than this; the silent one gets a limit of its own. */
const TIMEOUT = '600000';

async function judged(own: Readonly<Record<string, string>>, ...args: string[]): Promise<Judged> {
  const { stdout, stderr } = await cli(['run', '--format', 'json', '--timeout', TIMEOUT, ...args], own);
  const result = JSON.parse(stdout) as Result;
  const { hints = [] } = result;
  const ids = hints.map(({ id }) => id);
  return { result, ids, words: hints.map(({ text }) => text).join(' '), everything: stdout + stderr };
}

function withReference<T>(
  options: ReferenceServerOptions,
  use: (environment: Record<string, string>, url: string) => Promise<T>,
): Promise<T> {
  return withServer(options, (server) => use(environmentFor(server), server.url));
}

/** Judges the base URL of a server that is no implementation. */
async function judgeListener(make: typeof createServer, listener: RequestListener, args: readonly string[] = []) {
  const server = make({}, listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const environment = { CONFORMANCE_BASE_URL: url, CONFORMANCE_ADMIN_KEY: KEY, CONFORMANCE_USER_ID: '1' };
    return { url, ...(await judged(environment, ...args)) };
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
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
    await withReference({ seed, around }, async (own) => {
      const { result, ids, words, everything } = await judged({ ...own, CONFORMANCE_ADMIN_KEY: KEY }, ...args);
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

  it('that is in quotes is not shown, and gives a hint only if it is refused', async () => {
    await withReference({}, async (own) => {
      const { ids, everything } = await judged({ ...own, CONFORMANCE_ADMIN_KEY: `"${KEY}"` });
      expect(ids).toEqual(['key-quoted']);
      expect(everything).not.toContain(KEY);
    });
  });
});

describe('the base URL', () => {
  it('of a port that nothing listens on', async () => {
    const port = await freePort();
    const own = { CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}`, CONFORMANCE_ADMIN_KEY: KEY };
    const { ids, words } = await judged(own);
    expect(ids).toEqual(['connection-refused']);
    expect(words).toContain(`Nothing listens on 127.0.0.1, port ${port}.`);
  });

  it('with https where plain HTTP is spoken', async () => {
    await withReference({}, async (own, url) => {
      const { ids } = await judged({ ...own, CONFORMANCE_BASE_URL: url.replace('http:', 'https:') });
      expect(ids).toEqual(['tls-unexpected']);
    });
  });

  it('with http where TLS is spoken', async () => {
    const { url, ids, words } = await judgeListener(createTlsServer, () => undefined);
    expect(ids).toEqual(['tls-expected']);
    expect(words).toContain(`try ${url.replace('http:', 'https:')}`);
  });

  it('of a server that never responds', async () => {
    const { ids, words } = await judgeListener(createServer, () => undefined, ['--timeout', '300']);
    expect(ids).toEqual(['silence']);
    expect(words).toContain('within 300 ms');
  });

  it('that ends in a path of the contract: right under the verdict, within the width', async () => {
    await withReference({}, async (own, url) => {
      const { stdout } = await cli(['run'], { ...own, CONFORMANCE_BASE_URL: `${url}/api/admin` });
      const lines = stdout.split('\n');
      expect(lines[0]).toContain('INCONCLUSIVE');
      expect(lines[2]).toMatch(/^ {2}hint {10}The base URL ends in \/api\/admin/);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    });
  });
});

it('a target that was not reached has no observation', async () => {
  const port = await freePort();
  const { stdout } = await cli(['run', `http://127.0.0.1:${port}`], { CONFORMANCE_ADMIN_KEY: KEY });
  expect(stdout).toContain('Inconclusive checks');
  expect(stdout).not.toContain('Observations');
});

it('plan shows the request that is sent only if the key is refused', async () => {
  await withReference({}, async (own, url) => {
    const { conditional } = JSON.parse((await cli(['plan', '--format', 'json'], own)).stdout) as {
      conditional: { method: string; url: string; credential: string; when: string; writes: boolean }[];
    };
    expect(conditional).toEqual([
      expect.objectContaining({
        method: 'GET',
        url: `${url}/api/admin/banners`,
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
