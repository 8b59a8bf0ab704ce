import { documentedStatuses, errorName, type OperationId } from '../../contract/document.ts';
import { rememberingEach } from '../../common/json.ts';
import { groupedBy } from '../../common/text.ts';
import {
  type Exchange,
  isAccepted,
  isSafe,
  membersSent,
  objectBody,
  type RequestSpec,
  sentBody,
  transportErrorText,
} from '../http/exchange.ts';
import type { Failure, Judgement } from './check.ts';
import type { Evidence } from './evidence.ts';
import { goingOn } from './goes-on.ts';
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

export function notObservable(
  detail: string,
  exchanges: readonly Exchange[] = [],
): Extract<Judgement, { outcome: 'inconclusive' }> {
  return { outcome: 'inconclusive', reason: 'not-observable', detail, exchanges };
}

export function preconditionFailed(
  detail: string,
  exchanges: readonly Exchange[] = [],
): Extract<Judgement, { outcome: 'inconclusive' }> {
  return { outcome: 'inconclusive', reason: 'precondition-failed', detail, exchanges };
}

/** A judgement, with ids of further checks: if it is inconclusive and one of them failed, that is why. */
export function explainedBy(judgement: Judgement, ...checks: readonly string[]): Judgement {
  if (judgement.outcome !== 'inconclusive') return judgement;
  return { ...judgement, restsOn: [...(judgement.restsOn ?? []), ...checks] };
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

/** Whether the target accepted the same request without the defect in this run (the positive control of a negative check). */
export function controlAccepted({ exchanges }: Evidence, { operation, members }: Control): boolean {
  const wanted = [...members].sort().join();
  return exchanges.some((exchange) => {
    const { request } = exchange;
    if (!isAccepted(exchange) || request.credential.role !== 'admin' || request.operation !== operation) return false;
    const plain = request.meant.id === 'valid' && request.meant.body === 'valid';
    const onTheUser = request.subject === 'user' || request.subject === 'none';
    return plain && onTheUser && membersSent(exchange) === wanted;
  });
}

/** Any status that blames the request (RFC 9110, 15.5). */
export const CLIENT_ERRORS: readonly number[] = Array.from({ length: 100 }, (_each, index) => 400 + index);

/** The error status that a request is due that the target refused. */
function statusDue({ credential, subject }: RequestSpec): number {
  if (credential.role !== 'admin') return credential.role === undefined ? 401 : 403;
  return subject === 'missing-user' ? 404 : 400;
}

function mostFrequent(statuses: readonly number[]): number | undefined {
  const [most] = groupedBy(statuses, String).sort(([, left], [, right]) => right.length - left.length);
  return most?.[1][0];
}

function mustBeAccepted({ credential, meant, subject }: RequestSpec): boolean {
  const isKeyRight = credential.role === 'admin' && credential.fieldName === undefined;
  return isKeyRight && meant.body === 'valid' && meant.id === 'valid' && subject !== 'missing-user';
}

/** The check of the control, if the target refused a valid request of the operation with the same status. */
function refusedAlike(
  { response }: Exchange,
  { operation, check }: Control,
  { exchanges }: Evidence,
): readonly string[] {
  const isAlike = ({ request, response: other }: Exchange): boolean =>
    request.operation === operation && other?.status === response?.status && mustBeAccepted(request);
  return exchanges.some(isAlike) ? [check] : [];
}

/** The usual status of the refusals of a run, if it is the same although the contract has several for them. */
const onlyRefusal = rememberingEach((exchanges: readonly Exchange[]): number | undefined => {
  const refused = exchanges.filter((exchange) => {
    const { meant, credential } = exchange.request;
    const isValid =
      meant.body === 'valid' && credential.role === 'admin' && exchange.request.subject !== 'missing-user';
    return exchange.response && meant.id === 'valid' && !isValid && !isAccepted(exchange);
  });
  const byDue = groupedBy(refused, ({ request }) => String(statusDue(request)));
  const usual = byDue.map(([, some]) => mostFrequent(some.map(({ response }) => response?.status ?? 0)));
  return byDue.length > 1 && new Set(usual).size === 1 ? usual[0] : undefined;
});

/** Names the deviation of a target that refuses with another status: each status has its own, unless all refusals have the same. */
function wrongStatus(due: number, actual: number, { exchanges }: Evidence): string {
  return onlyRefusal(exchanges) === actual ? `status.refusals-are-${actual}` : `status.${due}-is-${actual}`;
}

/** The wrong status of all valid requests of a run with the admin key, if there are several operations and no other status. */
const onlyResponse = rememberingEach((exchanges: readonly Exchange[]): number | undefined => {
  const valid = exchanges.filter(({ request, response }) => response && mustBeAccepted(request));
  const statuses = new Set(valid.map(({ response }) => response?.status));
  const operations = new Set(valid.map(({ request }) => request.operation));
  return statuses.size === 1 && operations.size > 1 ? [...statuses][0] : undefined;
});

/** Names the deviation of a target that responds to valid requests with a wrong status, if it does so everywhere. */
export function everywhere(status: number, { exchanges }: Evidence): string | undefined {
  return onlyResponse(exchanges) === status ? `status.200-is-${status}` : undefined;
}

/** What is wrong with the response to a request that may be accepted with 200 or refused with 400; undefined if nothing is. */
export function eitherFailure(exchange: Exchange, evidence: Evidence): Failure | undefined {
  const status = exchange.response?.status ?? 0;
  if (status === 400 || (status === 200 && isAccepted(exchange))) return undefined;
  const expected = '200 or 400';
  const message = `${exchange.request.purpose}: the response is ${status}, expected ${expected}.`;
  // A refusal with another status than 400 is the same deviation as where it is the only right status.
  const isRefusal = CLIENT_ERRORS.includes(status) || onlyRefusal(evidence.exchanges) === status;
  const deviation = isRefusal ? { deviation: wrongStatus(400, status, evidence) } : {};
  return { mode: 'wrong-status', expected, actual: status, message, ...deviation };
}

/**
 * What is wrong with the status of the response to a request that must be refused; undefined if nothing is. The error body is
 * judged by the checks of `errors.body` and `errors.name`, over all responses of the run.
 *
 * @param statuses those of a refusal; any of them is right
 */
export function refusalFailure(
  exchange: Exchange,
  statuses: readonly number[],
  evidence: Evidence,
): Failure | undefined {
  const status = exchange.response?.status ?? 0;
  if (statuses.includes(status)) return undefined;
  const [only] = statuses;
  const words = statuses === CLIENT_ERRORS ? '4xx' : statuses.join(' or ');
  const expected = statuses.length === 1 ? only : words;
  const mode = isAccepted(exchange) ? 'accepted' : 'wrong-status';
  const asError = status === 200 && mode === 'wrong-status' ? ' with an error as body' : '';
  const isGoingOn = mode === 'wrong-status' ? goingOn(only, evidence) : undefined;
  const why = isGoingOn ? ` Other ${expected} responses show that the target goes on after it refused.` : '';
  const message = `${exchange.request.purpose}: the response is ${status}${asError}, expected ${words}.${why}`;
  // A status that a target uses in place of another one is one deviation, whatever is refused.
  const isOther = mode === 'wrong-status' && only !== undefined;
  const deviation = isOther ? { deviation: isGoingOn ?? wrongStatus(only, status, evidence) } : {};
  return { mode, expected, actual: status, message, ...deviation };
}

export const REFUSAL_FAILURE_MODES = {
  accepted: 'A request that must be refused was accepted with a 2xx status. Refuse it, and change nothing.',
  'wrong-status': 'The request was refused, but not with the status in the contract. Respond with that status.',
  'no-answer':
    'The connection was closed without a response. Respond with the status and the error body of the contract.',
} as const;

function failedAll(
  failure: Failure,
  found: readonly { readonly exchange: Exchange }[],
): Extract<Judgement, { outcome: 'failed' }> {
  const [first, ...others] = found.map(({ exchange }) => exchange);
  return { ...failed(failure, ...(first ? [first] : [])), alsoShownBy: others };
}

/**
 * Judges requests that must be refused. An accepted one fails in any case; every other failure counts only if the same request
 * without the defect was accepted in this run.
 */
export function judgeRefusal(
  evidence: Evidence,
  probes: readonly (Pick<Probe, 'id'> & { readonly requirements?: readonly string[] })[],
  refusals: readonly number[],
  controls: readonly [Control, ...Control[]],
): Judgement {
  const { operation } = controls[0];
  const existing = probes.filter(({ id }) => !evidence.notBuildable.has(id));
  if (existing.length === 0 && !evidence.blocked[operation])
    return notApplicable('this request does not exist for these inputs');
  const sent = existing.flatMap(({ id, requirements }) =>
    (evidence.probes.get(id) ?? []).map((exchange) => ({ exchange, requirements })),
  );
  const exchanges = sent.map(({ exchange }) => exchange);
  if (exchanges.length === 0) return blockedOrUnsent(evidence, operation, 'the run ended before the request was sent');
  const found = sent.flatMap(({ exchange, requirements }) => {
    const failure = exchange.response && refusalFailure(exchange, refusals, evidence);
    return failure ? [{ failure: { ...failure, ...(requirements ? { requirements } : {}) }, exchange }] : [];
  });
  const accepted = found.filter(({ failure }) => failure.mode === 'accepted');
  const [acceptedOne] = accepted;
  if (acceptedOne) return failedAll(acceptedOne.failure, accepted);
  if (evidence.blocked[operation]) return blockedOrUnsent(evidence, operation, '');
  const unaccepted = controls.filter((control) => !controlAccepted(evidence, control));
  if (unaccepted.length > 0) {
    const what = unaccepted.map((control) => control.what).join(', or ');
    const detail = `the target did not accept ${what} with the admin key in this run, so a refusal proves nothing`;
    return {
      outcome: 'inconclusive',
      reason: 'control-refused',
      detail,
      exchanges,
      restsOn: unaccepted.map(({ check }) => check),
    };
  }
  const [first] = found;
  // What is refused like a valid request says nothing of its defect.
  if (first)
    return { ...failedAll(first.failure, found), restsOn: refusedAlike(first.exchange, controls[0], evidence) };
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
  'damaged',
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

/**
 * The responses of the run with a documented error status whose body the contract describes. Where an operation gets 404 only,
 * the router responded, and it may know nothing of the contract.
 */
export function documentedErrors({ exchanges }: Evidence): readonly Exchange[] {
  return errorsAmong(exchanges);
}

const errorsAmong = rememberingEach((exchanges: readonly Exchange[]): readonly Exchange[] => {
  const responded = exchanges.filter(({ response }) => response);
  const found = new Set(
    responded.filter(({ response }) => response?.status !== 404).map(({ request }) => request.operation),
  );
  return responded.filter(({ request, response }) => {
    const status = response?.status ?? 0;
    if (errorName(status) === undefined || !documentedStatuses(request.operation).includes(status)) return false;
    if (!found.has(request.operation)) return false;
    const isJson = request.headers['Content-Type'] === 'application/json';
    if (request.meant.id === 'unspecified' || (request.meant.body === 'unspecified' && !isJson)) return false;
    return !(request.meant.id === 'invalid' && status === 404);
  });
});

/**
 * The responses to bodies that are not UTF-8 and were not refused, and those that show what they left in a user: the check of these
 * bodies says what is wrong with them.
 */
const ofInvalidBytes = rememberingEach((exchanges: readonly Exchange[]): ReadonlySet<Exchange> => {
  const found = new Set<Exchange>();
  const left = new Set<string>();
  for (const exchange of exchanges.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const { request, response } = exchange;
    const isRefused = CLIENT_ERRORS.includes(response?.status ?? 0);
    if (request.charset !== undefined && !isRefused) left.add(request.subject);
    else if (isAccepted(exchange) && Object.keys(sentBody(request) ?? {}).length > 0) left.delete(request.subject);
    if (left.has(request.subject)) found.add(exchange);
  }
  return found;
});

/** The 200 responses of an operation to requests that it must not refuse: what others get is judged by whether they are refused. */
export function successes({ exchanges }: Evidence, operation: OperationId): readonly Exchange[] {
  return successesAmong(exchanges).get(operation) ?? [];
}

/** By operation. */
const successesAmong = rememberingEach((exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> => {
  const found = exchanges.filter((exchange) => {
    const { request, response } = exchange;
    const { credential, meant, subject } = request;
    const mustBeRefused = meant.id !== 'valid' || meant.body === 'invalid' || subject === 'missing-user';
    const mayBeRefused = credential.role !== 'admin' || meant.body !== 'valid';
    if (response?.status !== 200 || credential.role === undefined || mustBeRefused) return false;
    if (ofInvalidBytes(exchanges).has(exchange)) return false;
    return isAccepted(exchange) || !mayBeRefused;
  });
  return new Map(groupedBy(found, ({ request }) => request.operation));
});

/** The first exchange of each body; large bodies that are the same are one object. */
export function distinctBodies(exchanges: readonly Exchange[]): Exchange[] {
  const seen = new Set<unknown>();
  return exchanges.filter((exchange) => {
    const body = objectBody(exchange);
    const isNew = body === undefined || !seen.has(body);
    seen.add(body);
    return isNew;
  });
}
