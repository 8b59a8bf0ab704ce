import type { Transport } from '../../conformance/http/transport.ts';
import { toApiRequest, type Service } from '../../reference-server/service.ts';
import { answerOf, hasLength, type WireAnswer, type WireOptions } from '../wire/wire-server.ts';

/** What is sent at the same time arrives at the same time, and takes time, as over a socket. */
const onTheWay = (): Promise<void> => new Promise(setImmediate);

/** A header as a server reads it: names in lower case, no blanks around the values (RFC 9110, 5.5). */
function received(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
}

/** A response as a client reads it. */
function sent(method: string, { status, headers, body }: WireAnswer): Awaited<ReturnType<Transport>> {
  const length = hasLength({ status }) ? { 'content-length': String(body.length) } : {};
  const bytes = method === 'HEAD' || status === 204 || status === 304 ? Buffer.alloc(0) : body;
  return { status, headers: { ...Object.fromEntries(headers), ...length }, bytes };
}

/** Takes requests to a service in this process, as a server does from its sockets. */
export function transportTo(
  service: Service,
  { change, toService = (target) => target }: Pick<WireOptions, 'change' | 'toService'>,
): Transport {
  return async ({ method, path, headers, body = '' }) => {
    await onTheWay();
    const request = toApiRequest(method, toService(path), received(headers), Buffer.from(body));
    const answer = await answerOf(service, request, change);
    await onTheWay();
    if (!answer) throw Object.assign(new Error('other side closed'), { code: 'ECONNRESET' });
    return sent(method, answer);
  };
}
