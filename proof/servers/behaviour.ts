import { using } from '../../common/using.ts';
import { type Inputs, isMissing, NAMED, writableOf } from '../../conformance/resources/inputs.ts';
import type { ResourceId } from '../../conformance/resources/resource.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { createService, type ServiceOptions } from '../../reference-server/service.ts';
import type { Rules, Store } from '../../reference-server/rules.ts';
import { transportTo } from './in-process.ts';
import { startWireServer, type WireOptions } from '../wire/wire-server.ts';

/**
 * What makes another server out of the reference server. `replace` and `around` change what it does (see `ServiceOptions`);
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
  /** How a run reaches it. Where it has no socket, its users end with this process. */
  readonly reach: Pick<RunOptions, 'transport' | 'journal'>;
  readonly close: () => Promise<void>;
}

function belowPath(basePath: string): (target: string) => string {
  return (target) => (target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : '/outside');
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
  const { deliver, instead, oneAtATime, change, toService, basePath } = behaviour;
  const needsWire = [deliver, instead, oneAtATime, change, toService, basePath].some((each) => each !== undefined);
  if (!needsWire) return { ...(await createReferenceServer({ ...behaviour, ...at })), reach: {} };
  const { url, service, close } = await startWireServer({
    ...behaviour,
    ...(basePath === undefined ? {} : { toService: belowPath(basePath) }),
    ...at,
  });
  return { url: `${url}${basePath ?? ''}`, seed: service.seed, store: service.store, reach: {}, close };
}

let servers = 0;

/** A server that behaves so, without a socket; undefined if it needs one. Its address is its own, since runs lock users by it. */
function inProcess(behaviour: Behaviour): RunningBehaviour | undefined {
  const { deliver, instead, oneAtATime, change, toService, basePath = '' } = behaviour;
  if ([deliver, instead, oneAtATime].some((each) => each !== undefined)) return undefined;
  const service = createService(behaviour);
  const { seed, store } = service;
  const transport = transportTo(service, { change, toService: basePath === '' ? toService : belowPath(basePath) });
  const close = (): Promise<void> => Promise.resolve();
  const url = `http://in-process-${process.pid}-${(servers += 1)}.localhost${basePath}`;
  return { url, seed, store, reach: { transport, journal: false }, close };
}

/**
 * Starts a server that behaves so, lets something be done with it, and ends it whatever happens.
 *
 * @param sockets whether it listens although nothing that it does needs that
 */
export function withBehaviour<T>(
  behaviour: Behaviour,
  use: (server: RunningBehaviour) => Promise<T>,
  sockets = true,
): Promise<T> {
  return using((sockets ? undefined : inProcess(behaviour)) ?? startBehaviour(behaviour), use);
}

/** An id that no seed has. */
const MISSING_ID = 404404;

/** The ids that an operator names of a seed: the first ones of each resource, and one that is missing. */
function namedOf({ users, banners }: Seed): Partial<Inputs> {
  const shown: Readonly<Record<ResourceId, readonly { readonly id?: unknown }[]>> = { user: users, banner: banners };
  const named = NAMED.map(({ input, subject, resource }) => {
    const { id } = shown[resource][writableOf(resource).findIndex((each) => each === subject)] ?? {};
    return [input, isMissing(subject) ? MISSING_ID : id] as const;
  });
  return Object.fromEntries(named.flatMap(([input, id]) => (typeof id === 'number' ? [[input, String(id)]] : [])));
}

/** What an operator says of a server that behaves so, unless it is said otherwise. */
export function inputsFor(url: string, seed: Seed = defaultSeed, own: Partial<Inputs> = {}): Inputs {
  const { keys, banners } = seed;
  return {
    baseUrl: new URL(url),
    adminKey: keys.admin,
    restrictedKey: keys.restricted,
    ...namedOf(seed),
    roleIds: [1, 2],
    bannerIds: banners.map(({ id }) => id).filter((id) => id !== undefined),
    emailDomain: 'example.com',
    ...own,
  };
}
