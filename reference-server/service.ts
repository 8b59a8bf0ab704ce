import { type OperationId, route } from '../contract/document.ts';
import { validators } from '../contract/validators.ts';
import { handlers } from './operations/index.ts';
import { contractRules, Refused, type ApiRequest, type ApiResponse, type Rules, type Store } from './rules.ts';
import { defaultSeed, type Seed } from './seed.ts';

/** From a request to its response. */
type Handle = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

export interface ServiceOptions {
  readonly seed?: Seed;
  /** Rules in place of those of the contract, for a defect or a variant. */
  readonly replace?: (rules: Rules, store: Store) => Partial<Rules>;
  /** Wraps the handling of every request: for what lasts over requests, or takes time. */
  readonly around?: (handle: (request: ApiRequest) => ApiResponse, store: Store, rules: Rules) => Handle;
}

/** The server without its sockets. */
export interface Service {
  readonly seed: Seed;
  readonly store: Store;
  readonly rules: Rules;
  readonly handle: Handle;
}

/** The routes of the contract; the pattern of a path has one capturing group for each path parameter. */
const routes = Object.entries(handlers).map(([operation, handler]) => {
  const { method, path } = route(operation as OperationId);
  return { method, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '([^/]*)')}$`), handler };
});

function dispatch(request: ApiRequest, store: Store, rules: Rules): ApiResponse {
  const matching = routes.filter(({ pattern }) => pattern.test(request.path));
  if (matching.length === 0) throw new Refused(404, `There is nothing at ${request.path}.`);
  // A HEAD gets what a GET gets, without the body (RFC 9110, 9.3.2); the server leaves that out.
  const wanted = request.method === 'HEAD' ? 'GET' : request.method;
  const found = matching.find(({ method }) => method === wanted);
  if (!found) {
    const allow = matching.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', ');
    return { ...rules.refuse(405, `${request.path} takes ${allow} only.`), headers: { allow } };
  }
  return found.handler(request, store, rules, found.pattern.exec(request.path)?.slice(1) ?? []);
}

function respond(request: ApiRequest, store: Store, rules: Rules): ApiResponse {
  try {
    return dispatch(request, store, rules);
  } catch (error) {
    if (error instanceof Refused) return rules.refuse(error.status, error.message);
    throw error;
  }
}

/** The operations over data in memory. */
export function createService({ seed = defaultSeed, replace, around }: ServiceOptions = {}): Service {
  const { users, ...others } = structuredClone(seed);
  const store: Store = { ...others, users: new Map(users.map((user) => [user.id, user])) };
  const contract = contractRules(validators);
  const rules = { ...contract, ...replace?.(contract, store) };
  const handle = (request: ApiRequest): ApiResponse => respond(request, store, rules);
  return { seed, store, rules, handle: around?.(handle, store, rules) ?? handle };
}

/** The header fields of a response, without framing, and its content: what every server over a service sends. */
export function rendered({ body, headers }: ApiResponse, rules: Pick<Rules, 'serialize'>) {
  const { content, contentType } = rules.serialize(body);
  return { headers: { 'content-type': contentType, ...headers }, content };
}

/** @param target the request target as it stands in the request line: a path, or a whole URL (RFC 9112, 3.2.2) */
export function toApiRequest(method: string, target: string, headers: ApiRequest['headers'], body: Buffer): ApiRequest {
  const own = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const end = own.indexOf('?');
  if (end === -1) return { method, path: own, query: '', headers, body };
  return { method, path: own.slice(0, end), query: own.slice(end + 1), headers, body };
}
