import { isRecord, parsedJson, rememberingEach } from '../../common/json.ts';
import { type OperationId, schema } from '../../contract/document.ts';
import type { Due } from './due.ts';
import { keptStart } from './redact.ts';

/** How a request carries a key. `label` is safe to print; `shell` replaces the header's value in a curl line. */
export interface Credential {
  readonly label: string;
  readonly shell?: string;
  /** The value of the `Authorization` header, never printed; undefined sends no such header. */
  readonly header?: string;
  /** Another spelling of the header's name. */
  readonly fieldName?: string;
  /** A query (without `?`) that carries the key instead; `shell` then replaces the query. */
  readonly query?: string;
  /** Header fields other than `Authorization` that carry the key instead. */
  readonly otherHeaders?: Readonly<Record<string, string>>;
  /** Sent over a connection of its own, because a server may take it for what came before over the same one. */
  readonly ownConnection?: true;
  /** Which bad credential it is (`badCredentials`), or which other one without a valid key where it belongs. */
  readonly bad?: string;
  /** Whose valid key it is; undefined for a request without a valid key. */
  readonly role?: 'admin' | 'restricted';
}

/** What a part of a request is meant to be; verified before it is sent. `unspecified`: the contract is silent about it. */
export type Meant = 'valid' | 'invalid' | 'unspecified';

/** A request, ready to be sent. */
export interface RequestSpec {
  readonly operation: OperationId;
  readonly method: string;
  /** Below the base URL, percent-encoded as sent. */
  readonly path: string;
  /** What it addresses: something that the operator named (`SUBJECTS`), `invalid-id`, or `none` if its path has no id. */
  readonly subject: string;
  readonly credential: Credential;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How the body becomes bytes; default UTF-8. */
  readonly charset?: 'latin1';
  readonly meant: { readonly body: Meant; readonly id: Meant };
  /** What it is for, in a few words. */
  readonly purpose: string;
  readonly due: Due;
  /** The phase of the run in which it is sent. */
  readonly phase?: string;
  /** The item of the traffic that it belongs to. */
  readonly item?: string;
  /** Sent again by itself, in place of one that the target refused for its state. */
  readonly again?: true;
}

/** A body parsed as JSON, or why it is not JSON. */
export type Json = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

export interface ResponseRecord {
  readonly status: number;
  /** Names in lower case; repeated fields joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body after content decoding; of a large one, the start. */
  readonly text: string;
  /** Of a text that is not kept whole: its length, and which of the texts that the run watches for it has. */
  readonly cut?: { readonly length: number; readonly shows: readonly string[] };
  readonly json: Json;
}

/** Why a request got no readable response. */
export type TransportError = 'unreachable' | 'closed' | 'timeout' | 'limit' | 'protocol' | 'throttled' | 'aborted';

/** Each transport error in words. */
export const TRANSPORT_ERRORS: Readonly<Record<TransportError, string>> = {
  unreachable: 'the target could not be reached',
  closed: 'the target closed the connection without a response, also on a fresh connection',
  timeout: 'no complete response within the time-out',
  limit: 'the response is too large, or nested too deep',
  protocol: 'the response is not valid HTTP, or has a content coding that was not accepted',
  throttled: 'the target kept asking for a pause',
  aborted: 'the run was stopped before the response came',
};

/** A transport error in words, with its detail where that adds something. */
export function transportErrorText({ kind, detail }: NonNullable<Exchange['transportError']>): string {
  return kind === 'timeout' || kind === 'aborted' ? detail : `${TRANSPORT_ERRORS[kind]} (${detail})`;
}

/** A request that was sent, with its response or the transport error. */
export interface Exchange {
  readonly request: RequestSpec;
  /** ms since the start of the run: when it was queued, and when the first attempt began that may have been carried out. */
  readonly queuedAt: number;
  readonly startedAt: number;
  /** ms. */
  readonly duration: number;
  /** How often the target asked for a pause (429 or 503) before this outcome. */
  readonly pauses: number;
  /** How many attempts before this outcome got no response, or 502 or 504: each may have been carried out within the interval. */
  readonly lost?: number;
  /** Of a request with a valid key that occurs in no response by chance: whether the response shows a valid key. */
  readonly key?: 'carried' | 'shown';
  readonly response?: ResponseRecord;
  readonly transportError?: { readonly kind: TransportError; readonly detail: string };
}

/** Whether a status says that something in front got no response from the target, which may have carried the request out (RFC 9110, 15.6.3 and 15.6.5). */
export const isInFront = (status: number): boolean => status === 502 || status === 504;

/** Whether a status says nothing of a request but that it may be tried again (RFC 6585, 4; RFC 9110, 15.6.4). */
export const asksForAnotherTry = (status: number): boolean => status === 429 || status === 503 || isInFront(status);

/** Whether a request without a response may have been carried out. */
export function mayBeCarriedOut({ transportError, lost = 0 }: Pick<Exchange, 'transportError' | 'lost'>): boolean {
  return lost > 0 || (transportError?.kind !== 'unreachable' && transportError?.kind !== 'throttled');
}

/** The purpose of a request that got a response before, and is sent again to ask whether the target still responds. */
export const STILL_RESPONDS = 'A request that got a response before, to see whether the target still responds';

/** Shown in place of the value of a member that is absent. */
export const ABSENT = '(absent)';
/** Shown in place of the value of a member that no response shows. */
export const NOT_SHOWN = '(not shown)';

/** A value in a sentence: `absent`, or as JSON; of a long value, the start. */
export function inWords(value: unknown): string {
  return value === ABSENT || value === NOT_SHOWN ? value.slice(1, -1) : keptStart(JSON.stringify(value ?? null));
}

/** The body of a response if it is a JSON object. */
export function objectBody(exchange: Exchange | undefined): Record<string, unknown> | undefined {
  const json = exchange?.response?.json;
  return json?.ok && isRecord(json.value) ? json.value : undefined;
}

/** Whether a response shows a text: one that the run watches for, where its body is not kept whole. */
export function showsText({ text, cut, headers }: ResponseRecord, wanted: string): boolean {
  return (
    [text, ...Object.values(headers)].some((each) => each.includes(wanted)) || cut?.shows.includes(wanted) === true
  );
}

const { required: ERROR_MEMBERS = [] } = schema('errorSchema');

/** Whether a body is an error as the contract describes it; no user has these members with these types. */
function isError(body: Record<string, unknown> | undefined): boolean {
  return body !== undefined && ERROR_MEMBERS.every((member) => typeof body[member] === 'string');
}

/**
 * Whether the target accepted the request: any 2xx, except with an error of the contract as body. Checks decide whether it had to be
 * exactly 200.
 */
export function isAccepted(exchange: Exchange | undefined): boolean {
  const status = exchange?.response?.status ?? 0;
  return status >= 200 && status < 300 && !isError(objectBody(exchange));
}

/** Whether a request only reads (RFC 9110, 9.2.1). */
export function isSafe({ method }: Pick<RequestSpec, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The parsed body that was sent, if it is a JSON object, perhaps after a byte order mark. Nearly every check reads it. */
export const sentBody = rememberingEach((request: RequestSpec): Readonly<Record<string, unknown>> | undefined => {
  if (request.body === undefined) return undefined;
  const value = parsedJson(request.body.replace(/^\ufeff/, ''));
  return isRecord(value) ? value : undefined;
});

/** The value that a request sends for a member of its body; undefined if it sends none. */
export function sentIn({ request }: Exchange, member: string): unknown {
  return sentBody(request)?.[member];
}

/** Whether a request sends a member. */
export function sends({ request }: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(request) ?? {}, member);
}

/** The members that a request sends, in one order. */
export function membersSent({ request }: Exchange): string {
  return Object.keys(sentBody(request) ?? {})
    .sort()
    .join();
}

/** Whether two exchanges were under way at the same time. */
export function overlap(one: Exchange, other: Exchange): boolean {
  return one.startedAt < other.startedAt + other.duration && other.startedAt < one.startedAt + one.duration;
}
