import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapBounded } from '../../common/pool.ts';
import { using } from '../../common/using.ts';
import { HttpClient } from '../../conformance/http/client.ts';
import { TRANSPORT_ERRORS } from '../../conformance/http/exchange.ts';
import { DEFAULT_LIMITS } from '../../conformance/http/policy/limits.ts';
import { type Respond, withRawServer } from '../../proof/wire/raw-server.ts';
import { bannersRequest } from '../support/exchanges.ts';
import { examples } from '../support/sample.ts';

const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each));
const text = (...parts: readonly string[]): fc.Arbitrary<Buffer> =>
  fc.constantFrom(...parts).map((part) => Buffer.from(part));
const status = fc
  .oneof(fc.constantFrom(100, 101, 103, 200, 204, 206, 301, 304, 401, 429, 503, 999), fc.nat(1_100))
  .map((code) => Buffer.from(`HTTP/1.1 ${code} x\r\n`));
const line = text(
  'Content-Length: 2\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Content-Encoding: br, deflate\r\n',
  'Content-Type: application/json; charset=\r\n',
  'Retry-After: 0\r\n',
  'Retry-After: x\r\n',
  'Connection: close\r\n',
  'Connection: upgrade\r\n',
  ': x\r\n',
  '\r\n',
);
const body = fc.oneof(
  text('{}', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n', '{"id":1}', '\uFEFF{"a":"\\ud800"}', '[[[[', 'null'),
  fc.json().map((each) => Buffer.from(each)),
  bytes,
);
/** What looks like responses, more or less. */
const stream = fc
  .array(fc.oneof(fc.tuple(status, line, line, text('\r\n'), body), fc.tuple(body), fc.tuple(status), fc.tuple(line)), {
    maxLength: 4,
  })
  .map((parts) => Buffer.concat(parts.flat()));

/** How many are sent at once: most of the time goes by while requests wait to be sent again. */
const AT_ONCE = 75;

test('Whatever bytes a target sends, a request ends with a response or a transport error', async () => {
  const streams = fc.sample(stream, examples(150));
  const placeOf = (target: string): number => Number(target.split('/').at(-1));
  // The connection ends after the bytes: what waits for more ends at once.
  const onRequest: Respond = ({ target }, socket) => void socket.end(streams[placeOf(target)] ?? '');
  await withRawServer({ onRequest }, ({ url }) =>
    mapBounded([...streams.entries()], AT_ONCE, async ([place, sent]) => {
      const client = new HttpClient({
        baseUrl: new URL(url),
        limits: { ...DEFAULT_LIMITS, maxBody: 1_000 },
        signal: new AbortController().signal,
      });
      const request = bannersRequest({ path: `/api/admin/banners/${place}` });
      const { response, transportError } = await using(client, () => client.send(request));
      const what = JSON.stringify(sent.toString('latin1'));
      expect([response, transportError].filter(Boolean), what).toHaveLength(1);
      if (transportError) expect(Object.keys(TRANSPORT_ERRORS), what).toContain(transportError.kind);
      if (response) expect(response.text.length, what).toBeLessThanOrEqual(1_000);
    }),
  );
});
