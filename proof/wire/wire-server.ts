import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { using } from '../../common/using.ts';
import type { ApiRequest, ApiResponse } from '../../reference-server/rules.ts';
import { createService, toApiRequest, type Service, type ServiceOptions } from '../../reference-server/service.ts';
import { startRawServer, type RawRequest, type RawServer, type RawServerOptions } from './raw-server.ts';

/** An answer of the service, before its framing. */
export interface WireAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** One request and its answer, on the way to the client in whatever form. */
export interface Delivery {
  readonly request: RawRequest;
  readonly answer: WireAnswer;
  readonly socket: Socket;
  /** What the service keeps. */
  readonly store: Service['store'];
}

/** Changes an answer before it is sent; undefined closes the connection in its place. */
export type Change = (
  delivery: Omit<Delivery, 'socket' | 'request'> & { readonly request: ApiRequest },
) => WireAnswer | undefined;

/** Sends an answer; the connection is kept or closed as it likes. */
export type Deliver = (delivery: Delivery) => Promise<void> | void;

export interface WireOptions extends Pick<RawServerOptions, 'oneAtATime' | 'host' | 'port'>, ServiceOptions {
  readonly deliver?: Deliver;
  readonly change?: Change | undefined;
  /** Changes the request target on the way to the service. */
  readonly toService?: ((target: string) => string) | undefined;
  /** Answers in place of the service, which then does not see the request. Gives whether it did. */
  readonly instead?: (request: RawRequest, socket: Socket) => Promise<boolean> | boolean;
}

export interface WireServer extends RawServer {
  readonly service: Service;
}

async function handled({ handle, rules }: Service, request: ApiRequest): Promise<ApiResponse> {
  try {
    return await handle(request);
  } catch {
    return rules.refuse(500, 'The server failed.');
  }
}

/** What a service answers to a request; undefined if the connection is closed instead. */
export async function answerOf(
  service: Service,
  request: ApiRequest,
  change: Change = ({ answer }) => answer,
): Promise<WireAnswer | undefined> {
  const { status, body, headers = {} } = await handled(service, request);
  const { content, contentType } = service.rules.serialize(body);
  const fields = { 'content-type': contentType, ...headers };
  const reason = STATUS_CODES[status] ?? '';
  const answer = { status, reason, headers: Object.entries(fields), body: Buffer.from(content) };
  return change({ request, answer, store: service.store });
}

export interface HeadOptions {
  readonly version?: '1.0' | '1.1';
  /** How the names are written. */
  readonly spell?: (name: string) => string;
  /** Added to those of the answer. */
  readonly extra?: readonly (readonly [name: string, value: string])[];
}

/** The status line and the header of an answer, with the blank line behind. It has no framing field. */
export function head({ status, reason, headers }: WireAnswer, options: HeadOptions = {}): Buffer {
  const { version = '1.1', spell = (name: string) => name, extra = [] } = options;
  const fields = [...headers.map(([name, value]) => [spell(name), value]), ...extra];
  const lines = [
    `HTTP/${version} ${status} ${reason}`,
    ...fields.map(([name = '', value = '']) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Whether a response has a Content-Length (RFC 9110, 8.6). */
export function hasLength({ status }: Pick<WireAnswer, 'status'>): boolean {
  return status !== 204;
}

/** The answer in one piece, with a Content-Length, on a connection that is kept. */
export function plain(answer: WireAnswer, options: HeadOptions = {}): Buffer {
  const length = hasLength(answer) ? [['Content-Length', String(answer.body.length)] as const] : [];
  const extra = [...length, ...(options.extra ?? [])];
  return Buffer.concat([head(answer, { ...options, extra }), answer.body]);
}

export const deliverPlain: Deliver = ({ answer, socket }) => {
  socket.write(plain(answer));
};

/** Writes bytes one after the other, with a turn of the event loop in between. */
export async function writeFragments(socket: Socket, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await new Promise(setImmediate);
  }
}

/**
 * Lets whatever is on its way within this process arrive: turns of its event loop pass, however long each of them takes. What
 * was sent at the same time has then come at the same time, on a busy machine too.
 */
export async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** @param ms how long each answer is held back */
export function after(ms: number, deliver: Deliver): Deliver {
  return async (delivery) => {
    await sleep(ms);
    await deliver(delivery);
  };
}

/** Starts the reference service behind a server that hands its answers on in bytes of its own. */
export async function startWireServer(options: WireOptions = {}): Promise<WireServer> {
  const { deliver = deliverPlain, change, toService = (target: string) => target, instead, ...raw } = options;
  const service = createService(options);
  const server = await startRawServer({
    ...raw,
    onRequest: async (request, socket) => {
      if (await instead?.(request, socket)) return;
      const { method, target, headers, body } = request;
      const answer = await answerOf(service, toApiRequest(method, toService(target), headers, body), change);
      if (answer) await deliver({ request, answer, socket, store: service.store });
      else socket.destroy();
    },
  });
  return { ...server, service };
}

/** Starts such a server, lets something be done with it, and ends it whatever happens. */
export function withWireServer<T>(options: WireOptions, use: (server: WireServer) => Promise<T>): Promise<T> {
  return using(startWireServer(options), use);
}
