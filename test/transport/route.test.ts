import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proxyFor, proxyOf, type Route } from '../../conformance/http/transport/route.ts';
import type { Result } from '../../conformance/result/result.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { createReferenceServer, type ReferenceServer } from '../../reference-server/server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { PATIENT } from '../support/judging.ts';
import { freePort } from '../support/ports.ts';

const folder = temporaryFolder();
let reference: ReferenceServer;
beforeAll(async () => {
  reference = await createReferenceServer();
});
afterAll(async () => {
  await reference.close();
});

/** Judges with few requests, which only read. */
const judgeBanners = (url: string, route: Route, limits: typeof PATIENT = PATIENT): Promise<Result> =>
  judgeTarget(inputsFor(url, reference.seed), { only: ['banners-is-list'], limits, route });

const hintsOf = ({ hints = [] }: Result): string[] => hints.map(({ id }) => id);

function relay(onRequest: (target: string) => void = () => undefined) {
  return (message: IncomingMessage, response: ServerResponse): void => {
    const { method, url = '', headers } = message;
    onRequest(url);
    const path = url.replace(/^http:\/\/[^/]+/, '');
    const onward = forward(`${reference.url}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    message.pipe(onward);
  };
}

async function listening<T>(server: Server, use: (port: number) => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    (server as { closeAllConnections?: () => void }).closeAllConnections?.();
    server.close();
  }
}

function certificate(name: string, days: readonly string[]) {
  const { at } = folder.fresh();
  const [key, cert, request] = [at('key.pem'), at('cert.pem'), at('request.pem')];
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`];
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  const signing = ['-in', request, '-signkey', key, '-copy_extensions', 'copy', '-out', cert];
  execFileSync('openssl', ['req', ...pair, ...subject, '-out', request], { stdio: 'ignore' });
  execFileSync('openssl', ['x509', '-req', ...signing, ...days], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('A target with TLS', () => {
  const VALID = ['-days', '2'];
  const OURS = 'IP:127.0.0.1';

  const judged = (
    name: string,
    days: readonly string[],
    routeFor: (own: ReturnType<typeof certificate>) => Route,
  ): Promise<Result> => {
    const own = certificate(name, days);
    return listening(createHttps(own, relay()), (port) => judgeBanners(`https://127.0.0.1:${port}`, routeFor(own)));
  };

  const OTHER = 'DNS:other.example';
  const vouched = ({ cert }: { cert: string }): Route => ({ ca: cert });

  it.each<[string, Parameters<typeof judged>, verdict: string, hints: string[]]>([
    ['of its authority', [OURS, VALID, vouched], 'passed', []],
    ['that nobody vouches for', [OURS, VALID, () => ({})], 'inconclusive', ['certificate']],
    // The operator says that any will do, and the result says it loudly.
    ['of another host with --insecure', [OTHER, VALID, () => ({ insecure: true })], 'passed', ['insecure']],
    ['of another host', [OTHER, VALID, vouched], 'inconclusive', ['certificate-host']],
    ['that has expired', [OURS, ['-days', '-1'], vouched], 'inconclusive', ['certificate-expired']],
  ])('is judged with the certificate %s as it should be', async (_what, given, verdict, hints) => {
    const result = await judged(...given);
    expect([result.verdict, hintsOf(result)]).toEqual([verdict, hints]);
  });

  it('that speaks HTTP/2 only is recognised', async () => {
    const own = certificate(OURS, VALID);
    const server = createSecureServer(own);
    const result = await listening(server, (port) => judgeBanners(`https://127.0.0.1:${port}`, { ca: own.cert }));
    expect([result.verdict, hintsOf(result)]).toEqual(['inconclusive', ['http2-only']]);
  });
});

describe.concurrent('A target that is not what its address says', () => {
  const silent = { ...PATIENT, timeout: 300 };

  it.each<[hint: string, scheme: string, server: () => Server, says: RegExp, limits?: typeof PATIENT]>([
    ['http2-only', 'http', () => createHttp2(), /HTTP\/2/],
    ['tls-expected', 'http', () => createHttps(), /try https:\/\/127\.0\.0\.1:\d+/],
    ['tls-unexpected', 'https', () => createHttp(relay()), /http:\/\/127\.0\.0\.1:\d+/],
    ['silence', 'http', () => createHttp(() => undefined), /within 300 ms/, silent],
  ])('gets the hint %s (%s)', async (id, scheme, make, says, limits) => {
    const { verdict, hints } = await listening(make(), (port) =>
      judgeBanners(`${scheme}://127.0.0.1:${port}`, {}, limits),
    );
    expect(verdict).toBe('inconclusive');
    expect(hints?.[0]).toEqual({ id, text: expect.stringMatching(says) as string });
  });

  it('gets the hint connection-refused where nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(hintsOf(await judgeBanners(url, {}))).toEqual(['connection-refused']);
  });
});

describe('A proxy', () => {
  it('of the environment is used for the target', async () => {
    const asked: string[] = [];
    const server = createHttp(relay((target) => asked.push(target)));
    const result = await listening(server, (port) =>
      judgeBanners('http://target.test', { proxy: { http: `http://127.0.0.1:${port}` } }),
    );
    expect(result.verdict).toBe('passed');
    expect(asked).toContain('http://target.test/api/admin/banners');
    expect(asked.filter((target) => !target.startsWith('http://target.test/api/admin/'))).toEqual([]);
  });

  it('that refuses is named in a hint', async () => {
    const server = createHttp();
    server.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    const result = await listening(server, (port) =>
      judgeBanners('https://target.test', { proxy: { https: `http://127.0.0.1:${port}` } }),
    );
    expect([result.verdict, hintsOf(result)]).toEqual(['inconclusive', ['proxy']]);
  });

  it('is not used for loopback addresses', () => {
    const proxy = { http: 'http://proxy.test', https: 'http://proxy.test' };
    const uses = (url: string): boolean => proxyFor(new URL(url), { proxy }) !== undefined;
    expect(['http://localhost', 'http://127.0.0.1:1', 'https://127.1.2.3', 'http://[::1]:80'].filter(uses)).toEqual([]);
    expect(uses('http://target.test')).toBe(true);
  });

  it('is read from the usual variables, small letters first', () => {
    expect(proxyOf({})).toBeUndefined();
    expect(proxyOf({ NO_PROXY: '*' })).toBeUndefined();
    expect(proxyOf({ HTTP_PROXY: 'http://a', http_proxy: 'http://b', HTTPS_PROXY: 'http://c', NO_PROXY: 'x' })).toEqual(
      {
        http: 'http://b',
        https: 'http://c',
        no: 'x',
      },
    );
  });
});
