import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../conformance/http/policy/limits.ts';
import { operationIds } from '../../contract/document.ts';
import type { Inputs } from '../../conformance/resources/inputs.ts';
import { everyNth, rateLimit } from '../../proof/wire/deliveries.ts';
import { message, type RawRequest } from '../../proof/wire/raw-server.ts';
import { plain, withWireServer, type WireOptions } from '../../proof/wire/wire-server.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { blemishes, judge, PATIENT } from '../support/judging.ts';

/*
 * proof/variants/http.ts proves that conforming variants pass. These tests show what that proof cannot: what the suite sends to
 * them, over how many connections, and what its result holds.
 */

const LIMITS = { ...PATIENT, maxBody: DEFAULT_LIMITS.maxBody };

interface Case extends WireOptions {
  readonly limits?: Partial<Limits>;
  readonly inputs?: Partial<Inputs>;
}

/** Judges the reference server behind a wire server: the run must pass, and leave the users as they were. */
async function expectConforming({ limits, inputs = {}, ...options }: Case) {
  return withWireServer(options, async (server) => {
    const { seed, store } = server.service;
    const result = await judge({ ...inputsFor(server.url, seed), ...inputs }, { ...LIMITS, ...limits });
    // Where requests go out one at a time, no two updates are concurrent.
    expect(blemishes(result).filter((line) => !line.startsWith('update-concurrent-'))).toEqual([]);
    expect(result.verdict).toBe('passed');
    expect(result.restoration.outcome).toBe('complete');
    expect([...store.users.values()]).toEqual(seed.users);
    expect(result.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(100);
    return { result, server };
  });
}

describe.concurrent('With a conforming server, the suite', () => {
  test('asks for every content coding that it can decode, and decodes it', async () => {
    const asked = new Set<string>();
    await expectConforming({
      deliver: ({ request, answer: response, socket }) => {
        for (const coding of (request.headers['accept-encoding'] ?? '').split(/\s*,\s*/)) asked.add(coding);
        const zipped = { ...response, body: gzipSync(response.body) };
        socket.write(plain(zipped, { extra: [['Content-Encoding', 'gzip']] }));
      },
    });
    expect([...asked].sort()).toEqual(['br', 'deflate', 'gzip']);
  });

  const json = { 'Content-Type': 'application/json' };
  test.each([
    ['429', rateLimit(130, () => message(429, { ...json, 'Retry-After': '1' }, '{}'))],
    ['503', everyNth(10, message(503, { 'Retry-After': '0' }, ''))],
  ])('repeats a request after %s with Retry-After, and reports it', async (_status, instead) => {
    const { result, server } = await expectConforming({ instead });
    const limits = result.observations.find(({ id }) => id === 'open.limits');
    expect(limits?.observed).toBe('throttled');
    expect(server.requests.length).toBeGreaterThan(result.summary.requests);
  });

  test('keeps the digits of ids that a JavaScript number cannot hold', async () => {
    const ids: readonly (readonly [big: string, small: string])[] = [
      ['9007199254740993', '1'],
      ['9007199254740995', '2'],
    ];
    const { result, server } = await expectConforming({
      inputs: { userId: '9007199254740993', otherUserId: '9007199254740995' },
      toService: (target) =>
        ids.reduce((rest, [big, small]) => rest.replace(new RegExp(`/${big}(?=$|\\?)`), `/${small}`), target),
      deliver: ({ answer: response, socket }) => {
        const shown = ids.reduce(
          (rest, [big, small]) => rest.replace(`{"id":${small},"isAPI"`, `{"id":${big},"isAPI"`),
          response.body.toString(),
        );
        socket.write(plain({ ...response, body: Buffer.from(shown) }));
      },
    });
    expect(result.target.userId).toBe('9007199254740993');
    expect(result.restoration.users.map(({ id }) => id).sort()).toEqual(['9007199254740993', '9007199254740995']);
    const addressed = (request: RawRequest): boolean => request.target.endsWith('/9007199254740993');
    expect(server.requests.filter(addressed).length).toBeGreaterThan(50);
  });
});

test('With a conforming server that serves one connection at a time, the suite keeps to few connections if it sends one request at a time', async () => {
  const { server } = await expectConforming({ oneAtATime: true, limits: { concurrency: 1 } });
  // A key that a server may confuse with another one has a connection of its own, and the next request a new one.
  const { admin } = defaultSeed.keys;
  const apart = server.requests.filter(({ headers: { authorization: key } }) => {
    return key !== undefined && key !== admin && [admin.toLowerCase(), ''].includes(key.trim().toLowerCase());
  });
  expect(apart.length).toBeLessThan(6 * operationIds.length);
  expect(server.connections()).toBeLessThan(10 + 2 * apart.length);
});
