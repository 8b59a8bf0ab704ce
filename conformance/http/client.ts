import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { Client as Connection, Pool } from 'undici';
import { requestPastInterim, type PlainRequest } from './interim-responses.ts';
import type { Exchange, Json, RequestSpec, ResponseRecord, TransportError } from './exchange.ts';

/** Bounds of the HTTP client. Times in ms, sizes in bytes. */
export interface Limits {
  /** From sending a request to the last byte of its answer. */
  readonly timeout: number;
  /** The whole run; what is not answered by then was inconclusive. */
  readonly deadline: number;
  /** A body, as received and after content decoding. */
  readonly maxBody: number;
  /** Requests under way at once. */
  readonly concurrency: number;
}

/** The limits of a run that sets none: 10 s for a request, 300 s for the run, 8 MiB for a body, 8 requests at once. */
export const DEFAULT_LIMITS: Limits = { timeout: 10_000, deadline: 300_000, maxBody: 8_388_608, concurrency: 8 };

const MAX_HEADER_BYTES = 65_536;
const MAX_PAUSES = 10;
const DEFAULT_PAUSE = 1_000;
const SHORTEST_PAUSE = 50;
/** ms. A request that is under way when the run is stopped may still be answered: only then it is known what it did. */
const GRACE = 2_000;
const TRANSPORT_ABORTED = 'the run was stopped';

export interface ClientOptions {
  /** What `{base_url}` stands for; may have a path. */
  readonly baseUrl: URL;
  readonly limits: Limits;
  /** Ends every request, waiting ones too. */
  readonly signal: AbortSignal;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Sends requests within bounds and records them. Follows no redirect, keeps no cookie, never throws for what a target does. */
export interface HttpClient {
  readonly send: (request: RequestSpec) => Promise<Exchange>;
  /** Every exchange so far, in the order of completion. */
  readonly exchanges: readonly Exchange[];
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

class TransportFailure extends Error {
  readonly kind: TransportError;

  constructor(kind: TransportError, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** What undici says when a 100 (Continue) comes that was not asked for. */
const INTERIM_REFUSED = 'bad response';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);

function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

function describe(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: unknown[] };
  if (message) return message;
  return errors ? errors.map(describe).join('; ') : String(error);
}

function toTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const code = errorCode(error);
  const detail = describe(error);
  if (detail.includes('wrong version number'))
    return new TransportFailure('unreachable', 'the target does not speak TLS there; write http://');
  if (UNREACHABLE.has(code) || /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) {
    return new TransportFailure('unreachable', detail);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return new TransportFailure('limit', `the header is larger than ${MAX_HEADER_BYTES} bytes`);
  if (CLOSED.has(code) && detail !== INTERIM_REFUSED) return new TransportFailure('closed', detail);
  if (code.includes('TIMEOUT')) return new TransportFailure('timeout', detail);
  return new TransportFailure('protocol', detail);
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function inflateEither(bytes: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw error;
    return inflateRawSync(bytes, { maxOutputLength });
  }
}

function decodeOne(coding: string, bytes: Buffer, maxOutputLength: number): Buffer {
  switch (coding) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, { maxOutputLength });
    case 'br':
      return brotliDecompressSync(bytes, { maxOutputLength });
    case 'deflate':
      return inflateEither(bytes, maxOutputLength);
    default:
      throw new TransportFailure('protocol', `the content coding "${coding}" was not asked for`);
  }
}

function decodeContent(coding: string | undefined, bytes: Buffer, maxBody: number): Buffer {
  if (bytes.length === 0) return bytes;
  const codings = (coding ?? '').split(',').map((each) => each.trim().toLowerCase());
  try {
    return codings.reduceRight((rest, each) => decodeOne(each, rest, maxBody), bytes);
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE')
      throw new TransportFailure('limit', `the body is larger than ${maxBody} bytes`);
    throw new TransportFailure('protocol', `the body is not ${coding ?? ''}: ${describe(error)}`);
  }
}

const DEEPEST_NESTING = 200;

/** Whether a JSON text nests arrays and objects deeper than anything here can handle by recursion. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') {
      depth += 1;
      if (depth > DEEPEST_NESTING) return true;
    } else if (char === ']' || char === '}') depth -= 1;
  }
  return false;
}

/**
 * The JSON value of a body: UTF-8 (a byte order mark is passed over) and one JSON text.
 *
 * @throws Fault if it is nested too deep to be read, which JSON allows
 */
export function parseJson(bytes: Uint8Array): Json {
  if (bytes.length === 0) return { ok: false, reason: 'the body is empty' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isTooDeep(text))
      throw new TransportFailure('limit', `the body is nested deeper than ${DEEPEST_NESTING} levels`);
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    return { ok: false, reason: error instanceof SyntaxError ? 'the body is not JSON' : 'the body is not UTF-8' };
  }
}

function toRecord({ status, headers, bytes }: RawAnswer, maxBody: number): ResponseRecord {
  const content = decodeContent(headers['content-encoding'], bytes, maxBody);
  return { status, headers, text: content.toString('utf8'), json: parseJson(content) };
}

/**
 * How long a Retry-After field asks to wait (RFC 9110, 10.2.3).
 *
 * @param value seconds or an HTTP date; undefined or unreadable gives one second
 * @param now ms since the epoch
 * @returns ms
 */
export function retryAfter(value: string | undefined, now: number): number {
  const text = value?.trim() ?? '';
  const pause = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(pause) ? DEFAULT_PAUSE : Math.max(pause, SHORTEST_PAUSE);
}

function asksForPause({ status, headers }: RawAnswer): boolean {
  return status === 429 || (status === 503 && headers['retry-after'] !== undefined);
}

/** Lets at most `limit` tasks run at once; the limit can be lowered on the way. */
function makeGate(initial: number) {
  let limit = initial;
  let running = 0;
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    while (running < limit && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return {
    narrow: () => {
      limit = 1;
    },
    running: () => running,
    enter: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      }),
    leave: () => {
      running -= 1;
      admit();
    },
  };
}

/** Makes an HTTP client for one target. It opens no connection before the first request. */
export function makeClient({ baseUrl, limits, signal, onExchange }: ClientOptions): HttpClient {
  const origin = baseUrl.origin;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const started = performance.now();
  const exchanges: Exchange[] = [];
  const connectionOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: limits.timeout },
  };
  const openPool = (connections: number): Pool =>
    new Pool(origin, { ...connectionOptions, connections, pipelining: 1 });
  let pool = openPool(limits.concurrency);
  let serialized = limits.concurrency === 1;
  let pausedUntil = 0;
  let contended = false;
  let closing: Promise<unknown> = Promise.resolve();
  const gate = makeGate(limits.concurrency);

  /** One request at a time from now on, over one connection: for targets that take no more side by side. */
  const serialize = async (): Promise<void> => {
    if (!serialized) {
      serialized = true;
      gate.narrow();
      const old = pool;
      pool = openPool(1);
      closing = old.close().catch(() => undefined);
    }
    gate.leave();
    await closing;
    await gate.enter();
  };

  const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > limits.maxBody) throw new TransportFailure('limit', `the body is larger than ${limits.maxBody} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };

  type Dispatch = (
    options: Omit<PlainRequest, 'origin' | 'maxHeaderSize'>,
  ) => Promise<{ status: number; headers: Record<string, string>; body: AsyncIterable<Buffer> }>;

  const by =
    (connection: Pool | Connection): Dispatch =>
    async ({ method, body, ...rest }) => {
      const answer = await connection.request({ ...rest, method: method, body: body ?? null });
      const headers = flatten(answer.headers);
      return { status: answer.statusCode, headers, body: answer.body as AsyncIterable<Buffer> };
    };

  const pastInterim: Dispatch = async (options) => {
    const answer = await requestPastInterim({ ...options, origin, maxHeaderSize: MAX_HEADER_BYTES });
    return { status: answer.statusCode ?? 0, headers: flatten(answer.headers), body: answer as AsyncIterable<Buffer> };
  };

  const attempt = async (request: RequestSpec, dispatch: Dispatch): Promise<RawAnswer> => {
    const { credential, headers, method, path, body } = request;
    const timer = new AbortController();
    const timeout = setTimeout(() => {
      timer.abort();
    }, limits.timeout);
    let grace: NodeJS.Timeout | undefined;
    const stop = (): void => {
      grace = setTimeout(() => {
        timer.abort();
      }, GRACE);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const answer = await dispatch({
        method,
        path: prefix + path + (credential.query === undefined ? '' : `?${credential.query}`),
        headers: {
          ...headers,
          ...credential.otherHeaders,
          ...(credential.header === undefined ? {} : { [credential.fieldName ?? 'Authorization']: credential.header }),
        },
        body,
        signal: timer.signal,
      });
      return { status: answer.status, headers: answer.headers, bytes: await readAll(answer.body) };
    } catch (error) {
      if (signal.aborted) throw new TransportFailure('aborted', TRANSPORT_ABORTED);
      if (timer.signal.aborted) throw new TransportFailure('timeout', `no complete answer within ${limits.timeout} ms`);
      throw toTransportFailure(error);
    } finally {
      clearTimeout(timeout);
      clearTimeout(grace);
      signal.removeEventListener('abort', stop);
    }
  };

  /** Over a fresh connection: a kept-alive one may have been closed by the target at the moment of sending. */
  const attemptFresh = async (request: RequestSpec): Promise<RawAnswer> => {
    if (serialized) {
      await pool.destroy();
      await sleep(SHORTEST_PAUSE);
      pool = openPool(1);
      return attempt(request, by(pool));
    }
    const connection = new Connection(origin, { ...connectionOptions, pipelining: 0 });
    try {
      return await attempt(request, by(connection));
    } finally {
      await connection.destroy();
    }
  };

  /** Sends once more, alone, what went wrong side by side: a target may lawfully serve few connections. */
  const attemptTwice = async (request: RequestSpec): Promise<RawAnswer> => {
    const concurrent = !serialized;
    contended ||= gate.running() > 1;
    const mayBeContention = (): boolean => concurrent && contended;
    try {
      const answer = await attempt(request, by(pool));
      if (answer.status !== 503 || asksForPause(answer) || !mayBeContention()) return answer;
    } catch (error) {
      const { kind, message } = error as TransportFailure;
      if (message === INTERIM_REFUSED) return attempt(request, pastInterim);
      if (kind === 'closed') {
        const fresh = await attemptFresh(request).catch((again: unknown) => again as TransportFailure);
        if (!(fresh instanceof TransportFailure)) return fresh;
        if (fresh.kind !== 'closed' || !mayBeContention()) throw fresh;
      } else if (kind !== 'timeout' || !mayBeContention()) throw error;
    }
    await serialize();
    await sleep(SHORTEST_PAUSE);
    return attemptFresh(request);
  };

  const waitForPause = async (): Promise<void> => {
    const rest = pausedUntil - performance.now();
    if (rest <= 0) return;
    if (performance.now() - started + rest > limits.deadline) {
      throw new TransportFailure(
        'throttled',
        `the target asked for a pause of ${Math.ceil(rest / 1000)} s, beyond the deadline`,
      );
    }
    await sleep(rest, undefined, { signal }).catch(() => {
      throw new TransportFailure('aborted', TRANSPORT_ABORTED);
    });
  };

  const send = async (request: RequestSpec): Promise<Exchange> => {
    const queuedAt = performance.now();
    await gate.enter();
    const startedAt = performance.now();
    let pauses = 0;
    let alone = serialized;
    const outcome = async (): Promise<Pick<Exchange, 'response' | 'transportError'>> => {
      try {
        for (;;) {
          if (signal.aborted) throw new TransportFailure('aborted', TRANSPORT_ABORTED);
          await waitForPause();
          const answer = await attemptTwice(request);
          if (!asksForPause(answer)) return { response: toRecord(answer, limits.maxBody) };
          pauses += 1;
          if (pauses >= MAX_PAUSES)
            throw new TransportFailure('throttled', `${answer.status} was answered ${pauses} times in a row`);
          pausedUntil = performance.now() + retryAfter(answer.headers['retry-after'], Date.now());
          if (!alone) await serialize();
          alone = true;
        }
      } catch (error) {
        const { kind, message } = toTransportFailure(error);
        return { transportError: { kind, detail: message } };
      }
    };
    const result = await outcome();
    gate.leave();
    const exchange: Exchange = {
      request,
      queuedAt: queuedAt - started,
      startedAt: startedAt - started,
      duration: performance.now() - startedAt,
      pauses,
      ...result,
    };
    exchanges.push(exchange);
    onExchange?.(exchange);
    return exchange;
  };

  return { send, exchanges, close: () => pool.destroy() };
}
