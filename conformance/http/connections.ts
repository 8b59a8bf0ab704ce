import { setMaxListeners } from 'node:events';
import { rootCertificates } from 'node:tls';
import type undici from 'undici';
import type { Dispatcher } from 'undici';
import { requireModule } from '../../common/process/commonjs.ts';
import { MAX_BODY } from './lost.ts';
import { proxyFor, type Route } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

// The whole package, which only a proxy needs, takes four times as long to load.
const Client = requireModule('undici/lib/dispatcher/client.js') as typeof undici.Client;

/** Bytes. */
const MAX_HEADER = 65_536;
/**
 * ms. An idle connection is kept for longer than a request may take: a target that serves one connection at a time is found out by
 * a request that times out beside it.
 */
const KEPT_FOR = 60_000;
/** Pieces of a body that are kept as such: a piece of one byte takes a hundred. */
const MOST_PIECES = 1_000;

/** A way to a target, by which one request at a time is sent. */
export interface Connection {
  /**
   * Sends a request and reads its whole response. It rejects with `Lost`, or with an error of Node or undici.
   *
   * @param onSent called before the request is sent: not before there is a connection
   */
  readonly send: (request: TransportRequest, onSent: () => void) => Promise<TransportResponse>;
  /** Ends it, and the request that is under way. */
  readonly close: () => Promise<void>;
}

type Fields = Readonly<Record<string, string | string[] | undefined>>;

/** Statuses whose responses have no content, whatever their Content-Length says (RFC 9112, 6.3); undici rejects such a length. */
const WITHOUT_CONTENT = [204, 304];

/** Sends a request with undici. Not with its `request`, which makes a stream of each response. */
function dispatch(
  connection: Dispatcher,
  { body, ...rest }: TransportRequest & { readonly origin: string },
  onSent: () => void,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let [status, fields, pieces]: [number, Fields, Buffer[]] = [0, {}, []];
    const end = (): void => {
      const joined = Object.entries(fields).map(([name, value = '']) => [name, [value].flat().join(', ')] as const);
      resolve({ status, headers: Object.fromEntries(joined), bytes: Buffer.concat(pieces) });
    };
    connection.dispatch(
      { ...rest, body: body ?? null },
      {
        onRequestStart: onSent,
        // The final response comes after interim ones.
        onResponseStart: (_controller, code, received) => {
          [status, fields] = [code, received];
        },
        onResponseData: (_controller, piece) => {
          if (pieces.push(piece) >= MOST_PIECES) pieces = [Buffer.concat(pieces)];
        },
        onResponseEnd: end,
        onResponseError: (_controller, error) => (WITHOUT_CONTENT.includes(status) ? end() : reject(error)),
      },
    );
  });
}

/** A dispatcher with one connection to a target, which is opened with the first request. It has no time limit of its own. */
function dispatcherFor(target: URL, route: Route, signal: AbortSignal): Dispatcher {
  const { ca, insecure = false } = route;
  const connect = {
    ...{ timeout: 0, signal },
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false }),
  };
  const sizes = { maxHeaderSize: MAX_HEADER, maxResponseSize: MAX_BODY };
  const times = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEPT_FOR };
  const options = { ...sizes, ...times, pipelining: 1, connect };
  const proxy = proxyFor(target, route);
  if (proxy === undefined) return new Client(target.origin, options);
  const { EnvHttpProxyAgent } = requireModule('undici') as typeof undici;
  const proxies = { httpProxy: proxy, httpsProxy: proxy, noProxy: route.proxy?.no ?? '', proxyTunnel: false };
  // Without a tunnel, undici passes none of the options on.
  const factory = (origin: string | URL, own: object): Dispatcher => new Client(origin, { ...options, ...own });
  return new EnvHttpProxyAgent({ ...options, ...proxies, factory, requestTls: connect, proxyTls: connect });
}

/** Makes a connection over the network. */
export function overNetwork(target: URL, route: Route): Connection {
  const lifetime = new AbortController();
  // Each socket listens to it: one for each request to a target that closes its connections.
  setMaxListeners(0, lifetime.signal);
  const dispatcher = dispatcherFor(target, route, lifetime.signal);
  return {
    send: (request, onSent) => dispatch(dispatcher, { ...request, origin: target.origin }, onSent),
    close: () => {
      const ended = dispatcher.destroy();
      lifetime.abort();
      return ended;
    },
  };
}

/** Makes what takes the place of a connection where a transport takes the requests. */
export function overTransport(transport: Transport): Connection {
  return {
    send: (request, onSent) => {
      onSent();
      return transport(request);
    },
    close: () => Promise.resolve(),
  };
}
