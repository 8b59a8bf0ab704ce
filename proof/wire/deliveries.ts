import {
  head,
  plain,
  writeFragments,
  type Deliver,
  type HeadOptions,
  type WireAnswer,
  type WireOptions,
} from './wire-server.ts';

/** Sends an answer as other bytes, on a connection that is kept, or that ends with them. */
export function asBytes(toBytes: (answer: WireAnswer) => Buffer, how: 'write' | 'end' = 'write'): Deliver {
  return ({ answer, socket }) => void socket[how](toBytes(answer));
}

/** Sends the answer in one piece on a connection that is kept, with another header. */
export function withHeader(options: HeadOptions): Deliver {
  return asBytes((answer) => plain(answer, options));
}

/** Sends the answer with more header fields. */
export function withFields(fields: Readonly<Record<string, string>>): Deliver {
  return withHeader({ extra: Object.entries(fields) });
}

/** Changes the answer, then sends it in one piece on a connection that is kept. */
export function changed(change: (answer: WireAnswer) => Partial<WireAnswer>): Deliver {
  return asBytes((answer) => plain({ ...answer, ...change(answer) }));
}

/** Sends bytes before the answer, in a packet of their own. */
export function behind(bytes: string): Deliver {
  return ({ answer, socket }) => {
    socket.write(bytes);
    socket.write(plain(answer));
  };
}

export interface ChunkOptions {
  /** Bytes of each chunk. */
  readonly size: number;
  /** Field lines behind the last chunk, each with its line end. */
  readonly trailer?: string;
  /** What stands behind the size of each chunk, with its semicolon. */
  readonly extension?: string;
}

/** The bytes of an answer in chunks (RFC 9112, 7.1). */
export function chunked(answer: WireAnswer, options: ChunkOptions): Buffer {
  const { size, trailer = '', extension = '' } = options;
  const pieces = Array.from({ length: Math.ceil(answer.body.length / size) }, (_each, index) => {
    const piece = answer.body.subarray(index * size, (index + 1) * size);
    return Buffer.concat([Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n')]);
  });
  return Buffer.concat([
    head(answer, { extra: [['Transfer-Encoding', 'chunked']] }),
    ...pieces,
    Buffer.from(`0\r\n${trailer}\r\n`),
  ]);
}

/** Closes the connection behind the answer. */
export function closing(options: HeadOptions = {}): Deliver {
  return asBytes((answer) => plain(answer, options), 'end');
}

/** Closes a kept connection when no request came for some time. */
export function closingWhenIdle(ms: number, how: 'end' | 'resetAndDestroy'): Deliver {
  return ({ answer, socket }) => {
    socket.removeAllListeners('timeout').setTimeout(ms, () => socket[how]());
    socket.write(plain(answer));
  };
}

/** The coding of an answer's body where the request accepts it. */
export function coded(name: string, asked: string, encode: (body: Buffer) => Buffer): Deliver {
  return ({ request, answer, socket }) => {
    const accepted = (request.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
    const extra = Object.entries({ 'Content-Encoding': name, Vary: 'Accept-Encoding' });
    const encoded = (): Buffer => plain({ ...answer, body: encode(answer.body) }, { extra });
    socket.write(accepted.includes(asked) ? encoded() : plain(answer));
  };
}

/** Sends the start of an answer in fragments, with a turn of the event loop in between, and the rest in one piece. */
export function inFragments(size: number, start: number, toBytes: (answer: WireAnswer) => Buffer): Deliver {
  return async ({ answer, socket }) => {
    const bytes = toBytes(answer);
    await writeFragments(socket, bytes.subarray(0, start), size);
    socket.write(bytes.subarray(start));
  };
}

export type Instead = NonNullable<WireOptions['instead']>;

/**
 * Lets so many requests through, refuses the next one and those until the end of that second, and so on.
 *
 * @param refusal the bytes of a refusal, given when requests are let through again: a full second, in ms since the epoch
 */
export function rateLimit(quota: number, refusal: (opensAt: number) => Buffer): Instead {
  let left = quota;
  let opensAt: number | undefined;
  return (_request, socket) => {
    const now = Date.now();
    if (opensAt !== undefined && now >= opensAt) {
      left = quota;
      opensAt = undefined;
    }
    if (left > 0) {
      left -= 1;
      return false;
    }
    opensAt ??= Math.ceil(now / 1000) * 1000;
    socket.write(refusal(opensAt));
    return true;
  };
}

/** Refuses every n-th request. */
export function everyNth(n: number, refusal: Buffer): Instead {
  return (request, socket) => {
    if (request.number % n !== 0) return false;
    socket.write(refusal);
    return true;
  };
}
