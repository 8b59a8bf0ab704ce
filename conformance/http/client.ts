import { route as routeOf } from '../../contract/document.ts';
import { type Connection, overNetwork, overTransport } from './connections.ts';
import { CODINGS, contentOf } from './content.ts';
import type { Exchange, Request, Response } from '../facts/exchange.ts';
import { basePath } from '../inputs.ts';
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
  /** Lets large bodies be read anew, once nothing keeps those that were read. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** Sends a request, and gives it up after its time. @throws Lost if there is no readable response */
async function sendInTime(
  connection: Connection,
  request: TransportRequest,
  timeout: number,
  proxy: string | undefined,
): Promise<TransportResponse> {
  let isSent = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const within = `within ${timeout} ms`;
      reject(isSent ? new Lost('timeout', `no complete response ${within}`) : new Error(`no connection ${within}`));
    }, timeout);
  });
  try {
    return await Promise.race([connection.send(request, () => (isSent = true)), late]);
  } catch (error) {
    throw isUnsendable(error) ? error : toLost(error, isSent, proxy);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The connections to a target, each for one request at a time. A connection is kept for the next request if it got a response.
 *
 * @param open makes a connection, which opens with its first request
 */
function keepConnections(open: () => Connection, timeout: number, proxy: string | undefined) {
  const all = new Set<Connection>();
  /** The last one used comes first: a server that serves one connection at a time is at that one. */
  const idle: Connection[] = [];

  const end = async (connection: Connection): Promise<void> => {
    all.delete(connection);
    await connection.close();
  };

  const sendOver = async (connection: Connection, request: TransportRequest, isOwn: boolean) => {
    all.add(connection);
    try {
      const response = await sendInTime(connection, request, timeout, proxy);
      if (isOwn) await end(connection);
      else idle.unshift(connection);
      return response;
    } catch (error) {
      await end(connection);
      throw error;
    }
  };

  return {
    /** @param isOwn whether no other request may use its connection */
    send: async (request: TransportRequest, isOwn: boolean): Promise<TransportResponse> => {
      // A server that serves one connection at a time waits for the end of the one before.
      if (isOwn) await Promise.all(idle.splice(0).map(end));
      const kept = isOwn ? undefined : idle.shift();
      try {
        return await sendOver(kept ?? open(), request, isOwn);
      } catch (error) {
        const isClosed = error instanceof Lost && error.kind === 'closed';
        if (kept && isClosed) return await sendOver(open(), request, isOwn);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([...all].map(end));
    },
  };
}

/**
 * Opens a client. No connection is opened before the first request.
 *
 * @returns what sends the requests of a run, each below the base URL
 */
export function openClient({ baseUrl, timeout, route = {}, transport, startedAt }: ClientOptions): Client {
  const open = (): Connection => (transport ? overTransport(transport) : overNetwork(baseUrl, route));
  const connections = keepConnections(open, timeout, transport ? undefined : proxyFor(baseUrl, route));
  let room = ROOM;

  const responseTo = async ({ operation, path, body, ...request }: Request): Promise<Response> => {
    const headers = { 'Accept-Encoding': CODINGS, ...request.headers };
    const sent = { method: routeOf(operation).method, path: basePath(baseUrl) + path, headers, body };
    try {
      const response = await connections.send(sent, request.ownConnection ?? transport !== undefined);
      const content = contentOf(response);
      const { length } = content.text;
      if (length > SMALL_BODY && (room -= length) < 0)
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
    forget: () => {
      room = ROOM;
    },
    close: connections.close,
  };
}
