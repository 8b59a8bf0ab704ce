import { Agent, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReferenceServer, type ReferenceServer } from '../../reference-server/server.ts';
import type { Seed } from '../../reference-server/seed.ts';
import { startRawServer, type RawRequest, type RawServer, type RawServerOptions } from './raw-server.ts';

/** What the reference server answered. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** One request and its conforming answer, on the way to the client in whatever form. */
export interface Delivery {
  readonly request: RawRequest;
  readonly answer: Answer;
  readonly socket: Socket;
}

/** Sends an answer; the connection is kept or closed as it likes. */
export type Deliver = (delivery: Delivery) => Promise<void> | void;

export interface ProxyOptions extends Pick<RawServerOptions, 'oneAtATime'> {
  readonly deliver?: Deliver;
  /** Changes the request target on the way to the reference server. */
  readonly toUpstream?: (target: string) => string;
  /** Answers in place of the reference server, which then does not see the request. Gives whether it did. */
  readonly instead?: (request: RawRequest, socket: Socket) => Promise<boolean> | boolean;
  readonly seed?: Seed;
}

export interface Proxy extends RawServer {
  readonly reference: ReferenceServer;
}

const FRAMING = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);

function forward(baseUrl: string, agent: Agent, request: RawRequest, target: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'connection'));
    const sent = httpRequest({ agent, hostname, port, method: request.method, path: target, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          reason: response.statusMessage ?? '',
          headers: Object.entries(response.headers).flatMap(([name, value]) =>
            FRAMING.has(name) ? [] : [[name, String(value)] as const],
          ),
          body: Buffer.concat(chunks),
        });
      });
    });
    sent.on('error', reject);
    sent.end(request.body);
  });
}

export interface HeadOptions {
  readonly version?: '1.0' | '1.1';
  /** How the names are written. */
  readonly spell?: (name: string) => string;
  /** Added to those of the answer. */
  readonly extra?: readonly (readonly [name: string, value: string])[];
}

/** The status line and the header of an answer, with the blank line behind. It has no framing field. */
export function head({ status, reason, headers }: Answer, options: HeadOptions = {}): Buffer {
  const { version = '1.1', spell = (name: string) => name, extra = [] } = options;
  const fields = [...headers.map(([name, value]) => [spell(name), value]), ...extra];
  const lines = [
    `HTTP/${version} ${status} ${reason}`,
    ...fields.map(([name = '', value = '']) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

export function contentLength({ body }: Answer): readonly [string, string] {
  return ['Content-Length', String(body.length)];
}

/** The answer in one piece, with a Content-Length, on a connection that is kept. */
export function plain(answer: Answer, options: HeadOptions = {}): Buffer {
  return Buffer.concat([
    head(answer, { ...options, extra: [contentLength(answer), ...(options.extra ?? [])] }),
    answer.body,
  ]);
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

export function after(ms: number, deliver: Deliver): Deliver {
  return async (delivery) => {
    await sleep(ms);
    await deliver(delivery);
  };
}

/** Starts a reference server and a server in front of it that hands its answers on in another form. */
export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const { deliver = deliverPlain, toUpstream = (target: string) => target, instead, oneAtATime, seed } = options;
  const reference = await createReferenceServer(seed ? { seed } : {});
  const agent = new Agent({ keepAlive: true });
  const server = await startRawServer({
    ...(oneAtATime === undefined ? {} : { oneAtATime }),
    onRequest: async (request, socket) => {
      if (await instead?.(request, socket)) return;
      const answer = await forward(reference.url, agent, request, toUpstream(request.target));
      await deliver({ request, answer, socket });
    },
  });
  const close = async (): Promise<void> => {
    await server.close();
    agent.destroy();
    await reference.close();
  };
  return { ...server, reference, close };
}

/** Starts a proxy, lets something be done with it, and ends it whatever happens. */
export async function withProxy<T>(options: ProxyOptions, use: (proxy: Proxy) => Promise<T>): Promise<T> {
  const proxy = await startProxy(options);
  try {
    return await use(proxy);
  } finally {
    await proxy.close();
  }
}
