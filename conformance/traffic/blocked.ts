import { type Exchange, objectBody, transportErrorText } from '../http/exchange.ts';
import type { Blocked } from '../model/recording/recording.ts';
import { transportErrorReason } from '../model/reasons.ts';

/** What something in front of the API, a wrong address, a wrong key or a wrong id leads to. */
const MISTAKEN = [401, 403, 404, 405, 501, 502, 503, 504];
const REDIRECTS = [301, 302, 303, 307, 308];

/** What a refused first request with the admin key means for the operator. */
export function blockedBy(exchange: Exchange): Blocked {
  const { transportError, response } = exchange;
  if (transportError)
    return { reason: transportErrorReason(transportError.kind), detail: transportErrorText(transportError), exchange };
  // Why that may be, the hints say.
  const detail = `${exchange.request.purpose} got the response ${response?.status ?? 0}, so the rest of ${exchange.request.operation} was not judged`;
  return { reason: 'control-refused', detail, exchange };
}

/** Whether a response is a page for people, such as a login in front of the API; JSON that is declared as one is not. */
export function isPage(exchange: Exchange): boolean {
  const { response } = exchange;
  if (!response || objectBody(exchange)) return false;
  const isDeclared = /\bhtml\b/i.test(response.headers['content-type'] ?? '');
  return isDeclared || /^\s*<(!doctype html|html)\b/i.test(response.text.slice(0, 200));
}

/** Whether a response leads to another address; one that only adds a slash is of the router of the target itself. */
function leadsAway({ request, response }: Exchange): boolean {
  const location = response?.headers.location;
  return location !== undefined && REDIRECTS.includes(response?.status ?? 0) && !location.endsWith(`${request.path}/`);
}

/** Whether a refusal can be the operator's mistake (wrong key, id or base URL, a gate in front) rather than a defect of the target. */
export function mayBeOperatorsMistake(exchange: Exchange): boolean {
  const { status = 0 } = exchange.response ?? {};
  const isGate = (isPage(exchange) && status < 300) || leadsAway(exchange);
  return exchange.transportError !== undefined || isGate || MISTAKEN.includes(status);
}
