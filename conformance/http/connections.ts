import { once, setMaxListeners } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Dispatcher } from 'undici';
import { isRefusedInterim, Lost } from './lost.ts';
import { connectionTo, MAX_HEADER_BYTES, proxyFor, type Route, tlsOf } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Bytes of a body, as received and after content decoding. */
export const MAX_BODY = 8_388_608;

export const tooLarge = (): Lost => new Lost('limit', `the body is larger than ${MAX_BODY} bytes`);

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

function joined(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value = '']) => [name, [value].flat().join(', ')]));
}

/** Takes the pieces of a body into one buffer that grows: a list would take a hundred bytes for a piece of one byte. */
function bodyReader() {
  let [buffer, size]: [Buffer, number] = [Buffer.alloc(0), 0];
  const take = (piece: Buffer): void => {
    const needed = size + piece.length;
    if (needed > MAX_BODY) throw tooLarge();
    if (needed > buffer.length) buffer = Buffer.concat([buffer], Math.max(needed, 2 * buffer.length));
    piece.copy(buffer, size);
    size = needed;
  };
  return { take, whole: (): Buffer => buffer.subarray(0, size) };
}

/** Statuses whose responses have no content, whatever their Content-Length says (RFC 9112, 6.3); undici rejects such a length. */
const WITHOUT_CONTENT = [204, 304];

/** Sends a request with undici. Not with its `request`, which makes a stream of each response. */
function sendOver(
  connection: Dispatcher,
  { method, body, ...rest }: TransportRequest & { readonly origin: string },
  onSent: () => void,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const content = bodyReader();
    let [status, fields]: [number, Fields] = [0, {}];
    const end = (): void => resolve({ status, headers: joined(fields), bytes: content.whole() });
    connection.dispatch(
      { ...rest, method: method, body: body ?? null },
      {
        onRequestStart: onSent,
        // The final response comes after interim ones.
        onResponseStart: (_controller, code, received) => {
          [status, fields] = [code, received];
        },
        onResponseData: (controller, piece) => {
          try {
            content.take(piece);
          } catch (error) {
            controller.abort(error as Error);
          }
        },
        onResponseEnd: end,
        onResponseError: (_controller, error) => (WITHOUT_CONTENT.includes(status) ? end() : reject(error)),
      },
    );
  });
}

/**
 * Sends a request with node:http over a connection of its own, and so reads past a 100 (Continue), as a client must (RFC 9110,
 * 15.2): undici ends the connection on one that the request did not ask for.
 */
async function sendWithNode(
  { protocol, hostname, port }: URL,
  route: Route,
  { method, path, headers, body = '' }: TransportRequest,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const request = (protocol === 'https:' ? requestHttps : requestHttp)({
    ...tlsOf(route),
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method,
    path,
    headers: { ...headers, ...(method !== 'GET' && { 'Content-Length': Buffer.byteLength(body) }) },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const content = bodyReader();
  for await (const piece of response as AsyncIterable<Buffer>) content.take(piece);
  return { status: response.statusCode ?? 0, headers: joined(response.headersDistinct), bytes: content.whole() };
}

/** Makes connections over the network. None is opened before its first request. */
export function overNetwork(target: URL, route: Route): () => Connection {
  const isDirect = proxyFor(target, route) === undefined;
  return () => {
    const lifetime = new AbortController();
    // Each socket listens to it: one for each request to a target that closes its connections.
    setMaxListeners(0, lifetime.signal);
    const connection = connectionTo(target, route, lifetime.signal);
    return {
      send: (request, onSent) =>
        sendOver(connection, { ...request, origin: target.origin }, onSent).catch((error: unknown) => {
          if (!isDirect || !isRefusedInterim(error)) throw error;
          return sendWithNode(target, route, request, lifetime.signal);
        }),
      close: () => {
        const ended = connection.destroy();
        lifetime.abort();
        return ended;
      },
    };
  };
}

/** Makes what takes the place of connections where a transport takes the requests. */
export function overTransport(transport: Transport): () => Connection {
  return () => {
    let end = (): void => undefined;
    return {
      send: async (request, onSent) => {
        onSent();
        const response = await new Promise<TransportResponse>((resolve, reject) => {
          end = () => reject(new Error('the request was ended'));
          transport(request).then(resolve, reject);
        });
        if (response.bytes.length > MAX_BODY) throw tooLarge();
        return response;
      },
      close: () => {
        end();
        return Promise.resolve();
      },
    };
  };
}
