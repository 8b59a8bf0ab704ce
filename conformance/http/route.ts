import { BlockList, isIP } from 'node:net';
import { InvalidInputs } from '../inputs.ts';

/** How the target is reached: whose certificates are trusted, and through which proxy. */
export interface Route {
  /** Certificates of authorities in PEM, trusted in addition to those of Node. */
  readonly ca?: string | undefined;
  /** Trusts every certificate: anybody on the way can read the keys and change the responses. */
  readonly insecure?: boolean;
  /** Addresses of proxies by the scheme of the target. */
  readonly proxy?:
    | undefined
    | {
        readonly http?: string | undefined;
        readonly https?: string | undefined;
        /** Hosts that are reached directly, as `NO_PROXY` lists them. */
        readonly no?: string | undefined;
      };
}

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
 * The proxies that the usual environment variables name (HTTP_PROXY, HTTPS_PROXY, NO_PROXY; small letters win). An address
 * may lack its scheme, which is http then.
 *
 * @returns undefined if there are none
 */
export function proxyOf(environment: Readonly<Record<string, string | undefined>>): Route['proxy'] {
  const value = (name: string): string | undefined =>
    [environment[name.toLowerCase()], environment[name]].find((each) => each !== undefined && each !== '');
  const address = (name: string): string | undefined => value(name)?.replace(/^(?!\w+:\/\/)/, 'http://');
  const [http, https, no] = [address('HTTP_PROXY'), address('HTTPS_PROXY'), value('NO_PROXY')];
  if (http === undefined && https === undefined) return undefined;
  return { http, https, no };
}

function isProxyAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * The address of the proxy for a target; undefined if it has none, as no loopback address has. Hosts of `no` are not left out.
 *
 * @throws InvalidInputs if it is no address of a proxy
 */
export function proxyFor({ protocol, hostname }: URL, { proxy = {} }: Route): string | undefined {
  if (isLoopback(hostname)) return undefined;
  const [name, address] = protocol === 'https:' ? ['HTTPS_PROXY', proxy.https] : ['HTTP_PROXY', proxy.http];
  if (address === undefined || isProxyAddress(address)) return address;
  // It may have credentials.
  throw new InvalidInputs(`${name}: this is not the address of an HTTP proxy, such as http://proxy.example:3128.`);
}
