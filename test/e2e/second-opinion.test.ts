import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { run } from '../../conformance/index.ts';
import type { Exchange } from '../../conformance/exchange.ts';
import { freePort } from '../support/ports.ts';
import { withServer } from '../support/target.ts';

const root = resolve(import.meta.dirname, '../..');

/** Prism between the suite and a server; it names in a header what breaks the contract, in requests and answers. */
async function withPrism<T>(upstream: string, use: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const prism = spawn(
    process.execPath,
    [
      `${root}/node_modules/@stoplight/prism-cli/dist/index.js`,
      'proxy',
      `${root}/openapi.yaml`,
      upstream,
      '--port',
      String(port),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    await new Promise<void>((listening, ended) => {
      createInterface({ input: prism.stdout }).on('line', (line) => {
        if (line.includes('Prism is listening')) listening();
      });
      prism.once('exit', () => {
        ended(new Error('Prism ended before it listened.'));
      });
    });
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    const ended = new Promise((done) => prism.once('exit', done));
    prism.kill();
    await ended;
  }
}

const violationsOf = ({ response }: Exchange): string | undefined => response?.headers['sl-violations'];

describe('Prism as a second opinion', () => {
  it('finds nothing in the positive traffic with the reference server', async () => {
    await withServer({}, async ({ url, seed }) => {
      await withPrism(url, async (baseUrl) => {
        const exchanges: Exchange[] = [];
        const result = await run(
          { baseUrl, adminKey: seed.keys.admin, userId: '1', otherUserId: '2', roleIds: [1, 2] },
          {
            only: ['update', 'user', 'banners'],
            skip: ['auth', 'errors', 'permission'],
            onEvent: (event) => {
              if (event.type === 'exchange') exchanges.push(event.exchange);
            },
          },
        );
        expect(result.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
        const positive = exchanges.filter(
          ({ response, request }) => response?.status === 200 && request.meant.body === 'valid',
        );
        expect(positive.length).toBeGreaterThan(40);
        expect(positive.filter(violationsOf).map((each) => [each.request.purpose, violationsOf(each)])).toEqual([]);
      });
    });
  });

  it('finds what the suite finds in a server with a wrong member', async () => {
    const replace = () => ({ presentUser: (user: object) => ({ ...user, loginAttempts: 'none' }) });
    await withServer({ replace }, async ({ url, seed }) => {
      await withPrism(url, async (baseUrl) => {
        const violations: (string | undefined)[] = [];
        const result = await run(
          { baseUrl, adminKey: seed.keys.admin, userId: '1' },
          {
            only: ['user-login-attempts'],
            onEvent: (event) => event.type === 'exchange' && violations.push(violationsOf(event.exchange)),
          },
        );
        expect(result.checks.map(({ outcome }) => outcome)).toEqual(['failed']);
        expect(violations.some((text) => text?.includes('loginAttempts'))).toBe(true);
      });
    });
  });
});
