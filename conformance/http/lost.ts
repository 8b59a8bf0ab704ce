import type { LostKind } from './exchange.ts';

/** Thrown within this folder where there is no readable response. The message is the detail in words. */
export class Lost extends Error {
  readonly kind: LostKind;

  constructor(kind: LostKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** undici's message for a 100 (Continue) that the request did not ask for. */
const INTERIM_REFUSED = 'bad response';
/** And for a 101 (Switching Protocols). */
const UPGRADE_REFUSED = 'bad upgrade';

const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/;
const HEADER_TOO_LARGE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** Limits of this machine, or of the process, with what to do about them. */
const OWN_LIMITS: readonly (readonly [form: RegExp, what: string])[] = [
  [/^(EMFILE|ENFILE)$/, 'this machine lets the suite open no more files (ulimit -n)'],
  [/^(ENOMEM|ENOBUFS)$|out of memory|cannot allocate/i, 'this machine gives the suite no more memory (ulimit -v)'],
];

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

/** Whether the request itself cannot be sent, which is no fault of the target. */
export const isUnsendable = (error: unknown): boolean => errorCode(error) === 'UND_ERR_INVALID_ARG';

/** Whether undici gave up on a 100 (Continue), after which the final response would have come (RFC 9110, 15.2). */
export const isRefusedInterim = (error: unknown): boolean => errorMessage(error) === INTERIM_REFUSED;

/** Whether the other side closed the connection. */
export function isClosed(error: unknown): boolean {
  return CLOSED.has(errorCode(error)) && ![INTERIM_REFUSED, UPGRADE_REFUSED].includes(errorMessage(error));
}

/** SETTINGS and GOAWAY (RFC 9113, 6): one of them is the first frame of HTTP/2. */
const FIRST_FRAMES = [4, 7];
/** An alert or a handshake message (RFC 8446, 5.1). */
const TLS_RECORDS = [0x15, 0x16];

/** What the target speaks in place of HTTP/1.1, by the bytes that could not be read; undefined if that cannot be told. */
function otherProtocol(error: unknown): string | undefined {
  const { data } = error as { data?: unknown };
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : undefined;
  const [first, second, , type = -1] = bytes ?? [];
  if (first === 0 && FIRST_FRAMES.includes(type)) return HTTP2_ONLY;
  return TLS_RECORDS.includes(first ?? -1) && second === 3 ? 'the target speaks TLS there; write https://' : undefined;
}

const HTTP2_ONLY = 'the target speaks HTTP/2 only; the suite speaks HTTP/1.1';

/** Who cannot be reached: the proxy, if an error names its host or port. */
function whoIn(message: string, proxy = ''): string {
  if (proxy === '') return 'the target';
  const { host, hostname, port, protocol } = new URL(proxy);
  const isNamed = message.includes(hostname) || message.endsWith(`:${port || (protocol === 'https:' ? 443 : 80)}`);
  return isNamed ? `the proxy ${host}` : 'the target';
}

/** Why no connection came about, whatever the server is like; undefined if one did. */
function unreachable(error: unknown, proxy?: string): string | undefined {
  const [code, message] = [errorCode(error), errorMessage(error)];
  const own = OWN_LIMITS.find(([form]) => form.test(code) || form.test(message));
  if (own) return `${own[1]}: ${message}`;
  if (message.includes('no application protocol')) return HTTP2_ONLY;
  if (message.includes('wrong version number')) return 'the target does not speak TLS there; write http://';
  if (/^Proxy response|HTTP Tunneling/.test(message)) return `the proxy refused the request: ${message}`;
  if (UNREACHABLE.has(code) || TLS.test(code)) return `${whoIn(message, proxy)} cannot be reached: ${message}`;
  return otherProtocol(error);
}

/**
 * What became of a request for which Node or undici threw an error.
 *
 * @param proxy the proxy of the target's scheme: an error about its address is not one of the target
 */
export function toLost(error: unknown, proxy?: string): Lost {
  if (error instanceof Lost) return error;
  const why = unreachable(error, proxy);
  if (why !== undefined) return new Lost('unreachable', why);
  if (HEADER_TOO_LARGE.has(errorCode(error))) return new Lost('limit', 'the header of the response is too large');
  const detail = errorMessage(error);
  return isClosed(error)
    ? new Lost('closed', `the connection was closed before the whole response came: ${detail}`)
    : new Lost('protocol', `the response cannot be read: ${detail}`);
}
