import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiRequest, ApiResponse, Store } from '../../reference-server/rules.ts';
import {
  createService,
  rendered,
  toApiRequest,
  type Service,
  type ServiceOptions,
} from '../../reference-server/service.ts';
import { startRawServer, type RawRequest, type RawServer, type RawServerOptions } from './raw-server.ts';

type Fields = readonly (readonly [name: string, value: string])[];

/** A response of the service, before its framing. */
export interface WireAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: Fields;
  readonly body: Buffer;
}

/** One request and its response, on the way to the client in whatever form. */
interface Delivery {
  readonly request: RawRequest;
  readonly answer: WireAnswer;
  readonly socket: Socket;
}

/** Changes a response before it is sent; undefined closes the connection in its place. */
export type Change = (request: ApiRequest, answer: WireAnswer, store: Store) => WireAnswer | undefined;

/** Sends a response; the connection is kept or closed as it likes. */
export type Deliver = (delivery: Delivery) => Promise<void> | void;

export interface WireOptions extends Pick<RawServerOptions, 'oneAtATime' | 'host' | 'port'>, ServiceOptions {
  readonly deliver?: Deliver;
  readonly change?: Change;
  /** Responds in place of the service, which then does not see the request. Gives whether it did. */
  readonly instead?: (request: RawRequest, socket: Socket) => boolean;
}

async function handled({ handle, rules }: Service, request: ApiRequest): Promise<ApiResponse> {
  try {
    return await handle(request);
  } catch {
    return rules.refuse(500, 'The server failed.');
  }
}

/** What a service responds to a request; undefined if the connection is closed instead. */
export async function answerOf(
  service: Service,
  request: ApiRequest,
  change: Change = (_request, answer) => answer,
): Promise<WireAnswer | undefined> {
  const response = await handled(service, request);
  const { headers, content } = rendered(response, service.rules);
  const line = { status: response.status, reason: STATUS_CODES[response.status] ?? '' };
  const answer = { ...line, headers: Object.entries(headers), body: Buffer.from(content) };
  return change(request, answer, service.store);
}

/** Starts the reference service behind a server that hands its responses on in bytes of its own. */
export async function startWireServer(options: WireOptions = {}): Promise<RawServer & { readonly service: Service }> {
  const { deliver = asBytes(plain), change, instead, ...raw } = options;
  const service = createService(options);
  const server = await startRawServer({
    ...raw,
    onRequest: async (request, socket) => {
      if (instead?.(request, socket)) return;
      const { method, target, headers, body } = request;
      const answer = await answerOf(service, toApiRequest(method, target, headers, body), change);
      if (answer) await deliver({ request, answer, socket });
      else socket.destroy();
    },
  });
  return { ...server, service };
}

/** The status line and the header of a response, with the blank line behind. It has no framing field. */
export function head({ status, reason, headers }: WireAnswer, version = '1.1'): Buffer {
  const lines = [`HTTP/${version} ${status} ${reason}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function withMore(answer: WireAnswer, more: Fields): WireAnswer {
  return { ...answer, headers: [...answer.headers, ...more] };
}

/** The response in one piece, with a Content-Length where it may have one (RFC 9110, 8.6). */
export function plain(answer: WireAnswer, version?: string): Buffer {
  const length: Fields = answer.status === 204 ? [] : [['Content-Length', String(answer.body.length)]];
  return Buffer.concat([head(withMore(answer, length), version), answer.body]);
}

/** The bytes of a response with a Content-Length. */
export function message(status: number, headers: Readonly<Record<string, string>>, body: Buffer | string): Buffer {
  const reason = STATUS_CODES[status] ?? '';
  return plain({ status, reason, headers: Object.entries(headers), body: Buffer.from(body) });
}

/** The response in chunks (RFC 9112, 7.1), each with an extension, and with field lines behind the last one. */
export function chunked(answer: WireAnswer, size: number, extension = '', trailer = ''): Buffer {
  const pieces = Array.from({ length: Math.ceil(answer.body.length / size) }, (_each, index) => {
    const piece = answer.body.subarray(index * size, (index + 1) * size);
    return Buffer.concat([Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n')]);
  });
  const start = head(withMore(answer, [['Transfer-Encoding', 'chunked']]));
  return Buffer.concat([start, ...pieces, Buffer.from(`0\r\n${trailer}\r\n`)]);
}

/** Sends a response as these bytes, on a connection that is kept, or that ends with them. */
export function asBytes(toBytes: (answer: WireAnswer) => Buffer, how: 'write' | 'end' = 'write'): Deliver {
  return ({ answer, socket }) => void socket[how](toBytes(answer));
}

/** Changes the response, then sends it in one piece. */
export function changed(change: (answer: WireAnswer) => Partial<WireAnswer>): Deliver {
  return asBytes((answer) => plain({ ...answer, ...change(answer) }));
}

/** Sends the response with more header fields. */
export function withFields(...fields: Fields): Deliver {
  return asBytes((answer) => plain(withMore(answer, fields)));
}

/** Sends the body in a coding where the request accepts it (RFC 9110, 8.4). */
export function coded(name: string, asked: string, encode: (body: Buffer) => Buffer): Deliver {
  return ({ request, answer, socket }) => {
    const accepted = (request.headers['accept-encoding'] ?? '').split(/\s*,\s*/).includes(asked);
    const encoded = accepted
      ? withMore({ ...answer, body: encode(answer.body) }, [['Content-Encoding', name]])
      : answer;
    socket.write(plain(encoded));
  };
}
