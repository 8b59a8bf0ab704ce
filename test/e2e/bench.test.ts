import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { cleanEnvironment } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
/** The longest chains of requests that wait for each other, against a conforming server. */
const MOST = 60;
const MOST_OF_MUST = 40;

const bench = resolve(import.meta.dirname, '../../scripts/bench.mjs');
const benchFleet = resolve(import.meta.dirname, '../../scripts/bench-fleet.mjs');

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

it('npm run bench:fleet judges fleets of reference servers, and draws their growth', () => {
  const chart = folder.at('growth.svg');
  const options = { env: cleanEnvironment(), encoding: 'utf8' } as const;
  const args = ['--sizes', '1,2', '--parallel', '2', '--chart', chart];
  const { status, stdout, stderr } = spawnSync(process.execPath, [benchFleet, ...args], options);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^targets +seconds +CPU +memory\n +1 +\d+\.\d s .*\n +2 +\d+\.\d s .*\n$/);
  const svg = readFileSync(chart, 'utf8');
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(svg).toMatch(/<title id="title">Time and memory of a fleet\. 1 targets: \d+ s.*; 2 targets: \d+ s/);
  expect(svg).not.toMatch(/NaN|undefined/);
});
