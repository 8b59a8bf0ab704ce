import { describe, expect, test } from 'vitest';
import { makeClient } from '../../../../conformance/http/client.ts';
import type { Exchange } from '../../../../conformance/http/exchange.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../conformance/http/policy/limits.ts';
import type { Transport, TransportRequest } from '../../../../conformance/http/transport/transport.ts';
import { bannersRequest } from '../../../support/exchanges.ts';

const REQUEST = bannersRequest({ credential: { label: 'a key', header: 'some-key' } });

function sendThrough(transport: Transport, limits: Partial<Limits> = {}): Promise<Exchange> {
  const client = makeClient({
    baseUrl: new URL('http://service.localhost/base'),
    limits: { ...DEFAULT_LIMITS, ...limits },
    signal: new AbortController().signal,
    transport,
  });
  return client.send(REQUEST);
}

describe('A transport', () => {
  test('gets the request and gives the response', async () => {
    const requests: TransportRequest[] = [];
    const { response } = await sendThrough((request) => {
      requests.push(request);
      return Promise.resolve({ status: 200, headers: { 'x-a': '1' }, bytes: Buffer.from('{"a":1}') });
    });
    expect(requests).toEqual([
      {
        method: 'GET',
        path: '/base/api/admin/banners',
        headers: { Accept: 'application/json', Authorization: 'some-key' },
        body: undefined,
      },
    ]);
    expect(response).toMatchObject({ status: 200, headers: { 'x-a': '1' }, text: '{"a":1}' });
  });

  test.each<[kind: string, which: string, transport: Transport]>([
    ['timeout', 'never responds', () => new Promise(() => undefined)],
    ['limit', 'gives a long body', () => Promise.resolve({ status: 200, headers: {}, bytes: Buffer.alloc(10_001) })],
    ['protocol', 'throws', () => Promise.reject(new Error('out of order'))],
  ])('%s of one that %s', async (kind, _which, transport) => {
    const { response, transportError } = await sendThrough(transport, {
      maxBody: 10_000,
      ...(kind === 'timeout' ? { timeout: 50 } : {}),
    });
    expect(response).toBeUndefined();
    expect(transportError?.kind).toBe(kind);
  });
});
