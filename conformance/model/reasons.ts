import type { TransportError } from '../http/exchange.ts';

/** Why a check is inconclusive. The list is closed; `INCONCLUSIVE_REASONS` explains each reason. */
export type InconclusiveReason =
  | 'missing-input'
  | 'not-observable'
  | 'precondition-failed'
  | 'control-refused'
  | 'target-unreachable'
  | 'limit-exceeded'
  | 'throttled'
  | 'disturbed'
  | 'deadline';

/** Each reason in words. */
export const INCONCLUSIVE_REASONS: Readonly<Record<InconclusiveReason, string>> = {
  'missing-input': 'the operator did not give an input',
  'not-observable': 'the target does not show what would decide it',
  'precondition-failed': 'something that must work first did not',
  'control-refused': 'the target also refused the same request without the defect',
  'target-unreachable': 'the target did not respond',
  'limit-exceeded': 'the response was larger than the limit, or unreadable',
  throttled: 'the target kept asking for a pause',
  disturbed: 'another run changed the same users, or the target was away for a while',
  deadline: 'the run ended first',
};

const REASON_OF_TRANSPORT_ERROR: Readonly<Record<TransportError, InconclusiveReason>> = {
  unreachable: 'target-unreachable',
  closed: 'target-unreachable',
  timeout: 'target-unreachable',
  protocol: 'limit-exceeded',
  limit: 'limit-exceeded',
  throttled: 'throttled',
  aborted: 'deadline',
};

/** Why a check that rests on a request without a response is inconclusive. */
export function transportErrorReason(kind: TransportError): InconclusiveReason {
  return REASON_OF_TRANSPORT_ERROR[kind];
}
