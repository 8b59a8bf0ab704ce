import type { TransportError } from '../exchange.ts';
import { MAX_HEADER_BYTES } from '../policy/limits.ts';

/** A request that got no readable response. The message gives the detail. */
export class TransportFailure extends Error {
  readonly kind: TransportError;

  constructor(kind: TransportError, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** undici's message for a 100 (Continue) that the request did not ask for. */
const INTERIM_REFUSED = 'bad response';

/** undici's message for a response without a body, such as 204, that has a Content-Length. */
const LENGTH_REFUSED = 'Response body length does not match content-length header';

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
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/;
/** Limits of this machine, or of the process, with what to do about them. */
const OWN_LIMITS: readonly (readonly [form: RegExp, what: string])[] = [
  [/^(EMFILE|ENFILE)$/, 'this machine lets the suite open no more files (ulimit -n)'],
  [/^(ENOMEM|ENOBUFS)$|out of memory|cannot allocate/i, 'this machine gives the suite no more memory (ulimit -v)'],
];
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);

/** The code of an error of Node or undici; its name if it has no code. */
export function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

/** The message of an error; of an AggregateError without one, the messages of its errors. */
export function errorMessage(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: unknown[] };
  if (message) return message;
  return errors ? errors.map(errorMessage).join('; ') : String(error);
}

/** SETTINGS and GOAWAY (RFC 9113, 6). */
const FIRST_FRAMES = [4, 7];

/** The first frame of HTTP/2 without TLS (SETTINGS or GOAWAY), or TLS that offers no HTTP/1.1. */
function isHttp2(error: unknown, detail: string): boolean {
  const { data } = error as { data?: unknown };
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : undefined;
  return (bytes?.[0] === 0 && FIRST_FRAMES.includes(bytes[3] ?? -1)) || /no application protocol/i.test(detail);
}

/** Classifies an error of Node or undici; a TransportFailure stays as it is. */
export function toTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const code = errorCode(error);
  const detail = errorMessage(error);
  const own = OWN_LIMITS.find(([form]) => form.test(code) || form.test(detail));
  if (own) return new TransportFailure('unreachable', `${own[1]}: ${detail}`);
  if (isHttp2(error, detail))
    return new TransportFailure('unreachable', 'the target speaks HTTP/2 only; the suite speaks HTTP/1.1');
  if (/^Proxy response|HTTP Tunneling/.test(detail))
    return new TransportFailure('unreachable', `the proxy refused: ${detail}`);
  if (detail.includes('wrong version number'))
    return new TransportFailure('unreachable', 'the target does not speak TLS there; write http://');
  if (UNREACHABLE.has(code) || TLS.test(code)) return new TransportFailure('unreachable', detail);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return new TransportFailure('limit', `the header is larger than ${MAX_HEADER_BYTES} bytes`);
  if (CLOSED.has(code) && detail !== INTERIM_REFUSED) return new TransportFailure('closed', detail);
  return new TransportFailure(code.includes('TIMEOUT') ? 'timeout' : 'protocol', detail);
}

/** Whether undici gave up on a response that a client can read: after a 100 (Continue) that nobody asked for, or a 204 with a length. */
export function isReadableOtherwise({ message }: TransportFailure): boolean {
  return message === INTERIM_REFUSED || message === LENGTH_REFUSED;
}
