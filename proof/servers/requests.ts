import { isRecord, parsedJson } from '../../common/json.ts';
import { type OperationId, operationIds, route } from '../../contract/document.ts';
import type { ApiRequest, Caller, Store } from '../../reference-server/rules.ts';
import type { Behaviour } from './behaviour.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A request, and what the server keeps. */
export interface Asked {
  readonly request: ApiRequest;
  readonly store: Store;
}

/** A request and its correct response, before a fault changes it. */
export interface Answered extends Asked {
  readonly status: number;
  /** How many requests to this operation have had a response with this status, including this one. */
  readonly count: number;
}

export type WhichRequest = (asked: Asked) => boolean;
export type Which = (answered: Answered) => boolean;

/** The value of the `Authorization` header; empty if there is none. */
export function sentKey({ headers }: ApiRequest): string {
  return String(headers.authorization ?? '');
}

/** The paths of the contract that have an id, each as what comes before it, the id, and what comes after it. */
const pathsWithId = operationIds
  .map((operation) => route(operation).path.split('{id}'))
  .filter((parts) => parts.length === 2)
  .map((parts) => new RegExp(`^(${parts.join(')([^/]*)(')})$`));

/** The id in the path; empty if no path of the contract has one there. */
export function sentId({ path }: ApiRequest): string {
  return pathsWithId.map((pattern) => pattern.exec(path)?.[2]).find((id) => id !== undefined) ?? '';
}

/** The JSON value of the body; undefined if it is none. */
export function sentValue({ body }: ApiRequest): unknown {
  return parsedJson(body.toString('utf8'));
}

/** The members of the body; empty if it is not a JSON object. */
export function sentMembers(request: ApiRequest): Record<string, unknown> {
  const value = sentValue(request);
  return isRecord(value) ? value : {};
}

/** The names of members, in one text for each set of them. */
export function namesOf(members: object): string {
  return Object.keys(members).sort().join();
}

export const any = (): boolean => true;

/** Matches what all of these match. */
export function all<Seen>(...whiches: readonly ((seen: Seen) => boolean)[]): (seen: Seen) => boolean {
  return (seen) => whiches.every((which) => which(seen));
}

export function not<Seen>(which: (seen: Seen) => boolean): (seen: Seen) => boolean {
  return (seen) => !which(seen);
}

/** Matches the requests to an operation, by the method and the path of the contract. */
export function isTo(operation: OperationId): (asked: Pick<Asked, 'request'>) => boolean {
  const { method, path } = route(operation);
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]*')}$`);
  return ({ request }) => request.method === method && pattern.test(request.path);
}

export const hasHeader: WhichRequest = ({ request }) => request.headers.authorization !== undefined;
export const hasKey: WhichRequest = ({ request }) => sentKey(request) !== '';

export function withKeyOf(caller: Caller): WhichRequest {
  return ({ request, store }) => sentKey(request) === store.keys[caller];
}

/** Matches requests whose path has an id of a form. */
export function withId(form: RegExp): WhichRequest {
  return ({ request }) => form.test(sentId(request));
}

/** Matches requests that send these members, and perhaps others. */
export function sends(...members: readonly string[]): WhichRequest {
  return ({ request }) => members.every((member) => member in sentMembers(request));
}

/** Matches requests that send a JSON object with these members alone, or none if nothing is sent that is one. */
export function sendsOnly(...members: readonly string[]): WhichRequest {
  const names = [...members].sort().join();
  return ({ request }) => namesOf(sentMembers(request)) === names;
}

/** Matches requests whose body as a text is of a form. */
export function sendsText(form: RegExp): WhichRequest {
  return ({ request }) => form.test(request.body.toString('utf8'));
}

export const sendsNothing: WhichRequest = ({ request }) => request.body.length === 0;

/** Matches requests with a body that is not JSON. */
export const sendsNoJson: WhichRequest = ({ request }) => request.body.length > 0 && sentValue(request) === undefined;

/** Matches responses with one of these statuses. */
export function answered(...statuses: readonly number[]): Which {
  return ({ status }) => statuses.includes(status);
}

export const anError: Which = ({ status }) => status >= 400;

/** Matches the 200 responses of an operation. */
export function success(operation: OperationId): Which {
  return all(isTo(operation), answered(200));
}

/** Wraps the handling of requests. */
export type Around = Required<Pick<Behaviour, 'around'>>;

/** Handles some requests as if others had been sent. */
export function takenAs(which: WhichRequest, other: (request: ApiRequest, store: Store) => ApiRequest): Around {
  return {
    around: (handle, store) => (request) => handle(which({ request, store }) ? other(request, store) : request),
  };
}

export function toKey(request: ApiRequest, key: string): ApiRequest {
  return { ...request, headers: { ...request.headers, authorization: key } };
}

export function toId(request: ApiRequest, id: string | number): ApiRequest {
  const pattern = pathsWithId.find((each) => each.test(request.path));
  return pattern ? { ...request, path: request.path.replace(pattern, `$1${id}$3`) } : request;
}
