import { rootCertificates } from 'node:tls';
import type undici from 'undici';
import type { Dispatcher } from 'undici';
import { requireModule } from '../../../common/process/commonjs.ts';
import { MAX_HEADER_BYTES } from '../policy/limits.ts';

// The whole package, which only a proxy needs, takes four times as long to load.
const Client = requireModule('undici/lib/dispatcher/client.js') as typeof undici.Client;
const Pool = requireModule('undici/lib/dispatcher/pool.js') as typeof undici.Pool;

/** How the target is reached: whose certificates are trusted, and through which proxy. */
export interface Route {
  /** Certificates of authorities in PEM, trusted beside those of Node. */
  readonly ca?: string;
  /** Trusts every certificate: anybody on the way can read the keys and change the responses. */
  readonly insecure?: boolean;
  /** Addresses of proxies by the scheme of the target, and the hosts that are reached directly. */
  readonly proxy?: {
    /** The proxy for `http` targets. */
    readonly http?: string;
    /** The proxy for `https` targets. */
    readonly https?: string;
    /** Hosts that are reached directly, as `NO_PROXY` lists them. */
    readonly no?: string;
  };
}

/** Whether a host, as it stands in a URL or without brackets, is this machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
}

/**
 * The proxies that the usual environment variables name (HTTP_PROXY, HTTPS_PROXY, NO_PROXY; small letters win).
 *
 * @returns undefined if there are none
 */
export function proxyOf(environment: Readonly<Record<string, string | undefined>>): Route['proxy'] {
  const value = (name: string): string | undefined =>
    [environment[name.toLowerCase()], environment[name]].find((each) => each !== undefined && each !== '');
  const [http, https, no] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(value);
  if (http === undefined && https === undefined) return undefined;
  return { ...(http && { http }), ...(https && { https }), ...(no && { no }) };
}

/** The proxy for a target; undefined if it is reached directly, as every loopback address is. */
export function proxyFor(origin: URL, { proxy }: Route): NonNullable<Route['proxy']> | undefined {
  const own = origin.protocol === 'https:' ? proxy?.https : proxy?.http;
  return own === undefined || isLoopback(origin.hostname) ? undefined : proxy;
}

/** Options of a TLS connection to the target. */
export function tlsOf({ ca, insecure = false }: Route): { ca?: string[]; rejectUnauthorized?: false } {
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
}

/** Makes the functions that open connections to a target. None is opened before the first request. */
export function makeRoute(origin: string, timeout: number, route: Route) {
  // A target that serves one connection at a time is found out by a request that times out beside an idle connection.
  const keepAliveTimeout = 2 * timeout;
  const options = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout };
  const connect = { timeout, ...tlsOf(route) };
  const proxy = proxyFor(new URL(origin), route);
  const overProxy = async (
    { http = '', https = '', no = '' }: NonNullable<Route['proxy']>,
    connections: number | null,
  ) => {
    const { EnvHttpProxyAgent } = await import('undici');
    return new EnvHttpProxyAgent({
      ...{ ...options, connections, pipelining: 1, connect, requestTls: connect, proxyTls: connect },
      ...{ httpProxy: http, httpsProxy: https, noProxy: no, proxyTunnel: false },
    });
  };
  return {
    /** @param connections null: as many as there are concurrent requests */
    pool: async (connections: number | null): Promise<Dispatcher> =>
      proxy ? overProxy(proxy, connections) : new Pool(origin, { ...options, connect, connections, pipelining: 1 }),
    single: async (): Promise<Dispatcher> =>
      proxy ? overProxy(proxy, 1) : new Client(origin, { ...options, connect, pipelining: 0 }),
    isDirect: proxy === undefined,
  };
}
