import { BlockList, isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import type undici from 'undici';
import type { Dispatcher } from 'undici';
import { requireModule } from '../../common/process/commonjs.ts';

// The whole package, which only a proxy needs, takes four times as long to load.
const Client = requireModule('undici/lib/dispatcher/client.js') as typeof undici.Client;

/** How the target is reached: whose certificates are trusted, and through which proxy. */
export interface Route {
  /** Certificates of authorities in PEM, trusted in addition to those of Node. */
  readonly ca?: string;
  /** Trusts every certificate: anybody on the way can read the keys and change the responses. */
  readonly insecure?: boolean;
  /** Addresses of proxies by the scheme of the target. */
  readonly proxy?: {
    readonly http?: string;
    readonly https?: string;
    /** Hosts that are reached directly, as `NO_PROXY` lists them. */
    readonly no?: string;
  };
}

/** Bytes. */
export const MAX_HEADER_BYTES = 65_536;
/**
 * ms. An idle connection is kept for longer than a request may take: a target that serves one connection at a time is found out by
 * a request that times out beside it.
 */
const KEPT_FOR = 60_000;

/** Addresses of this machine itself; `0.0.0.0` and `::` reach it, too. IPv4 within IPv6 counts as IPv4. */
const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addAddress('0.0.0.0', 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');
ownAddresses.addAddress('::', 'ipv6');

/** Whether a host, as `URL.hostname` gives it or without brackets, is this machine itself (RFC 6761, 6.3). */
export function isLoopback(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (isIP(host) !== 0) return ownAddresses.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
  return host === 'localhost' || host.endsWith('.localhost');
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

/** The address of the proxy for a target; undefined if it has none, as no loopback address has. Hosts of `no` are not left out. */
export function proxyFor({ protocol, hostname }: URL, { proxy }: Route): string | undefined {
  return isLoopback(hostname) ? undefined : protocol === 'https:' ? proxy?.https : proxy?.http;
}

/** Options of a TLS connection to the target. */
export function tlsOf({ ca, insecure = false }: Route): { ca?: string[]; rejectUnauthorized?: false } {
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
}

/**
 * Makes a connection to a target, which is opened with the first request. It has no time limit of its own.
 *
 * @param signal ends it, also while it is being opened
 */
export function connectionTo(target: URL, route: Route, signal: AbortSignal): Dispatcher {
  const connect = { timeout: 0, signal, ...tlsOf(route) };
  const options = {
    ...{ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0, pipelining: 1, connect },
    keepAliveTimeout: KEPT_FOR,
  };
  if (proxyFor(target, route) === undefined) return new Client(target.origin, options);
  const { EnvHttpProxyAgent } = requireModule('undici') as typeof undici;
  const { http = '', https = '', no = '' } = route.proxy ?? {};
  const proxies = { httpProxy: http, httpsProxy: https, noProxy: no, proxyTunnel: false };
  return new EnvHttpProxyAgent({ ...options, ...proxies, connections: 1, requestTls: connect, proxyTls: connect });
}
