import { documentedStatuses, errorName, type OperationId } from '../../contract/document.ts';
import {
  ABSENT,
  type Exchange,
  isAccepted,
  isSafe,
  objectBody,
  sentBody,
  transportErrorText,
} from '../http/exchange.ts';
import type { Failure, Judgement } from './check.ts';
import type { Evidence } from './evidence.ts';
import { transportErrorReason } from './reasons.ts';
import type { Control, Probe } from './traffic.ts';

export function passed(exchanges: readonly Exchange[]): Extract<Judgement, { outcome: 'passed' }> {
  return { outcome: 'passed', exchanges };
}

export function failed(failure: Failure, ...exchanges: readonly Exchange[]): Extract<Judgement, { outcome: 'failed' }> {
  return { outcome: 'failed', failure, exchanges };
}

export function notApplicable(detail: string): Judgement {
  return { outcome: 'not-applicable', detail, exchanges: [] };
}

export function notObservable(detail: string, exchanges: readonly Exchange[] = []): Judgement {
  return { outcome: 'inconclusive', reason: 'not-observable', detail, exchanges };
}

export function preconditionFailed(detail: string, exchanges: readonly Exchange[] = []): Judgement {
  return { outcome: 'inconclusive', reason: 'precondition-failed', detail, exchanges };
}

/** The judgement if nothing of an operation's traffic can be judged: why it was given up, or that the run ended first. */
export function blockedOrUnsent({ blocked, stopped }: Evidence, operation: OperationId, detail: string): Judgement {
  const obstacle = blocked[operation];
  if (!obstacle) {
    return { outcome: 'inconclusive', reason: stopped ? 'deadline' : 'precondition-failed', detail, exchanges: [] };
  }
  const { reason, exchange } = obstacle;
  return { outcome: 'inconclusive', reason, detail: obstacle.detail, exchanges: exchange ? [exchange] : [] };
}

/** As `blockedOrUnsent`, for a check over several operations: the first one that was given up explains most. */
export function anyBlockedOrUnsent(evidence: Evidence, operations: readonly OperationId[], detail: string): Judgement {
  const [first] = operations;
  const operation = operations.find((each) => evidence.blocked[each]) ?? first;
  return operation === undefined ? notObservable(detail) : blockedOrUnsent(evidence, operation, detail);
}

/**
 * The judgement on requests of which one got no response; undefined if all got one. A closed connection is a defect of a target
 * that responds to other requests.
 */
export function judgeNoResponse(exchanges: readonly Exchange[], evidence: Evidence): Judgement | undefined {
  const exchange = exchanges.find(({ transportError }) => transportError);
  if (!exchange?.transportError) return undefined;
  const { kind } = exchange.transportError;
  const detail = transportErrorText(exchange.transportError);
  if (kind === 'closed' && evidence.exchanges.some(({ response }) => response)) {
    const message = `${exchange.request.purpose}: ${detail}.`;
    const failure = { mode: 'no-answer', expected: 'a response', actual: detail, message };
    return failed(failure, exchange);
  }
  return { outcome: 'inconclusive', reason: transportErrorReason(kind), detail, exchanges: [exchange] };
}

function membersSent({ request }: Exchange): string {
  return Object.keys(sentBody(request) ?? {})
    .sort()
    .join('+');
}

/** Whether the target accepted the same request without the defect in this run (the positive control of a negative check). */
export function controlAccepted({ exchanges }: Evidence, { operation, members }: Control): boolean {
  const wanted = [...members].sort().join('+');
  return exchanges.some((exchange) => {
    const { request } = exchange;
    if (!isAccepted(exchange) || request.credential.role !== 'admin' || request.operation !== operation) return false;
    const plain = request.meant.id === 'valid' && request.meant.body === 'valid';
    const onTheUser = request.subject === 'user' || request.subject === 'none';
    return plain && onTheUser && membersSent(exchange) === wanted;
  });
}

/** A response that a refused request may get; `anyBody` where it may come from a router instead of the operation. */
export interface Refusal {
  readonly status: number;
  readonly anyBody?: true;
}

function refusalText(refusals: readonly Refusal[]): string {
  return refusals
    .map(({ status, anyBody }) => (anyBody ? `${status}` : `${status} with the error ${errorName(status) ?? ''}`))
    .join(', or ');
}

/** What is wrong with the response to a request that may be accepted with 200 or refused with 400, if it is not accepted. */
export function eitherFailure(exchange: Exchange): Failure | undefined {
  const wrong = refusalFailure(exchange, [{ status: 400 }]);
  if (!wrong || wrong.mode === 'wrong-error-name') return wrong;
  const expected = '200 or 400';
  const message = `${exchange.request.purpose}: the response is ${exchange.response?.status ?? 0}, expected ${expected}.`;
  return { ...wrong, mode: 'wrong-status', expected, message };
}

/** What is wrong with the response to a request that must be refused; undefined if nothing is. */
export function refusalFailure(exchange: Exchange, refusals: readonly Refusal[]): Failure | undefined {
  const status = exchange.response?.status ?? 0;
  const expected = refusalText(refusals);
  const refusal = refusals.find((each) => each.status === status);
  if (!refusal) {
    const mode = isAccepted(exchange) ? 'accepted' : 'wrong-status';
    const message = `${exchange.request.purpose}: the response is ${status}, expected ${expected}.`;
    return { mode, expected, actual: status, message };
  }
  if (refusal.anyBody) return undefined;
  const name = objectBody(exchange)?.name;
  if (name === errorName(status)) return undefined;
  const got = name === undefined ? 'without an error name' : `with the error ${JSON.stringify(name)}`;
  const message = `${exchange.request.purpose}: the response is ${status} ${got}, expected ${errorName(status) ?? ''}.`;
  const actual = name === undefined ? ABSENT : name;
  return { mode: 'wrong-error-name', expected: errorName(status), actual, pointer: '/name', message };
}

export const REFUSAL_FAILURE_MODES = {
  accepted: 'A request that must be refused was accepted with a 2xx status. Refuse it, and change nothing.',
  'wrong-status': 'The request was refused, but not with the status in the contract. Respond with that status.',
  'wrong-error-name':
    'The status is right, but the `name` in the error body is not. Use the name that the contract gives to this status.',
  'no-answer':
    'The connection was closed without a response. Respond with the status and the error body of the contract.',
} as const;

/**
 * Judges requests that must be refused. An accepted one fails in any case; every other failure counts only if the same request
 * without the defect was accepted in this run.
 */
export function judgeRefusal(
  evidence: Evidence,
  probes: readonly Pick<Probe, 'id'>[],
  refusals: readonly Refusal[],
  controls: readonly [Control, ...Control[]],
): Judgement {
  const { operation } = controls[0];
  const existing = probes.filter(({ id }) => !evidence.notBuildable.has(id));
  if (existing.length === 0) return notApplicable('this request does not exist for these inputs');
  const exchanges = existing.flatMap(({ id }) => evidence.probes.get(id)?.exchanges ?? []);
  if (exchanges.length === 0) return blockedOrUnsent(evidence, operation, 'the run ended before the request was sent');
  const found = exchanges.flatMap((exchange) => {
    const failure = exchange.response && refusalFailure(exchange, refusals);
    return failure ? [{ failure, exchange }] : [];
  });
  const acceptedOne = found.find(({ failure }) => failure.mode === 'accepted');
  if (acceptedOne) return failed(acceptedOne.failure, acceptedOne.exchange);
  if (evidence.blocked[operation]) return blockedOrUnsent(evidence, operation, '');
  const unaccepted = controls.filter((control) => !controlAccepted(evidence, control));
  if (unaccepted.length > 0) {
    const what = unaccepted.map((control) => control.what).join(', or ');
    const detail = `the target did not accept ${what} with the admin key in this run, so a refusal proves nothing`;
    return { outcome: 'inconclusive', reason: 'control-refused', detail, exchanges };
  }
  const [first] = found;
  if (first) return failed(first.failure, first.exchange);
  return judgeNoResponse(exchanges, evidence) ?? passed(exchanges);
}

/** What a response shows by itself, whatever is stored. */
const SHOWN_BY_RESPONSE = new Set([
  'refused',
  'wrong-success-status',
  'redirected',
  'server-error',
  'no-answer',
  'wrong-status',
  'wrong-error-name',
  'other-id',
]);

/** An update without a response may be carried out at any time: from then on nothing can be concluded from what is stored. */
export function unlessWriteWasLost(evidence: Evidence, judgement: Judgement): Judgement {
  if (judgement.outcome !== 'failed' || SHOWN_BY_RESPONSE.has(judgement.failure.mode)) return judgement;
  const judgedUntil = Math.max(...judgement.exchanges.map(({ startedAt }) => startedAt));
  const lost = evidence.exchanges.find(
    ({ request, transportError, startedAt }) =>
      transportError !== undefined &&
      transportError.kind !== 'unreachable' &&
      !isSafe(request) &&
      request.credential.role === 'admin' &&
      startedAt <= judgedUntil,
  );
  if (!lost) return judgement;
  const detail = `${lost.request.purpose} got no response, so it is not known what is stored`;
  return { outcome: 'inconclusive', reason: 'target-unreachable', detail, exchanges: [lost] };
}

/** The responses of the run with a documented error status whose body the contract describes. */
export function documentedErrors({ exchanges }: Evidence): Exchange[] {
  return exchanges.filter(({ request, response }) => {
    const status = response?.status ?? 0;
    if (errorName(status) === undefined || !documentedStatuses(request.operation).includes(status)) return false;
    if (request.meant.id === 'unspecified' || request.meant.body === 'unspecified') return false;
    return !(request.meant.id === 'invalid' && status === 404);
  });
}

/** The 200 responses of an operation. */
export function successes({ exchanges }: Evidence, operation: OperationId): Exchange[] {
  return exchanges.filter(({ request, response }) => request.operation === operation && response?.status === 200);
}
