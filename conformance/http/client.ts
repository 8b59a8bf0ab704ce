import { route as routeOf } from '../../contract/document.ts';
import type { Inputs } from '../inputs.ts';
import { type Connection, overNetwork, overTransport } from './connections.ts';
import { makeContentReader } from './content.ts';
import type { Exchange, Request, Response } from './exchange.ts';
import { isClosed, isUnsendable, Lost, toLost } from './lost.ts';
import { proxyFor, type Route } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Requests under way at once: one over the first connection, and seven over others. */
const MOST_AT_ONCE = 8;

export interface ClientOptions {
  readonly inputs: Pick<Inputs, 'baseUrl'>;
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
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

/** Requests without a response, after which the others get less time; then three times as long as the slowest response took. */
const [FEW_TIMEOUTS, TIMES_SLOWEST, LEAST_TIME] = [3, 3, 1_000];

/** How long the client waits for a response: a target that hangs at some requests must not take the time of all others. */
class Patience {
  readonly #timeout: number;
  #timeouts = 0;
  #slowest = 0;

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** ms. */
  get ms(): number {
    if (this.#timeouts < FEW_TIMEOUTS) return this.#timeout;
    return Math.min(this.#timeout, Math.max(LEAST_TIME, TIMES_SLOWEST * this.#slowest));
  }

  noteTimeout(): void {
    this.#timeouts += 1;
  }

  /** @param ms that a response took */
  noteResponse(ms: number): void {
    this.#slowest = Math.max(this.#slowest, ms);
  }
}

/** A connection that is opened when it is needed, kept from one request to the next, and replaced if it was lost. */
class Lane {
  isBusy = false;
  readonly #open: () => Connection;
  readonly #patience: Patience;
  #connection: Connection | undefined;
  #hasServed = false;

  constructor(open: () => Connection, patience: Patience) {
    this.#open = open;
    this.#patience = patience;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const mayBeClosed = this.#hasServed;
    this.isBusy = true;
    try {
      return await this.#once(request).catch((error: unknown) => {
        if (!mayBeClosed || !isClosed(error)) throw error;
        return this.#once(request);
      });
    } finally {
      this.isBusy = false;
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#hasServed = false;
    await connection?.close();
  }

  async #once(request: TransportRequest): Promise<TransportResponse> {
    const connection = (this.#connection ??= this.#open());
    let [isSent, isLate] = [false, false];
    const [began, { ms }] = [performance.now(), this.#patience];
    const timer = setTimeout(() => {
      isLate = true;
      void this.close();
    }, ms);
    try {
      const response = await connection.send(request, () => (isSent = true));
      this.#hasServed = connection.isKept;
      this.#patience.noteResponse(performance.now() - began);
      return response;
    } catch (error) {
      await this.close();
      if (!isLate) throw error;
      this.#patience.noteTimeout();
      if (isSent) throw new Lost('timeout', `no complete response within ${Math.round(ms)} ms`);
      throw new Lost('unreachable', `no connection within ${Math.round(ms)} ms`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * The connections to a target. What is sent alone goes over the first one, since some servers serve one connection at a time and
 * keep it open. Others are used only for concurrent requests, and never again once one of those timed out.
 */
class Lanes {
  readonly #openLane: () => Lane;
  readonly #lanes: readonly Lane[];
  /** Those of requests that need one of their own. */
  readonly #own = new Set<Lane>();
  readonly #waiting: (() => void)[] = [];
  #atOnce = MOST_AT_ONCE;
  #underWay = 0;

  constructor(openLane: () => Lane) {
    this.#openLane = openLane;
    this.#lanes = Array.from({ length: MOST_AT_ONCE }, openLane);
  }

  /** @param onTurn called when the request is sent, which may be later than now */
  async send(request: TransportRequest, isOwn: boolean, onTurn: () => void): Promise<TransportResponse> {
    while (this.#underWay >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay += 1;
    const isBeside = this.#underWay > 1;
    onTurn();
    try {
      return await (isOwn ? this.#sendOverOwn(request) : this.#freeLane().send(request));
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
    await Promise.all([...this.#lanes, ...this.#own].map((lane) => lane.close()));
  }

  #freeLane(): Lane {
    return this.#lanes.find(({ isBusy }) => !isBusy) ?? this.#openLane();
  }

  async #sendOverOwn(request: TransportRequest): Promise<TransportResponse> {
    // A server that serves one connection at a time waits for the end of the one before.
    if (this.#underWay === 1) await this.#closeIdle(0);
    const lane = this.#openLane();
    this.#own.add(lane);
    return lane.send(request).finally(() => {
      this.#own.delete(lane);
      return lane.close();
    });
  }

  async #closeIdle(from: number): Promise<void> {
    const idle = this.#lanes.slice(from).filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((lane) => lane.close()));
  }
}

/** The path of an address without the slashes at its end. */
const pathOf = ({ pathname }: URL): string => pathname.replace(/(?<!\/)\/+$/, '');

/**
 * Opens a client. No connection is opened before the first request.
 *
 * @returns what sends the requests of a run, each below the base URL
 */
export function openClient({ inputs, timeout, route = {}, transport, startedAt }: ClientOptions): Client {
  const { baseUrl } = inputs;
  const open = transport ? overTransport(transport) : overNetwork(baseUrl, route);
  const patience = new Patience(timeout);
  const lanes = new Lanes(() => new Lane(open, patience));
  const proxy = transport ? undefined : proxyFor(baseUrl, route);
  const contentOf = makeContentReader();

  const receive = async (request: Request, onTurn: () => void): Promise<Response> => {
    const { operation, path, body, ownConnection = false } = request;
    const headers = { 'Accept-Encoding': 'gzip, deflate, br', ...request.headers };
    const sent = { method: routeOf(operation).method, path: pathOf(baseUrl) + path, headers, body };
    try {
      const response = await lanes.send(sent, ownConnection, onTurn);
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
    close: () => lanes.close(),
  };
}
