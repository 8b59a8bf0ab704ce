import { using } from '../../common/using.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../../conformance/inputs.ts';
import type { Transport } from '../../conformance/http/transport.ts';
import type { Rules, Store } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import { createService, toApiRequest, type Service, type ServiceOptions } from '../../reference-server/service.ts';
import { answerOf, startWireServer, type Change, type WireOptions } from '../wire/wire-server.ts';

/**
 * How a server differs from the reference server. `replace` and `around` change what it does (see `ServiceOptions`);
 * the rest changes the bytes on the wire.
 */
export interface Behaviour extends ServiceOptions, Pick<WireOptions, 'deliver' | 'change' | 'instead' | 'oneAtATime'> {}

/**
 * Replaces one rule of the contract.
 *
 * @param make makes the new rule, given the rule that it replaces, what the server keeps, and all rules
 */
export function replacing<Rule extends keyof Rules>(
  rule: Rule,
  make: (own: Rules[Rule], store: Store, rules: Rules) => Rules[Rule],
): Required<Pick<Behaviour, 'replace'>> {
  return { replace: (rules, store) => ({ [rule]: make(rules[rule], store, rules) }) };
}

/** Replaces the rules of several behaviours at once, which must not be the same. */
export function replacingAll(...all: readonly Behaviour[]): Behaviour {
  return {
    replace: (rules, store) => Object.assign({}, ...all.map(({ replace }) => replace?.(rules, store))) as Rules,
  };
}

interface RunningBehaviour {
  /** What `{base_url}` of the contract stands for. */
  readonly url: string;
  readonly seed: Seed;
  readonly store: Store;
  /** Takes requests without a socket; undefined if it listens on one. */
  readonly transport?: Transport;
  readonly close: () => Promise<void>;
}

/** Whether a behaviour shows only on a socket. */
export function needsSocket({ deliver, instead, oneAtATime }: Behaviour): boolean {
  return [deliver, instead, oneAtATime].some((each) => each !== undefined);
}

/**
 * Starts a server that behaves so, on a socket. Only what needs bytes of its own gets the wire server; all else is the
 * reference server.
 *
 * @throws Error from node:net if the address cannot be listened on
 */
export async function startBehaviour(
  behaviour: Behaviour,
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<RunningBehaviour> {
  if (!behaviour.change && !needsSocket(behaviour)) return createReferenceServer({ ...behaviour, ...at });
  const { url, service, close } = await startWireServer({ ...behaviour, ...at });
  return { url, seed: service.seed, store: service.store, close };
}

/** What is sent at the same time arrives at the same time, and takes time, as over a socket. */
const onTheWay = (): Promise<void> => new Promise(setImmediate);

/** Takes requests to a service in this process, as a server does from its sockets. */
export function transportTo(service: Service, change?: Change): Transport {
  return async ({ method, path, headers, body = '' }) => {
    // As a server reads a header: names in lower case, no blanks around the values (RFC 9110, 5.5).
    const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]);
    const received = Object.fromEntries(fields) as Record<string, string>;
    await onTheWay();
    const answer = await answerOf(service, toApiRequest(method, path, received, Buffer.from(body)), change);
    await onTheWay();
    if (!answer) throw Object.assign(new Error('other side closed'), { code: 'ECONNRESET' });
    const { status } = answer;
    const length = status === 204 ? {} : { 'content-length': String(answer.body.length) };
    const isEmpty = method === 'HEAD' || status === 204 || status === 304;
    const bytes = isEmpty ? Buffer.alloc(0) : answer.body;
    return { status, headers: { ...Object.fromEntries(answer.headers), ...length }, bytes };
  };
}

/** Starts a server that behaves so, without a socket if nothing that it does needs one, and ends it after its use. */
export function withBehaviour<T>(behaviour: Behaviour, use: (server: RunningBehaviour) => Promise<T>): Promise<T> {
  if (needsSocket(behaviour)) return using(startBehaviour(behaviour), use);
  const service = createService(behaviour);
  const { seed, store } = service;
  return use({
    url: 'http://in-process.localhost',
    seed,
    store,
    transport: transportTo(service, behaviour.change),
    close: () => Promise.resolve(),
  });
}

/** An id that no seed has. */
const MISSING_ID = '404404';

/** The inputs of the operator of such a server, unless it names others. */
export function inputsFor(url: string, seed: Seed = defaultSeed, own: Partial<Inputs> = {}): Inputs {
  const { keys, users, banners } = seed;
  const [user, other] = users;
  return {
    baseUrl: new URL(url),
    adminKey: keys.admin,
    restrictedKey: keys.restricted,
    ...(user && { userId: String(user.id) }),
    ...(other && { otherUserId: String(other.id) }),
    missingUserId: MISSING_ID,
    roleIds: [1, 2],
    bannerIds: banners.map(({ id }) => id).filter((id) => id !== undefined),
    emailDomain: DEFAULT_EMAIL_DOMAIN,
    ...own,
  };
}
