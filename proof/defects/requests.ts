import { isRecord, parsedJson } from '../../common/json.ts';
import { type OperationId, operationIds, route } from '../../contract/document.ts';
import type { ApiResponse, ApiRequest, Rules, Store } from '../../reference-server/rules.ts';
import { toApiRequest } from '../../reference-server/service.ts';
import type { Behaviour } from '../behaviour.ts';
import type { RawRequest } from '../wire/raw-server.ts';
import { deliverPlain, head } from '../wire/wire-server.ts';

export type WhichRequest = (request: ApiRequest) => boolean;

/** Matches the requests to an operation, by the method and the path of the contract. */
export function isTo(operation: OperationId): WhichRequest {
  const { method, path } = route(operation);
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]*')}$`);
  return (request) => request.method === method && pattern.test(request.path);
}

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

/** The members of the body; empty if it is not a JSON object. */
export function sentMembers({ body }: ApiRequest): Record<string, unknown> {
  const value = parsedJson(body.toString('utf8'));
  return isRecord(value) ? value : {};
}

export function withKey(request: ApiRequest, key: string): ApiRequest {
  return { ...request, headers: { ...request.headers, authorization: key } };
}

export function withId(request: ApiRequest, id: string | number): ApiRequest {
  const pattern = pathsWithId.find((each) => each.test(request.path));
  return pattern ? { ...request, path: request.path.replace(pattern, `$1${id}$3`) } : request;
}

/** Wraps the handling of requests. */
export interface Around {
  readonly around: NonNullable<Behaviour['around']>;
}

/** Handles a request as if another one had been sent. */
export function takenAs(other: (request: ApiRequest, store: Store) => ApiRequest): Around {
  return { around: (handle, store) => (request) => handle(other(request, store)) };
}

/** A correctly refused request, before a fault changes the refusal. */
export interface Refusal {
  readonly request: ApiRequest;
  readonly status: number;
  readonly store: Store;
}

export type WhichRefusal = (refusal: Refusal) => boolean;

function aroundRefusals(
  which: WhichRefusal,
  act: (refusal: Refusal, answer: ApiResponse, rules: Rules) => ApiResponse,
): Around {
  return {
    around: (handle, store, rules) => (request) => {
      const answer = handle(request);
      const refusal = { request, status: answer.status, store };
      return answer.status >= 400 && which(refusal) ? act(refusal, answer, rules) : answer;
    },
  };
}

/** Refuses with another status, or with another error name. */
export function refusedWith(which: WhichRefusal, status: number, name?: string): Around {
  return aroundRefusals(which, (_refusal, _answer, rules) => {
    const { body } = rules.refuse(status, 'The request was refused.');
    return { status, body: name === undefined ? body : { ...(body as object), name } };
  });
}

/** Replaces the response to a refused request. */
export function answeredWith(which: WhichRefusal, give: (refusal: Refusal) => ApiResponse): Around {
  return aroundRefusals(which, give);
}

/** Refuses correctly, but has a side effect. */
export function refusedYet(which: WhichRefusal, act: (refusal: Refusal) => void): Around {
  return aroundRefusals(which, (refusal, answer) => {
    act(refusal);
    return answer;
  });
}

export function apiRequest({ method, target, headers, body }: RawRequest): ApiRequest {
  return toApiRequest(method, target, headers, body);
}

/** Closes the connection instead of responding. */
export function hungUpOn(which: WhichRequest): Behaviour {
  return {
    deliver: (delivery) => {
      if (!which(apiRequest(delivery.request))) return deliverPlain(delivery);
      delivery.socket.destroy();
    },
  };
}

/** Responds 204, without a body, instead of the given status. */
export function noContentFor(status: number, which: WhichRequest = () => true): Behaviour {
  return {
    deliver: (delivery) => {
      const { request, answer, socket } = delivery;
      if (answer.status !== status || !which(apiRequest(request))) return deliverPlain(delivery);
      socket.write(head({ ...answer, status: 204, reason: 'No Content', headers: [] }));
    },
  };
}

/** Changes a user without applying any rule. */
export function changeUser(users: Store['users'], id: number, members: Record<string, unknown>): void {
  const user = users.get(id);
  if (user) users.set(id, { ...user, ...members });
}
