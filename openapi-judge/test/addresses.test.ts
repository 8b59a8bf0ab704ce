/** Documents at addresses: a server on this machine responds in ways that are refused, each with one clear line. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { textAt } from '../src/documents/addresses.ts';
import { loadDescription } from '../src/load.ts';

const DOCUMENT = '{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": {} }';
const MIB = Buffer.alloc(1024 * 1024, ' ');

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

/** More than is read; whoever reads may go before its end. */
function flood(response: ServerResponse): void {
  pipeline(Readable.from(Array.from({ length: 100 }, () => MIB)), response, () => undefined);
}

const PAGES: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/api.json': (response) => response.end(DOCUMENT),
  '/moved': (response) => redirect(response, '/api.json'),
  '/circle': (response) => redirect(response, '/circle'),
  '/file': (response) => redirect(response, 'file:///etc/hostname'),
  '/nowhere': (response) => redirect(response, 'http://'),
  '/login': (response) => response.setHeader('content-type', 'text/html; charset=utf-8').end('<h1>Log in</h1>'),
  '/gone': (response) => response.writeHead(404).end(),
  '/flood': flood,
  '/parts.json': (response) => response.end(DOCUMENT.replace('{}', '{ "/a": { "$ref": "parts.json" } }')),
  '/silent': () => server.emit('silent'),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    response.destroy();
  },
};
const server = createServer(({ url = '' }, response) => void PAGES[url]?.(response));
/** Whether certificates can be made. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** The address of a server that listens from now on. */
async function listening(some: Server): Promise<string> {
  await once(some.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(some.address() as AddressInfo).port}`;
}

let origin = '';
beforeAll(async () => {
  origin = `http://${await listening(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a document at an address', () => {
  it.each(['/api.json', '/moved'])('is read: %s', async (path) => {
    const { root } = await loadDescription('base', `${origin}${path}`, { url: true });
    expect(root.openapi).toBe('3.1.0');
  });

  it.each([
    ['/gone', 'it responds with status 404'],
    ['/circle', 'it leads to others too often'],
    ['/file', 'it leads to file://, which is not followed'],
    ['/nowhere', 'it is no valid address, or leads to none'],
    ['/login', 'it responds with a page of HTML, not with a document'],
    ['/flood', 'it is larger than 64 MiB'],
    ['/cut', 'it cannot be reached'],
    ['/parts.json', 'it refers to other files, which are not read from an address'],
  ])('is refused: %s', async (path, why) => {
    const address = `${origin}${path}`;
    await expect(loadDescription('base', address, { url: true })).rejects.toThrow(new Error(`${address}: ${why}.`));
  });

  it('is refused with a password, which no message shows', async () => {
    const address = origin.replace('//', '//me:secret@');
    const shown = origin.replace('//', '//***@');
    await expect(textAt(address)).rejects.toThrow(`${shown}: an address with a user or password is not read.`);
    await expect(loadDescription('base', address)).rejects.toThrow(
      `${shown}: addresses are read with --allow-url only.`,
    );
  });

  it.runIf(hasOpenssl)('is followed from https to https, and not from https to http', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-judge-addresses-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', ...pair, '-subj', '/CN=127.0.0.1'], { stdio: 'ignore' });
    const pages: typeof PAGES = {
      ...PAGES,
      '/plain': (response: ServerResponse) => redirect(response, `${origin}/api.json`),
    };
    const credentials = { key: readFileSync(key), cert: readFileSync(cert) };
    const secure = createSecureServer(credentials, ({ url = '' }, response) => void pages[url]?.(response));
    const address = `https://${await listening(secure)}`;
    onTestFinished(() => {
      secure.closeAllConnections();
      secure.close();
    });
    await expect(textAt(`${address}/api.json`)).rejects.toThrow(`${address}/api.json: it cannot be reached.`);
    // Nothing but this server vouches for its certificate.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await textAt(`${address}/moved`)).toBe(DOCUMENT);
    await expect(textAt(`${address}/plain`)).rejects.toThrow(
      `${address}/plain: it leads to http://, which is not followed.`,
    );
  });

  it('is refused if it does not come to an end in time', async () => {
    const arrived = once(server, 'silent');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refused = expect(textAt(`${origin}/silent`)).rejects.toThrow(
      `${origin}/silent: no whole response within 30 s.`,
    );
    await arrived;
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    await refused;
  });
});
