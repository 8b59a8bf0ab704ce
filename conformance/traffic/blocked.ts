import { summaryOf } from '../../contract/document.ts';
import { type Exchange, transportErrorText } from '../http/exchange.ts';
import type { Blocked } from '../judging/evidence.ts';
import { transportErrorReason } from '../judging/reasons.ts';
import { pathId } from '../target/requests.ts';

const REFUSED_CREDENTIAL = [401, 403, 404];

function meaningOf(status: number, exchange: Exchange): string {
  switch (status) {
    case 401:
      return 'the admin key is not valid there; check CONFORMANCE_ADMIN_KEY';
    case 403:
      return 'the admin key lacks the permission; are the admin key and the restricted key exchanged?';
    case 404:
      return pathId(exchange.request) === undefined
        ? 'check the base URL: it stands for what comes before /api/admin'
        : 'check the user id, and the base URL (what comes before /api/admin)';
    default:
      return `a valid request was not accepted (${summaryOf(exchange.request.operation)})`;
  }
}

/** What a refused first request with the admin key means for the operator. */
export function blockedBy(exchange: Exchange): Blocked {
  const { transportError, response } = exchange;
  if (transportError)
    return { reason: transportErrorReason(transportError.kind), detail: transportErrorText(transportError), exchange };
  const status = response?.status ?? 0;
  const detail = `${exchange.request.purpose} got the response ${status}: ${meaningOf(status, exchange)}`;
  return { reason: 'control-refused', detail, exchange };
}

/** Whether a refusal can be the operator's mistake (wrong key, id or base URL) rather than a defect of the target. */
export function mayBeOperatorsMistake({ response, transportError }: Exchange): boolean {
  return transportError !== undefined || REFUSED_CREDENTIAL.includes(response?.status ?? 0);
}
