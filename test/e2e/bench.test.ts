import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { cleanEnvironment } from '../support/cli.ts';

/** The longest chains of requests that wait for each other, against a conforming server. */
const MOST = 60;
const MOST_OF_MUST = 40;

const bench = resolve(import.meta.dirname, '../../scripts/bench.mjs');

it('npm run bench compares a run with a bare script that sends the same requests', () => {
  const options = { env: cleanEnvironment(), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '--rounds', '1'], options);
  expect(status, stderr).toBe(0);
  const [, requests, path] = /^requests +(\d+), (\d+) of them on the critical path\n/.exec(stdout) ?? [];
  const [, pathOfMust] = /^--only must +\d+, (\d+) of them on the critical path\n/m.exec(stdout) ?? [];
  expect(Number(requests)).toBeGreaterThan(250);
  expect(Number(path)).toBeGreaterThan(20);
  expect(Number(path)).toBeLessThanOrEqual(MOST);
  expect(Number(pathOfMust)).toBeLessThanOrEqual(MOST_OF_MUST);
  expect(stdout).toMatch(/^50 ms away +\d+ ms, \d+\.\d+ times the critical path\n/m);
  expect(stdout).toMatch(/^complete run +\d+ ms\nbare script +\d+ ms\nratio +\d+\.\d+ \(median of 1\)\n$/m);
});
