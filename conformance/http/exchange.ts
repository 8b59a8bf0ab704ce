import type { OperationId } from '../../contract/document.ts';
import { isRecord } from '../../common/json.ts';

/** Whom an update addresses: one of the users that the operator named, or an id that is not an integer. */
export type Subject = 'user' | 'other-user' | 'missing-user' | 'no-user';

/** How a request carries a key: `label` is safe to print, `shell` stands for the header's value in a curl line. */
export interface Credential {
  readonly label: string;
  readonly shell?: string;
  /** The value of the `Authorization` header; undefined sends no such header. It is never printed. */
  readonly header?: string;
  /** Another spelling of the header's name. */
  readonly fieldName?: string;
  /** A query (without `?`) that carries the key instead; `shell` then stands for the query. */
  readonly query?: string;
  /** Header fields other than `Authorization` that carry the key instead. */
  readonly otherHeaders?: Readonly<Record<string, string>>;
  /** Whose valid key it is; undefined for a request without a valid key. */
  readonly role?: 'admin' | 'restricted';
}

/** What a part of a request is meant to be; verified before it is sent. `open`: the contract is silent about it. */
export type Meant = 'valid' | 'invalid' | 'open';

/** A request, ready to be sent. */
export interface RequestSpec {
  readonly operation: OperationId;
  readonly method: string;
  /** Below the base URL, percent-encoded as it is to be sent. */
  readonly path: string;
  readonly subject: Subject;
  readonly credential: Credential;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly meant: { readonly body: Meant; readonly id: Meant };
  /** What it is for, in a few words for a person. */
  readonly purpose: string;
}

/** A body read as JSON, or why it could not be. */
export type Json = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

export interface ResponseRecord {
  readonly status: number;
  /** Names in lower case; repeated fields joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body after content decoding. */
  readonly text: string;
  readonly json: Json;
}

/** Why there was no answer that could be read. */
export type TransportError = 'unreachable' | 'closed' | 'timeout' | 'limit' | 'protocol' | 'throttled' | 'aborted';

/** Each of these faults, in words. */
export const TRANSPORT_ERRORS: Readonly<Record<TransportError, string>> = {
  unreachable: 'no connection could be made',
  closed: 'the connection was closed without an answer, also on a fresh connection',
  timeout: 'no complete answer within the time-out',
  limit: 'the answer was larger than the limit, or nested deeper',
  protocol: 'the answer is not valid HTTP or its content coding cannot be decoded',
  throttled: 'the target kept asking for a pause',
  aborted: 'the run was stopped before the answer came',
};

/** A fault in words, with its detail where that adds something. */
export function transportErrorText({
  kind,
  detail,
}: {
  readonly kind: TransportError;
  readonly detail: string;
}): string {
  return kind === 'timeout' || kind === 'aborted' ? detail : `${TRANSPORT_ERRORS[kind]} (${detail})`;
}

/** A request that was sent and what came of it: an answer or a fault of the transport. */
export interface Exchange {
  readonly request: RequestSpec;
  /** ms since the start of the run: when it was asked for, and when its turn came. */
  readonly queuedAt: number;
  readonly startedAt: number;
  /** ms. */
  readonly duration: number;
  /** How often the target asked for a pause (429, or 503 with Retry-After) before this outcome. */
  readonly pauses: number;
  readonly response?: ResponseRecord;
  readonly transportError?: { readonly kind: TransportError; readonly detail: string };
}

/** What stands where a value would, for a member that is not there. */
export const ABSENT = '(absent)';
/** As `ABSENT`, for a member of which nothing can be said: it is shown nowhere. */
export const NOT_SHOWN = '(not shown)';

/** The body of an answer if it is a JSON object. */
export function objectBody(exchange: Exchange | undefined): Record<string, unknown> | undefined {
  const json = exchange?.response?.json;
  return json?.ok && isRecord(json.value) ? json.value : undefined;
}

/** Whether the target took the request: any 2xx. Whether it had to be exactly 200 is for a check to say. */
export function isAccepted(exchange: Exchange | undefined): boolean {
  const status = exchange?.response?.status ?? 0;
  return status >= 200 && status < 300;
}

/** The parsed body that was sent, if it is a JSON object. */
export function sentBody(request: RequestSpec): Record<string, unknown> | undefined {
  if (request.body === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(request.body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
