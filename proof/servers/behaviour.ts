import { using } from '../../common/using.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../../conformance/inputs.ts';
import type { Transport } from '../../conformance/http/transport.ts';
import type { Rules, Store } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import { createService, type ServiceOptions } from '../../reference-server/service.ts';
import { startWireServer, type WireOptions } from '../wire/wire-server.ts';
import { transportTo } from './in-process.ts';

/**
 * How a server differs from the reference server. `replace` and `around` change what it does (see `ServiceOptions`);
 * the rest changes the bytes on the wire.
 */
export interface Behaviour
  extends ServiceOptions, Pick<WireOptions, 'deliver' | 'change' | 'instead' | 'oneAtATime' | 'toService'> {
  /** A path in front of `/api/admin`, with a slash at its start and none at its end. */
  readonly basePath?: string;
}

/** The part of a behaviour that replaces rules. */
export type Replacing = Required<Pick<Behaviour, 'replace'>>;

/**
 * Replaces one rule of the contract.
 *
 * @param make makes the new rule, given the rule that it replaces, what the server keeps, and all rules
 */
export function replacing<Rule extends keyof Rules>(
  rule: Rule,
  make: (own: Rules[Rule], store: Store, rules: Rules) => Rules[Rule],
): Replacing {
  return { replace: (rules, store) => ({ [rule]: make(rules[rule], store, rules) }) };
}

export interface RunningBehaviour {
  /** What `{base_url}` of the contract stands for. */
  readonly url: string;
  readonly seed: Seed;
  readonly store: Store;
  /** Takes requests without a socket; undefined if it listens on one. */
  readonly transport?: Transport;
  readonly close: () => Promise<void>;
}

function belowPath(basePath: string): (target: string) => string {
  return (target) => (target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : '/outside');
}

/** Whether a behaviour shows only on a socket. */
export function needsSocket({ deliver, instead, oneAtATime }: Behaviour): boolean {
  return [deliver, instead, oneAtATime].some((each) => each !== undefined);
}

/**
 * Starts a server that behaves so, on a socket. Only what needs bytes of its own gets the wire server; all else is the reference
 * server.
 *
 * @throws Error from node:net if the address cannot be listened on
 */
export async function startBehaviour(
  behaviour: Behaviour,
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<RunningBehaviour> {
  const { change, toService, basePath } = behaviour;
  const isPlain = [change, toService, basePath].every((each) => each === undefined) && !needsSocket(behaviour);
  if (isPlain) return createReferenceServer({ ...behaviour, ...at });
  const { url, service, close } = await startWireServer({
    ...behaviour,
    ...(basePath !== undefined && { toService: belowPath(basePath) }),
    ...at,
  });
  return { url: `${url}${basePath ?? ''}`, seed: service.seed, store: service.store, close };
}

/** A server that behaves so, without a socket. */
function inProcess(behaviour: Behaviour): RunningBehaviour {
  const { change, toService, basePath } = behaviour;
  const service = createService(behaviour);
  return {
    url: `http://in-process.localhost${basePath ?? ''}`,
    seed: service.seed,
    store: service.store,
    transport: transportTo(service, { change, toService: basePath === undefined ? toService : belowPath(basePath) }),
    close: () => Promise.resolve(),
  };
}

/** Starts a server that behaves so, without a socket if nothing that it does needs one, and ends it after its use. */
export function withBehaviour<T>(behaviour: Behaviour, use: (server: RunningBehaviour) => Promise<T>): Promise<T> {
  return using(needsSocket(behaviour) ? startBehaviour(behaviour) : inProcess(behaviour), use);
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
