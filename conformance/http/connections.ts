import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { makeBodyReader, type RawResponse } from './content.ts';
import { requestPastInterim, type PlainRequest } from './interim-responses.ts';
import { MAX_HEADER_BYTES, SHORTEST_PAUSE, type Limits } from './limits.ts';
import { makeRoute, tlsOf, type Route } from './route.ts';

/** Sends one request and reads its whole response. Throws what undici, Node or `readBody` throw. */
export type Dispatch = (request: Omit<PlainRequest, 'origin' | 'maxHeaderSize' | 'tls'>) => Promise<RawResponse>;

type Headers = Record<string, string | string[] | undefined>;

function flatten(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** The connections to one target. None is opened before the first request. */
export function makeConnections(origin: string, { timeout, maxBody, concurrency }: Limits, route: Route = {}) {
  const { pool: openPool, single: openConnection, isDirect } = makeRoute(origin, timeout, route);
  let pool = openPool(concurrency);
  let single = concurrency === 1;
  const readBody = makeBodyReader(maxBody);

  const toRaw = async (status: number, headers: Headers, body: AsyncIterable<Buffer>): Promise<RawResponse> => ({
    status,
    headers: flatten(headers),
    bytes: await readBody(body, Number(headers['content-length'])),
  });
  const over =
    (connection: Dispatcher): Dispatch =>
    async ({ body, ...rest }) => {
      const response = await connection.request({
        ...rest,
        origin,
        method: rest.method,
        body: body ?? null,
      });
      return toRaw(response.statusCode, response.headers, response.body as AsyncIterable<Buffer>);
    };

  const pooled: Dispatch = (request) => over(pool)(request);

  /** Over a connection of its own that reads past interim responses. */
  const pastInterim: Dispatch = async (request) => {
    if (!isDirect) return over(pool)(request);
    const response = await requestPastInterim({
      ...request,
      origin,
      maxHeaderSize: MAX_HEADER_BYTES,
      tls: tlsOf(route),
    });
    return toRaw(response.statusCode ?? 0, response.headers, response as AsyncIterable<Buffer>);
  };

  /** Opens a connection that no request has used. `close` is called after its last request. */
  const fresh = async (): Promise<{ readonly dispatch: Dispatch; readonly close: () => Promise<void> }> => {
    if (single) {
      await pool.destroy();
      await sleep(SHORTEST_PAUSE);
      pool = openPool(1);
      return { dispatch: over(pool), close: () => Promise.resolve() };
    }
    const connection = openConnection();
    return { dispatch: over(connection), close: () => connection.destroy() };
  };

  /** Replaces the pool by one with a single connection. The promise ends when the old connections are closed. */
  const narrow = (): Promise<unknown> => {
    const old = pool;
    pool = openPool(1);
    single = true;
    return old.close().catch(() => undefined);
  };

  return { pooled, pastInterim, fresh, narrow, destroy: () => pool.destroy() };
}
