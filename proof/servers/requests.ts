import { setTimeout as sleep } from 'node:timers/promises';
import { objectOf, parsedJson } from '../../common/json.ts';
import { type OperationId, route } from '../../contract/document.ts';
import type { ApiRequest, Caller, Store } from '../../reference-server/rules.ts';
import { updatableMembers } from '../../reference-server/seed.ts';
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

/** The path of an update, as what comes before the id, the id, and what comes after it. */
const PATH_WITH_ID = new RegExp(`^(${route('updateUser').path.replace('{id}', ')([^/]*)(')})$`);

/** The id in the path; empty if that path of the contract has none. */
export function sentId({ path }: ApiRequest): string {
  return PATH_WITH_ID.exec(path)?.[2] ?? '';
}

/** The JSON value of the body; undefined if it is none. */
export function sentValue({ body }: ApiRequest): unknown {
  return parsedJson(body.toString('utf8'));
}

/** The members of the body; empty if it is not a JSON object. */
export function sentMembers(request: ApiRequest): Members {
  return objectOf(sentValue(request));
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
function isTo(operation: OperationId): (asked: Pick<Asked, 'request'>) => boolean {
  const { method, path } = route(operation);
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]*')}$`);
  return ({ request }) => request.method === method && pattern.test(request.path);
}

export const isUpdate = isTo('updateUser');
export const isList = isTo('listBanners');

/** Matches responses with one of these statuses. */
export function answered(...statuses: readonly number[]): Which {
  return ({ status }) => statuses.includes(status);
}

/** Matches updates that were accepted. */
export const anUpdate: Which = all(isUpdate, answered(200));
/** Matches accepted updates that send a member that they can change. */
export const aChange: Which = all(anUpdate, ({ request }) =>
  updatableMembers.some((each) => each in sentMembers(request)),
);
export const aList: Which = all(isList, answered(200));
export const anError: Which = ({ status }) => status >= 400;

export const hasKey: WhichRequest = ({ request }) => sentKey(request) !== '';

export function withKeyOf(caller: Caller): WhichRequest {
  return ({ request, store }) => sentKey(request) === store.keys[caller];
}

/** Matches requests whose path has an id of a form. */
export function withId(form: RegExp): WhichRequest {
  return ({ request }) => form.test(sentId(request));
}

/** Matches requests whose body as a text is of a form. */
export function sendsText(form: RegExp): WhichRequest {
  return ({ request }) => form.test(request.body.toString('utf8'));
}

/** Matches requests with a body that is not JSON. */
export const sendsNoJson: WhichRequest = ({ request }) => request.body.length > 0 && sentValue(request) === undefined;

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
  return { ...request, path: request.path.replace(PATH_WITH_ID, `$1${id}$3`) };
}

export function toBody(request: ApiRequest, value: unknown): ApiRequest {
  return { ...request, body: Buffer.from(JSON.stringify(value)) };
}

/** Takes a little time; what was sent at the same time has then come, on a busy machine too. */
export async function work(): Promise<void> {
  await sleep(1);
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** One behaviour around another one. */
export const around = (...all: readonly Around[]): Around => ({
  around: (handle, store, rules) =>
    all.reduce<typeof handle>((inner, each) => each.around(inner, store, rules) as typeof handle, handle),
});
