import type { LostKind } from '../facts/exchange.ts';

/** Bytes of a body, as received and after content decoding. */
export const MAX_BODY = 2_097_152;

/** Thrown within this folder where there is no readable response. The message is the detail in words. */
export class Lost extends Error {
  readonly kind: LostKind;

  constructor(kind: LostKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

export const tooLarge = (): Lost => new Lost('limit', `the body is larger than ${MAX_BODY} bytes`);

const CLOSED = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);
const TOO_LARGE = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'ERR_BUFFER_TOO_LARGE']);

const INTERIM = 'the target sends 100 (Continue) without being asked to, which the suite cannot read past';

/** The code of an error of Node or undici; its name if it has no code. */
function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

/** The message of an error; of an AggregateError without one, the messages of its errors. */
function errorMessage(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: unknown[] };
  if (message) return message;
  return errors ? errors.map(errorMessage).join('; ') : String(error);
}

/** Whether the request itself cannot be sent, which is no fault of the target. */
export const isUnsendable = (error: unknown): boolean => errorCode(error) === 'UND_ERR_INVALID_ARG';

/** Who cannot be reached: the proxy, if an error names its host or port. */
function whoIn(message: string, proxy: string | undefined): string {
  if (proxy === undefined) return 'the target';
  const { host, hostname, port, protocol } = new URL(proxy);
  const isNamed = message.includes(hostname) || message.endsWith(`:${port || (protocol === 'https:' ? 443 : 80)}`);
  return isNamed ? `the proxy ${host}` : 'the target';
}

/** Why no connection came about. */
function unreachable(message: string, proxy: string | undefined): string {
  if (message.includes('no application protocol')) return 'the target speaks HTTP/2 only; the suite speaks HTTP/1.1';
  if (message.includes('wrong version number')) return 'the target does not speak TLS there; write http://';
  if (/^Proxy response|HTTP Tunneling/.test(message)) return `the proxy refused the request: ${message}`;
  return `${whoIn(message, proxy)} cannot be reached: ${message}`;
}

/**
 * What became of a request for which Node or undici threw an error.
 *
 * @param isSent whether there was a connection
 * @param proxy the proxy of the target's scheme: an error about its address is not one of the target
 */
export function toLost(error: unknown, isSent: boolean, proxy?: string): Lost {
  if (error instanceof Lost) return error;
  const [code, message] = [errorCode(error), errorMessage(error)];
  if (!isSent) return new Lost('unreachable', unreachable(message, proxy));
  if (TOO_LARGE.has(code)) return tooLarge();
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new Lost('limit', 'the header of the response is too large');
  // undici ends the connection on an interim response that the request did not ask for. A server may send it (RFC 9110, 15.2).
  if (message === 'bad response') return new Lost('limit', INTERIM);
  return CLOSED.has(code) && message !== 'bad upgrade'
    ? new Lost('closed', `the connection was closed before the whole response came: ${message}`)
    : new Lost('protocol', `the response cannot be read: ${message}`);
}
