import { route } from '../contract/document.ts';
import { compileValidators } from '../contract/validators.ts';
import { listBanners, updateUser } from './operations.ts';
import { contractRules, Refused, type ApiRequest, type ApiResponse, type Rules, type Store } from './rules.ts';
import { defaultSeed, type Seed } from './seed.ts';

/** From a request to its answer. */
export type Handle = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

export interface ServiceOptions {
  readonly seed?: Seed;
  /** Rules that replace those of the contract, to make another server out of this one. */
  readonly replace?: (rules: Rules, store: Store) => Partial<Rules>;
  /** Stands around the whole handling of a request: for what lies between requests, or takes time. */
  readonly around?: (handle: (request: ApiRequest) => ApiResponse, store: Store, rules: Rules) => Handle;
}

/** The server without its sockets. */
export interface Service {
  readonly seed: Seed;
  readonly store: Store;
  readonly rules: Rules;
  readonly handle: Handle;
}

interface Route {
  readonly method: string;
  /** One capturing group for each path parameter. */
  readonly pattern: RegExp;
  readonly handle: (request: ApiRequest, parameters: string[], store: Store, rules: Rules) => ApiResponse;
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '([^/]*)')}$`);
}

function makeRoute(operation: Parameters<typeof route>[0], handle: Route['handle']): Route {
  const { method, path } = route(operation);
  return { method, pattern: toPattern(path), handle };
}

const routes: readonly Route[] = [
  makeRoute('updateUser', (request, [id = ''], store, rules) => updateUser(request, id, store, rules)),
  makeRoute('listBanners', (request, _parameters, store, rules) => listBanners(request, store, rules)),
];

function dispatch(request: ApiRequest, store: Store, rules: Rules): ApiResponse {
  const matching = routes.filter(({ pattern }) => pattern.test(request.path));
  if (matching.length === 0) throw new Refused(404, `There is nothing at ${request.path}.`);
  const found = matching.find(({ method }) => method === request.method);
  if (!found) {
    const allow = matching.map(({ method }) => method).join(', ');
    return { ...rules.refuse(405, `${request.path} takes ${allow} only.`), headers: { allow } };
  }
  return found.handle(request, found.pattern.exec(request.path)?.slice(1) ?? [], store, rules);
}

function answer(request: ApiRequest, store: Store, rules: Rules): ApiResponse {
  try {
    return dispatch(request, store, rules);
  } catch (error) {
    if (error instanceof Refused) return rules.refuse(error.status, error.message);
    throw error;
  }
}

/** The operations over users and banners in memory. */
export function createService({ seed = defaultSeed, replace, around }: ServiceOptions = {}): Service {
  const store: Store = {
    keys: seed.keys,
    users: new Map(seed.users.map((user) => [user.id, structuredClone(user)])),
    banners: structuredClone(seed.banners),
  };
  const kept = contractRules(compileValidators());
  const rules = { ...kept, ...replace?.(kept, store) };
  const handle = (request: ApiRequest): ApiResponse => answer(request, store, rules);
  return { seed, store, rules, handle: around?.(handle, store, rules) ?? handle };
}

/** @param target the request target as it stands in the request line */
export function toApiRequest(method: string, target: string, headers: ApiRequest['headers'], body: Buffer): ApiRequest {
  const [path = '', query = ''] = target.split('?', 2);
  return { method, path, query, headers, body };
}
