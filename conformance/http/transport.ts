import type { RawResponse } from './content.ts';

/** A request as it would go over a connection, without the framing fields `Host` and `Content-Length`. */
export interface TransportRequest {
  readonly method: string;
  /** The request target: the path below the origin, with the query. */
  readonly path: string;
  /** Names as they would be written. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** A whole response: its status, its header with names in lower case, and the bytes of its body as they would be sent. */
export type TransportResponse = RawResponse;

/**
 * Takes a request to a target that is no server on the network, such as one in the same process, and gives its response. An
 * error with a `code` of Node, such as ECONNRESET, counts as over the network, any other one as a response that cannot be read.
 * The time-out and the limits of the run hold.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
