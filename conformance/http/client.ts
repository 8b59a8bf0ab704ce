import { route as routeOf } from '../../contract/document.ts';
import { type Connection, overNetwork, overTransport } from './connections.ts';
import { CODINGS, contentOf } from './content.ts';
import type { Exchange, Request, Response } from './exchange.ts';
import { isUnsendable, Lost, toLost } from './lost.ts';
import { proxyFor, type Route } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface ClientOptions {
  readonly baseUrl: URL;
  /** ms from sending a request to the last byte of its response. */
  readonly timeout: number;
  /** By default directly over the network. */
  readonly route?: Route | undefined;
  /** Takes the requests in place of connections. */
  readonly transport?: Transport | undefined;
  /** When the run started, by `performance.now()`. */
  readonly startedAt: number;
}

/** Characters of a body that counts as small, and of all others of a run: V8 may keep what they take until late. */
const [SMALL_BODY, ROOM] = [524_288, 50_331_648];

/** Sends requests to one target. It follows no redirect and keeps no cookie. */
export interface Client {
  /**
   * Sends a request and reads its response, within the time limit. It never rejects for what a target does, only for a request
   * that cannot be sent: without a readable response, the status is 0 and `lost` says why. A request is sent again only if a
   * kept connection was closed (RFC 9112, 9.3.1).
   */
  readonly send: (request: Request) => Promise<Exchange>;
  readonly close: () => Promise<void>;
}

/**
 * Requests without a response, after which the others get three times as long as the slowest response took: a target that hangs at
 * some requests must not take the time of all others.
 */
const FEW_TIMEOUTS = 3;
const [TIMES_SLOWEST, LEAST_TIME] = [3, 1_000];

/** The connections to a target, each for one request at a time. A connection is kept for the next request if it got a response. */
class Connections {
  readonly #open: () => Connection;
  readonly #timeout: number;
  readonly #proxy: string | undefined;
  readonly #all = new Set<Connection>();
  /** The last one used comes first: a server that serves one connection at a time is at that one. */
  readonly #idle: Connection[] = [];
  #timeouts = 0;
  /** ms that the slowest response took. */
  #slowest = 0;

  constructor(open: () => Connection, timeout: number, proxy: string | undefined) {
    this.#open = open;
    this.#timeout = timeout;
    this.#proxy = proxy;
  }

  /** @param isOwn whether no other request may use its connection */
  async send(request: TransportRequest, isOwn: boolean): Promise<TransportResponse> {
    // A server that serves one connection at a time waits for the end of the one before.
    if (isOwn) await Promise.all(this.#idle.splice(0).map((each) => this.#end(each)));
    const kept = isOwn ? undefined : this.#idle.shift();
    try {
      return await this.#sendOver(kept ?? this.#opened(), request, isOwn);
    } catch (error) {
      if (kept && error instanceof Lost && error.kind === 'closed')
        return await this.#sendOver(this.#opened(), request, isOwn);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((each) => this.#end(each)));
  }

  #opened(): Connection {
    const opened = this.#open();
    this.#all.add(opened);
    return opened;
  }

  async #end(connection: Connection): Promise<void> {
    this.#all.delete(connection);
    await connection.close();
  }

  async #sendOver(connection: Connection, request: TransportRequest, isOwn: boolean): Promise<TransportResponse> {
    let isKept = false;
    try {
      const response = await this.#sendInTime(connection, request);
      isKept = !isOwn;
      return response;
    } finally {
      if (isKept) this.#idle.unshift(connection);
      else await this.#end(connection);
    }
  }

  async #sendInTime(connection: Connection, request: TransportRequest): Promise<TransportResponse> {
    const [began, ms] = [performance.now(), this.#patience];
    let [isSent, timer]: [boolean, NodeJS.Timeout | undefined] = [false, undefined];
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#timeouts += 1;
        const [kind, what] = isSent
          ? (['timeout', 'complete response'] as const)
          : (['unreachable', 'connection'] as const);
        reject(new Lost(kind, `no ${what} within ${Math.round(ms)} ms`));
      }, ms);
    });
    try {
      const response = await Promise.race([connection.send(request, () => (isSent = true)), late]);
      this.#slowest = Math.max(this.#slowest, performance.now() - began);
      return response;
    } catch (error) {
      throw isUnsendable(error) ? error : toLost(error, isSent, this.#proxy);
    } finally {
      clearTimeout(timer);
    }
  }

  /** ms for the next request. */
  get #patience(): number {
    if (this.#timeouts < FEW_TIMEOUTS) return this.#timeout;
    return Math.min(this.#timeout, Math.max(LEAST_TIME, TIMES_SLOWEST * this.#slowest));
  }
}

/** The path of an address without the slashes at its end. */
const pathOf = ({ pathname }: URL): string => pathname.replace(/(?<!\/)\/+$/, '');

/**
 * Opens a client. No connection is opened before the first request.
 *
 * @returns what sends the requests of a run, each below the base URL
 */
export function openClient({ baseUrl, timeout, route = {}, transport, startedAt }: ClientOptions): Client {
  const open = (): Connection => (transport ? overTransport(transport) : overNetwork(baseUrl, route));
  const connections = new Connections(open, timeout, transport ? undefined : proxyFor(baseUrl, route));
  let room = ROOM;

  const responseTo = async ({ operation, path, body, ...request }: Request): Promise<Response> => {
    const headers = { 'Accept-Encoding': CODINGS, ...request.headers };
    const sent = { method: routeOf(operation).method, path: pathOf(baseUrl) + path, headers, body };
    try {
      const response = await connections.send(sent, request.ownConnection ?? transport !== undefined);
      const content = contentOf(response);
      const { length } = content.text;
      if (length > SMALL_BODY) room -= length;
      if (length > SMALL_BODY && room < 0)
        throw new Lost('limit', `the large bodies of this run have more than ${ROOM} characters`);
      return { status: response.status, headers: response.headers, ...content };
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      return { status: 0, headers: {}, text: '', json: undefined, lost: { kind: error.kind, detail: error.message } };
    }
  };

  return {
    send: async (request) => {
      const began = performance.now();
      const response = await responseTo(request);
      return { request, response, startedMs: began - startedAt, durationMs: performance.now() - began };
    },
    close: () => connections.close(),
  };
}
