import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { makeBodyReader, type RawResponse } from '../content.ts';
import { ENDED, requestByNode, type PlainRequest } from './node-http.ts';
import { MAX_HEADER_BYTES, SHORTEST_PAUSE, type Limits } from '../policy/limits.ts';
import { makeRoute, tlsOf, type Route } from './route.ts';
import type { Transport } from './transport.ts';

/** Sends one request and reads its whole response. Throws what undici, Node or `readBody` throw. */
export type Dispatch = (request: Omit<PlainRequest, 'origin' | 'maxHeaderSize' | 'tls'>) => Promise<RawResponse>;

interface Fresh {
  readonly dispatch: Dispatch;
  readonly close: () => Promise<void>;
}

type Headers = Record<string, string | string[] | undefined>;

function flatten(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** Sends requests over a connection. Not with the stream that undici's `request` makes of each response. */
function over(connection: Dispatcher, origin: string, makeReader: ReturnType<typeof makeBodyReader>): Dispatch {
  return ({ body, lifetime, method, ...rest }) =>
    new Promise((resolve, reject) => {
      let reader = makeReader();
      let [status, headers]: [number, Headers] = [0, {}];
      lifetime.end = () => reject(new Error(ENDED));
      connection.dispatch(
        { ...rest, method, origin, body: body ?? null },
        {
          onRequestStart: (controller) => {
            lifetime.end = () => controller.abort(new Error(ENDED));
            if (lifetime.isOver) lifetime.end();
          },
          onResponseStart: (_controller, code, fields) => {
            // An interim response has no body, and the final one comes after it.
            if (code < 200) return;
            [status, headers] = [code, fields];
            reader = makeReader(Number(fields['content-length']));
          },
          onResponseData: (controller, chunk) => {
            try {
              const turn = reader.take(chunk);
              if (!turn) return;
              controller.pause();
              void turn.then(() => controller.resume());
            } catch (error) {
              controller.abort(error as Error);
            }
          },
          onResponseEnd: () => {
            resolve({ status, headers: flatten(headers), bytes: reader.whole() });
            reader.release();
          },
          onResponseError: (_controller, error) => {
            reader.release();
            reject(error);
          },
        },
      );
    });
}

/** Sends requests with node:http, each over its own connection: it reads past interim responses, and takes a 204 with a length. */
function overNode(origin: string, route: Route, makeReader: ReturnType<typeof makeBodyReader>): Dispatch {
  const options = { origin, maxHeaderSize: MAX_HEADER_BYTES, tls: tlsOf(route) };
  return async (request) => {
    const response = await requestByNode({ ...request, ...options });
    const reader = makeReader(Number(response.headers['content-length']));
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) await reader.take(chunk);
      return { status: response.statusCode ?? 0, headers: flatten(response.headers), bytes: reader.whole() };
    } finally {
      reader.release();
    }
  };
}

/** The connections to one target. None is opened before the first request. */
interface Connections {
  readonly pooled: Dispatch;
  readonly byNode: Dispatch;
  /**
   * Opens a connection that no request has used. `close` is called after its last request.
   *
   * @param ownConnection whether no later request may use it either
   */
  readonly fresh: (ownConnection?: boolean) => Promise<Fresh>;
  /** Opens a connection that no request has used, beside all others. `close` is called after its last request. */
  readonly beside: () => Promise<Fresh>;
  /** Replaces the pool by one with a single connection. The promise ends when the old connections are closed. */
  readonly narrow: () => Promise<unknown>;
  /** Replaces the pool by one with as many connections as there are requests: some wait for a response that never comes. */
  readonly widen: () => void;
  readonly destroy: () => Promise<void>;
}

/** How a target is reached: by default directly over the network. */
export interface Way {
  readonly route?: Route | undefined;
  /** Takes the requests in place of connections. */
  readonly transport?: Transport | undefined;
}

/** Sends requests through a transport. */
function overTransport(transport: Transport, makeReader: ReturnType<typeof makeBodyReader>): Dispatch {
  return ({ lifetime, ...request }) =>
    new Promise((resolve, reject) => {
      lifetime.end = () => reject(new Error(ENDED));
      const receive = async (): Promise<RawResponse> => {
        const { status, headers, bytes } = await transport(request);
        const reader = makeReader(bytes.length);
        try {
          await reader.take(bytes);
          return { status, headers, bytes: reader.whole() };
        } finally {
          reader.release();
        }
      };
      receive().then(resolve, reject);
    });
}

/** What takes the place of connections where a transport does. */
function throughTransport(transport: Transport, maxBody: number): Connections {
  const dispatch = overTransport(transport, makeBodyReader(maxBody));
  const nothing = (): Promise<void> => Promise.resolve();
  const beside = (): Promise<Fresh> => Promise.resolve({ dispatch, close: nothing });
  return {
    ...{ pooled: dispatch, byNode: dispatch, fresh: beside, beside },
    ...{ narrow: nothing, widen: () => undefined, destroy: nothing },
  };
}

/** Makes the connections to one target. */
export function makeConnections(
  origin: string,
  { timeout, maxBody, concurrency }: Limits,
  { route = {}, transport }: Way = {},
): Connections {
  if (transport) return throughTransport(transport, maxBody);
  const { pool: openPool, single: openConnection, isDirect } = makeRoute(origin, timeout, route);
  let pool = openPool(concurrency);
  let single = concurrency === 1;
  const readerOfBody = makeBodyReader(maxBody);

  const pooled: Dispatch = async (request) => over(await pool, origin, readerOfBody)(request);

  const byNode: Dispatch = isDirect ? overNode(origin, route, readerOfBody) : pooled;

  const destroy = async (): Promise<void> => (await pool).destroy();

  const renew = async (): Promise<void> => {
    await destroy();
    await sleep(SHORTEST_PAUSE);
    pool = openPool(1);
  };

  const fresh = async (ownConnection = false): Promise<Fresh> => {
    if (single) {
      await renew();
      return { dispatch: pooled, close: ownConnection ? renew : () => Promise.resolve() };
    }
    return beside();
  };

  const beside = async (): Promise<Fresh> => {
    const connection = await openConnection();
    return { dispatch: over(connection, origin, readerOfBody), close: () => connection.destroy() };
  };

  const narrow = (): Promise<unknown> => {
    const old = pool;
    pool = openPool(1);
    single = true;
    return old.then((each) => each.close()).catch(() => undefined);
  };

  const widen = (): void => {
    const old = pool;
    pool = openPool(null);
    single = false;
    void old.then((each) => each.close()).catch(() => undefined);
  };

  return { pooled, byNode, fresh, beside, narrow, widen, destroy };
}
