import { randomUUID } from 'node:crypto';
import type { Transport } from '../conformance/http/transport.ts';
import type { ApiResponse } from '../reference-server/rules.ts';
import { toApiRequest, type Service } from '../reference-server/service.ts';

const withoutBody = (method: string, status: number): boolean => method === 'HEAD' || status === 204 || status === 304;

/** What is sent at the same time arrives at the same time, and takes time, as over a socket. */
const onTheWay = (): Promise<void> => new Promise(setImmediate);

/** A header as a server reads it: names in lower case, no blanks around the values (RFC 9110, 5.5). */
function received(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
}

/**
 * Takes requests to a service in this process, as the reference server does from its sockets.
 *
 * @param toService changes the request target on the way to the service
 */
export function transportTo({ handle, rules }: Service, toService = (target: string) => target): Transport {
  const responseTo = async (request: Parameters<Service['handle']>[0]): Promise<ApiResponse> => {
    try {
      return await handle(request);
    } catch {
      return rules.refuse(500, 'The server failed.');
    }
  };
  return async ({ method, path, headers, body = '' }) => {
    await onTheWay();
    const request = toApiRequest(method, toService(path), received(headers), Buffer.from(body));
    const { status, body: value, headers: own = {} } = await responseTo(request);
    const { content, contentType } = rules.serialize(value);
    await onTheWay();
    const bytes = withoutBody(method, status) ? Buffer.alloc(0) : Buffer.from(content);
    const length = String(Buffer.byteLength(content));
    return { status, headers: { 'content-type': contentType, 'content-length': length, ...own }, bytes };
  };
}

/** An address that no other server has: runs on one address wait for each other. */
export function ownAddress(): string {
  return `http://${randomUUID()}.localhost`;
}
