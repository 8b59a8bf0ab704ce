import { route as routeOf } from '../../contract/document.ts';
import { type Connection, overNetwork, overTransport } from './connections.ts';
import { makeContentReader } from './content.ts';
import type { Exchange, Request, Response } from './exchange.ts';
import { isClosed, isUnsendable, Lost, toLost } from './lost.ts';
import { proxyFor, type Route } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Requests under way at once: one over the first connection, and seven over others. */
const MOST_AT_ONCE = 8;

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

/** A connection that is kept from one request to the next. */
interface Kept {
  readonly connection: Connection;
  isBusy: boolean;
  hasServed: boolean;
}

/**
 * The connections to a target, each for one request at a time; one that was lost is opened anew. What is sent alone goes over the
 * first one, since some servers serve one connection at a time and keep it open. Others are used only for concurrent
 * requests, and never again once one of those timed out.
 */
class Connections {
  readonly #open: () => Connection;
  readonly #timeout: number;
  /** In the order in which they were opened. */
  readonly #kept: Kept[] = [];
  readonly #waiting: (() => void)[] = [];
  #atOnce = MOST_AT_ONCE;
  #underWay = 0;
  #timeouts = 0;
  /** ms that the slowest response took. */
  #slowest = 0;

  constructor(open: () => Connection, timeout: number) {
    this.#open = open;
    this.#timeout = timeout;
  }

  /** ms for the next request. */
  get #patience(): number {
    if (this.#timeouts < FEW_TIMEOUTS) return this.#timeout;
    return Math.min(this.#timeout, Math.max(LEAST_TIME, TIMES_SLOWEST * this.#slowest));
  }

  /**
   * @param isOwn whether no other request may use its connection
   * @param onTurn called when the request is sent, which may be later than now
   */
  async send(request: TransportRequest, isOwn: boolean, onTurn: () => void): Promise<TransportResponse> {
    while (this.#underWay >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay += 1;
    const isBeside = this.#underWay > 1;
    try {
      // A server that serves one connection at a time waits for the end of the one before.
      if (isOwn && !isBeside) await this.#closeIdle(0);
      onTurn();
      const free = isOwn ? undefined : this.#kept.find(({ isBusy }) => !isBusy);
      return await this.#sendOver(free ?? this.#opened(), request, isOwn);
    } catch (error) {
      if (isBeside && error instanceof Lost && error.kind === 'timeout') this.#atOnce = 1;
      throw error;
    } finally {
      if (this.#atOnce === 1) await this.#closeIdle(1);
      this.#underWay -= 1;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept].map((each) => this.#end(each)));
  }

  #opened(): Kept {
    const opened = { connection: this.#open(), isBusy: false, hasServed: false };
    this.#kept.push(opened);
    return opened;
  }

  async #sendOver(kept: Kept, request: TransportRequest, isOwn: boolean): Promise<TransportResponse> {
    const mayBeClosed = kept.hasServed;
    kept.isBusy = true;
    try {
      const response = await this.#sendInTime(kept.connection, request);
      kept.hasServed = true;
      if (isOwn) await this.#end(kept);
      return response;
    } catch (error) {
      await this.#end(kept);
      if (mayBeClosed && isClosed(error)) return await this.#sendOver(this.#opened(), request, isOwn);
      throw error;
    } finally {
      kept.isBusy = false;
    }
  }

  async #sendInTime(connection: Connection, request: TransportRequest): Promise<TransportResponse> {
    let [isSent, isLate] = [false, false];
    const [began, ms] = [performance.now(), this.#patience];
    const timer = setTimeout(() => {
      isLate = true;
      void connection.close();
    }, ms);
    try {
      const response = await connection.send(request, () => (isSent = true));
      this.#slowest = Math.max(this.#slowest, performance.now() - began);
      return response;
    } catch (error) {
      if (!isLate) throw error;
      this.#timeouts += 1;
      if (isSent) throw new Lost('timeout', `no complete response within ${Math.round(ms)} ms`);
      throw new Lost('unreachable', `no connection within ${Math.round(ms)} ms`);
    } finally {
      clearTimeout(timer);
    }
  }

  async #closeIdle(from: number): Promise<void> {
    const idle = this.#kept.slice(from).filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((each) => this.#end(each)));
  }

  async #end(kept: Kept): Promise<void> {
    const at = this.#kept.indexOf(kept);
    if (at !== -1) this.#kept.splice(at, 1);
    await kept.connection.close();
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
  const open = transport ? overTransport(transport) : overNetwork(baseUrl, route);
  const connections = new Connections(open, timeout);
  const proxy = transport ? undefined : proxyFor(baseUrl, route);
  const contentOf = makeContentReader();

  const receive = async (request: Request, onTurn: () => void): Promise<Response> => {
    const { operation, path, body, ownConnection = false } = request;
    const headers = { 'Accept-Encoding': 'gzip, deflate, br', ...request.headers };
    const sent = { method: routeOf(operation).method, path: pathOf(baseUrl) + path, headers, body };
    try {
      const response = await connections.send(sent, ownConnection || transport !== undefined, onTurn);
      return { status: response.status, headers: response.headers, ...contentOf(response) };
    } catch (error) {
      if (isUnsendable(error)) throw error;
      const { kind, message } = toLost(error, proxy);
      return { status: 0, headers: {}, text: '', json: undefined, lost: { kind, detail: message } };
    }
  };

  return {
    send: async (request) => {
      let began = performance.now();
      const response = await receive(request, () => (began = performance.now()));
      return { request, response, startedMs: began - startedAt, durationMs: performance.now() - began };
    },
    close: () => connections.close(),
  };
}
