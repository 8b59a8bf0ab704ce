import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Dispatcher } from 'undici';
import { isRefusedInterim, Lost } from './lost.ts';
import { connectionTo, MAX_HEADER_BYTES, proxyFor, type Route, tlsOf } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Bytes of a body, as received and after content decoding. */
export const MAX_BODY = 8_388_608;

export const tooLarge = (): Lost => new Lost('limit', `the body is larger than ${MAX_BODY} bytes`);

/** One way to a target, by which one request at a time is sent. */
export interface Connection {
  /**
   * Sends a request and reads its whole response. It rejects with `Lost`, or with an error of Node or undici.
   *
   * @param lifetime ends the request
   * @param onSent called when the request can be on its way, which it cannot before there is a connection
   */
  readonly send: (request: TransportRequest, lifetime: AbortSignal, onSent: () => void) => Promise<TransportResponse>;
  /** Whether the target may close it between two requests. */
  readonly isKept: boolean;
  /** Ends it, and whatever is under way. */
  readonly close: () => Promise<void>;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function flatten(headers: Headers): Record<string, string> {
  const joined = (value: string | string[] = ''): string => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, joined(value)]));
}

/** Takes the pieces of a body into one buffer that grows: a list would take a hundred bytes for a piece of one byte. */
function bodyReader() {
  let buffer = Buffer.alloc(0);
  let size = 0;
  return {
    take: (piece: Buffer): void => {
      const needed = size + piece.length;
      if (needed > MAX_BODY) throw tooLarge();
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * buffer.length, MAX_BODY)));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      piece.copy(buffer, size);
      size = needed;
    },
    whole: (): Buffer => buffer.subarray(0, size),
  };
}

/** Statuses whose responses have no content, whatever their Content-Length says (RFC 9112, 6.3); undici takes that amiss. */
const WITHOUT_CONTENT = [204, 304];

/** Sends a request with undici. Not with its `request`, which makes a stream of each response. */
function sendOver(
  connection: Dispatcher,
  origin: string,
  { method, path, headers, body }: TransportRequest,
  lifetime: AbortSignal,
  onSent: () => void,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const content = bodyReader();
    let [status, fields]: [number, Headers] = [0, {}];
    const received = (): void => resolve({ status, headers: flatten(fields), bytes: content.whole() });
    lifetime.addEventListener('abort', () => reject(lifetime.reason as Error));
    connection.dispatch(
      { origin, path, method: method as Dispatcher.HttpMethod, headers, body: body ?? null },
      {
        onRequestStart: (controller) => {
          onSent();
          const abort = (): void => controller.abort(lifetime.reason as Error);
          lifetime.addEventListener('abort', abort);
          if (lifetime.aborted) abort();
        },
        onResponseStart: (_controller, code, received) => {
          // The final response comes after an interim one.
          if (code >= 200) [status, fields] = [code, received];
        },
        onResponseData: (controller, piece) => {
          try {
            content.take(piece);
          } catch (error) {
            controller.abort(error as Error);
          }
        },
        onResponseEnd: received,
        onResponseError: (_controller, error) => {
          if (WITHOUT_CONTENT.includes(status)) received();
          else reject(error);
        },
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
  { method, path, headers, body }: TransportRequest,
  lifetime: AbortSignal,
): Promise<TransportResponse> {
  const request = (protocol === 'https:' ? requestHttps : requestHttp)({
    ...tlsOf(route),
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method,
    path,
    headers: { ...headers, ...(method !== 'GET' && { 'Content-Length': Buffer.byteLength(body ?? '') }) },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: lifetime,
  });
  const content = bodyReader();
  return new Promise((resolve, reject) => {
    request.on('error', (error) => reject(lifetime.aborted ? (lifetime.reason as Error) : error));
    request.on('response', (response) => {
      response.on('error', reject);
      response.on('data', (piece: Buffer) => {
        try {
          content.take(piece);
        } catch (error) {
          request.destroy(error as Error);
          reject(error as Error);
        }
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: flatten(response.headersDistinct),
          bytes: content.whole(),
        }),
      );
    });
    request.end(body);
  });
}

/** Makes connections over the network. None is opened before its first request. */
export function overNetwork(target: URL, route: Route): () => Connection {
  const isDirect = proxyFor(target, route) === undefined;
  return () => {
    const connection = connectionTo(target, route);
    return {
      isKept: true,
      send: (request, lifetime, onSent) =>
        sendOver(connection, target.origin, request, lifetime, onSent).catch((error: unknown) => {
          if (!isDirect || !isRefusedInterim(error)) throw error;
          return sendWithNode(target, route, request, lifetime);
        }),
      close: () => connection.destroy(),
    };
  };
}

/** Makes what takes the place of connections where a transport takes the requests. */
export function overTransport(transport: Transport): () => Connection {
  const send: Connection['send'] = async (request, lifetime, onSent) => {
    const ended = new Promise<never>((_resolve, reject) => {
      lifetime.addEventListener('abort', () => reject(lifetime.reason as Error));
    });
    onSent();
    const response = await Promise.race([transport(request), ended]);
    if (response.bytes.length > MAX_BODY) throw tooLarge();
    return response;
  };
  return () => ({ isKept: false, send, close: () => Promise.resolve() });
}
