import { type JsonObject, objectOf, parsedJson } from '../../common/json.ts';
import type { OperationId } from '../../contract/document.ts';

/** A request as a check makes it. */
export interface Request {
  readonly operation: OperationId;
  /** Below the base URL, with the query. */
  readonly path: string;
  /** Names as they are written on the wire. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Statuses whose bodies the contract leaves open for this request. */
  readonly openBodies?: readonly number[];
  /** Whether no other request may use its connection: some servers remember header lines of a connection. */
  readonly ownConnection?: boolean;
  /**
   * What reports and the curl line show as the value of `Authorization` where it has parts of a key; it may name a shell
   * variable. A whole key needs none: reports show its variable.
   */
  readonly shell?: string;
}

/** Why there was no readable response. */
export type LostKind = 'unreachable' | 'closed' | 'timeout' | 'limit' | 'protocol';

/** What came back. */
export interface Response {
  /** 0 if there was no readable response. */
  readonly status: number;
  /** Names in lower case; repeated fields joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, after content decoding. */
  readonly text: string;
  /** The value of the body; undefined if it is not JSON in UTF-8. */
  readonly json: unknown;
  /** Whether the body has bytes that are not UTF-8; `text` has U+FFFD in their place. */
  readonly isNotUtf8?: true;
  /** Characters of the whole body, if `text` is only its start. */
  readonly length?: number;
  /** Present if there was no readable response. */
  readonly lost?: { readonly kind: LostKind; /** In words. */ readonly detail: string };
}

/** The members that the body of a request sends; none if it is no JSON object. */
export const sentIn = ({ body }: Request): JsonObject => objectOf(parsedJson(String(body ?? '')));

/** Whether a request is an update of a user. */
export const isUpdate = ({ operation }: Request): boolean => operation === 'updateUser';

/** Whether a server asks for fewer requests (RFC 6585, 4). The source says nothing of limits, so this is never a fault. */
export const isLimited = ({ status }: Response): boolean => status === 429;

/** A gateway, a limit or a lost connection: an invitation to try again (RFC 9110, 15.6; RFC 6585, 4). */
export const isDisturbance = ({ status, lost }: Response): boolean =>
  [429, 502, 503, 504].includes(status) || (lost !== undefined && lost.kind !== 'limit' && lost.kind !== 'protocol');

/** Whether a server says that it did what was asked (RFC 9110, 15.3); of an update, only 200 is right. */
export const isSuccess = ({ status }: Response): boolean => status >= 200 && status <= 299;

/** Whether a server refuses a request for what it is (RFC 9110, 15.5). */
export const isRefusal = ({ status }: Response): boolean => status >= 400 && status <= 499;

/** Whether a server says that somebody else is at work (RFC 9110, 15.5.10; RFC 4918, 11.3). */
export const isBusy = ({ status }: Response): boolean => status === 409 || status === 423;

/** A request and what came of it. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  /** ms since the start of the run. */
  readonly startedMs: number;
  /** ms from sending to the last byte of the response. */
  readonly durationMs: number;
}
