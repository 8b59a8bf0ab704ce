/** A request as it would go over a connection, without the framing fields `Host` and `Content-Length`. */
export interface TransportRequest {
  /** The method, as it is written in the request line. */
  readonly method: string;
  /** The request target: the path below the origin, with the query. */
  readonly path: string;
  /** Names as they would be written. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content; a string is sent in UTF-8. */
  readonly body?: string | Buffer | undefined;
}

/** A whole response. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; repeated fields joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content, in its content coding. */
  readonly bytes: Buffer;
}

/**
 * Takes a request to a target that is no server on the network, such as one in the same process, and gives its response. An
 * error with a `code` of Node, such as ECONNRESET, counts as over the network, any other one as a response that cannot be read.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
