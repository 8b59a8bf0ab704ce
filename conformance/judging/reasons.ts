import type { TransportError } from '../http/exchange.ts';

/** Each reason why a check is inconclusive, in words. The list is closed. */
export const INCONCLUSIVE_REASONS = {
  'missing-input': 'the operator did not give an input',
  'not-observable': 'the target does not show what would decide it',
  'precondition-failed': 'something that must work first did not',
  'control-refused': 'the target also refused the same request without the defect',
  'target-unreachable': 'the target did not respond',
  'limit-exceeded': 'the response was larger than the limit, or unreadable',
  throttled: 'the target kept asking for a pause',
  disturbed: 'another run changed the same users',
  deadline: 'the run ended first',
} as const;

/** Why a check is inconclusive; `INCONCLUSIVE_REASONS` explains each reason. */
export type InconclusiveReason = keyof typeof INCONCLUSIVE_REASONS;

/** Why a check that rests on a request without a response is inconclusive. */
export const TRANSPORT_ERROR_REASONS: Readonly<Record<TransportError, InconclusiveReason>> = {
  unreachable: 'target-unreachable',
  closed: 'target-unreachable',
  timeout: 'target-unreachable',
  protocol: 'limit-exceeded',
  limit: 'limit-exceeded',
  throttled: 'throttled',
  aborted: 'deadline',
};
