import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';

/** How long a request may take. An AbortController for each would take twice as long as its timer. */
export interface Lifetime {
  isOver: boolean;
  /** Ends the request; set by what sends it. */
  end: () => void;
}

/** The message of the error of a request that was ended. */
export const ENDED = 'the request was ended';

export interface PlainRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly maxHeaderSize: number;
  /** Options of a TLS connection. */
  readonly tls: { readonly ca?: string[]; readonly rejectUnauthorized?: false };
  readonly lifetime: Lifetime;
}

/**
 * Sends a request with node:http over its own connection and reads past interim responses, as a client must (RFC 9110, 15.2).
 * undici ends the connection on a 100 (Continue) that the request did not ask for, and on a 204 with a Content-Length.
 *
 * @throws Error from node:net or node:http if there is no response
 */
export function requestByNode(plain: PlainRequest): Promise<IncomingMessage> {
  const { origin, method, path, headers, body, maxHeaderSize, tls, lifetime } = plain;
  const { protocol, hostname, port } = new URL(origin);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body ?? '')) };
  const options: RequestOptions & PlainRequest['tls'] = {
    ...tls,
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method,
    path,
    headers: { ...headers, ...length },
    agent: false,
    maxHeaderSize,
  };
  return new Promise((resolve, reject) => {
    const request = send(options, resolve).on('error', reject).end(body);
    lifetime.end = () => request.destroy(new Error(ENDED));
    if (lifetime.isOver) lifetime.end();
  });
}
