import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toLost } from '../../conformance/http/lost.ts';
import { isLoopback, proxyFor, proxyOf, type Route } from '../../conformance/http/route.ts';
import { runTarget } from '../../conformance/run.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { hasOpenssl } from '../support/platform.ts';
import { temporaryFolder } from '../support/folder.ts';
import { clientOf, json, rawServer, respondingWith, update } from './raw-server.ts';

const folder = temporaryFolder();

it.each([
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', '127.0.0.1', '127.1', '0.0.0.0'],
  ...['2130706433', '0x7f.1', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:0:0:1]', '127.0.0.1.'],
])('%s is this machine itself, and reached without a proxy', (host) => {
  const target = new URL(`http://${host}:4242`);
  expect(isLoopback(target.hostname)).toBe(true);
  expect(proxyFor(target, { proxy: { http: 'http://proxy.example' } })).toBeUndefined();
});

it.each(['localhost.example', 'notlocalhost', '128.0.0.1', '[::2]', '[::ffff:128.0.0.1]', '127.0.0.1.example'])(
  '%s is another machine',
  (host) => expect(isLoopback(new URL(`http://${host}`).hostname)).toBe(false),
);

it('The environment names proxies, small letters before capitals', () => {
  expect(proxyOf({ HTTP_PROXY: 'a', http_proxy: 'b:80', HTTPS_PROXY: 'https://c', NO_PROXY: 'd' })).toEqual({
    ...{ http: 'http://b:80', https: 'https://c', no: 'd' },
  });
  expect(proxyOf({ http_proxy: '', NO_PROXY: 'd' })).toBeUndefined();
});

it.each(['foo bar', 'http://[::1', 'socks5://proxy.example', 'http://user:geheim@', '://'])(
  'A proxy whose address is %j is refused by its name, and only where it would be used',
  (address) => {
    const proxy = proxyOf({ HTTP_PROXY: address, HTTPS_PROXY: address }) ?? {};
    for (const [scheme, name] of [['http', 'HTTP_PROXY'] as const, ['https', 'HTTPS_PROXY'] as const]) {
      const use = () => proxyFor(new URL(`${scheme}://target.example`), { proxy });
      expect(use).toThrow(`${name}: this is not the address of an HTTP proxy, such as http://proxy.example:3128.`);
      expect(use).not.toThrow('geheim');
    }
    expect(proxyFor(new URL('http://localhost'), { proxy })).toBeUndefined();
    expect(proxyFor(new URL('http://target.example'), { proxy: { https: address } })).toBeUndefined();
  },
);

describe('A proxy', () => {
  const target = new URL('http://target.example/base');

  it('is sent the requests for http targets, with their whole address', async () => {
    const { url, received } = await respondingWith(json('{"id":4}'));
    const client = clientOf(target, { route: { proxy: { http: url.origin } } });
    for (let count = 0; count < 2; count += 1) expect((await client.send(update())).response.json).toEqual({ id: 4 });
    for (const each of received) expect(each.target).toBe('http://target.example/base/api/admin/user-admin/4');
  });

  it('does not let a target flood the suite', async () => {
    const { url } = await respondingWith(`HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n${' '.repeat(2_200_000)}`);
    const client = clientOf(target, { route: { proxy: { http: url.origin } }, timeout: 2_000 });
    expect((await client.send(update())).response.lost?.kind).toBe('limit');
  });

  it('is not used for what NO_PROXY lists, nor for this machine', async () => {
    const { url } = await respondingWith(json('{"id":4}'));
    const proxy = await respondingWith(json('{}'));
    const route = { proxy: { http: proxy.url.origin, no: '.example' } };
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      const { response } = await clientOf(new URL(`http://${host}:${url.port}`), { route }).send(update());
      expect(response.json).toEqual({ id: 4 });
    }
    const { response } = await clientOf(new URL('http://no-such-host.example:1'), { route }).send(update());
    expect(response.lost?.kind).toBe('unreachable');
    expect(proxy.received).toEqual([]);
  });

  it.each(['http', 'https'])('that cannot be reached is named, not the %s target', async (scheme) => {
    const route = { proxy: { [scheme]: 'http://user:password@127.0.0.1:1' } };
    const { response } = await clientOf(new URL(`${scheme}://target.example`), { route }).send(update());
    expect(response.lost?.kind).toBe('unreachable');
    expect(response.lost?.detail).toMatch(/^the proxy 127.0.0.1:1 cannot be reached: connect ECONNREFUSED/);
  });

  it('that refuses an https target is named', async () => {
    const { url } = await respondingWith('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    const route = { proxy: { https: url.origin } };
    const { response } = await clientOf(new URL('https://target.example'), { route }).send(update());
    expect(response.lost?.kind).toBe('unreachable');
    expect(response.lost?.detail).toMatch(/^the proxy refused the request: .*403/);
  });

  it('that never responds ends with the time limit', async () => {
    const { url } = await rawServer(() => undefined);
    const route = { proxy: { https: url.origin, http: url.origin } };
    for (const scheme of ['http', 'https']) {
      const client = clientOf(new URL(`${scheme}://target.example`), { route, timeout: 50 });
      expect((await client.send(update())).response.status).toBe(0);
    }
  });
});

it.runIf(hasOpenssl)('A certificate is trusted that the operator names, and every one only if asked to', async () => {
  const [keyFile, certFile] = [folder.at('key.pem'), folder.at('cert.pem')];
  const name = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...pair, ...name], { stdio: 'ignore' });
  const key = readFileSync(keyFile, 'utf8');
  const ca = readFileSync(certFile, 'utf8');
  const server = createServer({ key, cert: ca }, (_request, response) => response.end('{"id":4}'));
  onTestFinished(() => server[Symbol.asyncDispose]());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = new URL(`https://${host}`);
  const responseBy = async (route: Route) => (await clientOf(target, { route }).send(update())).response;
  for (const route of [{ ca }, { insecure: true }]) expect((await responseBy(route)).json).toEqual({ id: 4 });
  const { lost } = await responseBy({});
  expect(lost?.kind).toBe('unreachable');
  expect(lost?.detail).toMatch(/^the target cannot be reached: self-signed certificate/);
  // It closes what is no TLS, and says nothing.
  const { hints } = await runTarget(inputsFor(`http://${host}`), { journal: false });
  expect(hints).toMatchObject([{ id: 'tls-likely' }]);
});

it.each<[error: Error, words: string]>([
  [new AggregateError([new Error('connect ::1:1'), new Error('b')]), 'cannot be reached: connect ::1:1; b'],
  [new Error('tlsv1 alert no application protocol'), 'HTTP/2 only'],
])('Before there is a connection, the target is unreachable: %s', (error, words) => {
  const { kind, message } = toLost(error, false);
  expect(kind).toBe('unreachable');
  expect(message).toContain(words);
});
