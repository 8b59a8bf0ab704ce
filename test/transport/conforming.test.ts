import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../conformance/http/policy/limits.ts';
import { operationIds } from '../../contract/document.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { withWireServer } from '../../proof/wire/wire-server.ts';
import { judge, PATIENT } from '../support/judging.ts';

/*
 * proof/variants/ proves that conforming variants pass. This test shows what that proof cannot: over how many connections the
 * suite sends.
 */
test('With a conforming server that serves one connection at a time, the suite keeps to few connections if it sends one request at a time', async () => {
  await withWireServer({ oneAtATime: true }, async ({ url, service: { seed }, requests, connections }) => {
    const limits = { ...PATIENT, maxBody: DEFAULT_LIMITS.maxBody, concurrency: 1 };
    const result = await judge(inputsFor(url, seed), limits);
    const open = result.checks.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id);
    // Where requests go out one at a time, no two updates are concurrent.
    expect(open.filter((id) => !id.startsWith('update-concurrent-'))).toEqual([]);
    expect([result.verdict, result.restoration.outcome]).toEqual(['passed', 'complete']);
    // A key that a server may confuse with another one has a connection of its own, and the next request a new one.
    const { admin } = seed.keys;
    const apart = requests.filter(({ headers: { authorization: key } }) => {
      return key !== undefined && key !== admin && [admin.toLowerCase(), ''].includes(key.trim().toLowerCase());
    });
    expect(apart.length).toBeLessThan(6 * operationIds.length);
    expect(connections()).toBeLessThan(10 + 2 * apart.length);
  });
});
