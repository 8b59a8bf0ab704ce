import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Connection, Pool } from 'undici';
import { readBody, type RawResponse } from './content.ts';
import { requestPastInterim, type PlainRequest } from './interim-responses.ts';
import { MAX_HEADER_BYTES, SHORTEST_PAUSE, type Limits } from './limits.ts';

/** Sends one request and reads its whole response. Throws what undici, Node or `readBody` throw. */
export type Dispatch = (request: Omit<PlainRequest, 'origin' | 'maxHeaderSize'>) => Promise<RawResponse>;

type Headers = Record<string, string | string[] | undefined>;

function flatten(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** The connections to one target. None is opened before the first request. */
export function makeConnections(origin: string, { timeout, maxBody, concurrency }: Limits) {
  const options = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0, connect: { timeout } };
  const openPool = (connections: number): Pool => new Pool(origin, { ...options, connections, pipelining: 1 });
  let pool = openPool(concurrency);
  let single = concurrency === 1;

  const toRaw = async (status: number, headers: Headers, body: AsyncIterable<Buffer>): Promise<RawResponse> => ({
    status,
    headers: flatten(headers),
    bytes: await readBody(body, maxBody),
  });
  const over =
    (connection: Pool | Connection): Dispatch =>
    async ({ body, ...rest }) => {
      const response = await connection.request({ ...rest, body: body ?? null });
      return toRaw(response.statusCode, response.headers, response.body as AsyncIterable<Buffer>);
    };

  const pooled: Dispatch = (request) => over(pool)(request);

  /** Over a connection of its own that reads past interim responses. */
  const pastInterim: Dispatch = async (request) => {
    const response = await requestPastInterim({ ...request, origin, maxHeaderSize: MAX_HEADER_BYTES });
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
    const connection = new Connection(origin, { ...options, pipelining: 0 });
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
