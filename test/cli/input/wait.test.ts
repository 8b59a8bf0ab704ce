import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitForTarget } from '../../../cli/input/wait.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { cli, type CliResult, TYPESCRIPT } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { environmentOf } from '../../../cli/input/settings.ts';
import { inputsFor } from '../../../proof/servers/behaviour.ts';

const folder = temporaryFolder();
const endless = (): AbortSignal => new AbortController().signal;

it('waiting for a target ends once the target responds with something else than 502 and 503, and sends no key', async () => {
  const port = await freePort();
  const statuses = [503, 502, 404];
  const keys: unknown[] = [];
  const waiting = waitForTarget(new URL(`http://127.0.0.1:${port}/base`), endless());
  const server = createServer(({ headers }, response) => {
    keys.push(headers.authorization);
    response.writeHead(statuses.shift() ?? 500).end();
  }).listen(port, '127.0.0.1');
  expect(await waiting).toBeUndefined();
  server.close();
  expect(statuses).toEqual([]);
  expect(keys).toEqual([undefined, undefined, undefined]);
});

it('run --wait says in one line that a target did not come up, and writes every report', async () => {
  const [json, junit] = [folder.at('r.json'), folder.at('r.xml')];
  const reports = ['--report', `json=${json}`, '--report', `junit=${junit}`];
  const address = `http://127.0.0.1:${await freePort()}`;
  const { code, stderr } = await cli(['run', address, '--wait', '1', ...reports], { CONFORMANCE_ADMIN_KEY: 'a-key' });
  expect(stderr).toMatch(/: 127\.0\.0\.1:\d+ was not ready within 1 second \(ECONNREFUSED\)\. .*--wait\.\n/);
  expect(code).toBe(3);
  const result = JSON.parse(readFileSync(json, 'utf8')) as Result;
  expect(result.hints?.map(({ id }) => id)).toEqual(['connection-refused']);
  expect(readFileSync(junit, 'utf8')).toContain('Nothing listens');
});

/** The command as its sources are: no build may be in progress, or missing. */
const SERVE = [process.execPath, '--import', TYPESCRIPT, resolve(import.meta.dirname, '../../../cli/main.ts'), 'serve'];

describe('run --server', () => {
  /** Another process may take the port before the server does; then that ends, and another port is tried. */
  async function judgeStarted(): Promise<CliResult & { readonly address: string }> {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const serve = [...SERVE, '--port', String(port)].map((word) => `'${word}'`).join(' ');
    // The shell, and a process that it does not wait for: both are of the group.
    const args = ['run', address, '--wait', '3600', '--server', `{ ${serve} || kill 0; } & sleep 1000`];
    const judged = await cli(args, environmentOf(inputsFor(address)));
    return judged.stderr.includes('the port is in use') ? judgeStarted() : { ...judged, address };
  }

  it('starts the target, waits for it, judges it, and ends all of its processes', async () => {
    const { code, stdout, stderr, address } = await judgeStarted();
    expect(stderr).toContain('CONFORMANCE_ADMIN_KEY');
    expect(stdout).toMatch(/^ PASSED /);
    expect(code).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  it('says that the command ended, and what was wrong with the target then', async () => {
    const { code, stderr, stdout } = await cli(
      ['run', `http://127.0.0.1:${await freePort()}`, '--server', 'echo no such thing >&2; false'],
      { CONFORMANCE_ADMIN_KEY: 'a-key' },
    );
    expect(stderr).toContain('no such thing\n');
    expect(stderr).toContain('The command of --server ended.');
    expect(stdout).toContain('Nothing listens');
    expect(code).toBe(3);
  });
});
