import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { succeeds, tool } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { complete } from '../support/sample.ts';
import { read } from '../support/repository.ts';

const folder = temporaryFolder();

async function printed(script: string, ...args: string[]): Promise<string> {
  return (await succeeds(tool(`scripts/${script}`, args))).stdout;
}

const documentedIn = (page: string): string[][] => rowsOf(read(`docs/${page}`));

function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => /^\| [^-]/.test(line));
  return lines.map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** What the rows are called, without the sizes of a quick look. */
const namesOf = (rows: readonly string[][]): string[] => rows.map(([name = '']) => name.replaceAll(/[\d.]+/g, 'N'));

// A quick look takes the figures that are counted, not measured.
it('npm run bench prints figures with their goals, and docs/performance.md has the same rows', async () => {
  const rows = rowsOf(await printed('bench/bench.mjs', '--rounds', '1', ...(complete ? [] : ['--only', 'path'])));
  const names = namesOf(rows);
  const documented = documentedIn('performance.md').filter(
    (row) => complete || names.includes(namesOf([row])[0] ?? ''),
  );
  expect(namesOf(documented)).toEqual(names);
  expect(documented.map(([, , , goal]) => goal)).toEqual(rows.map(([, , , goal]) => goal));
  for (const run of ['a complete run', '--only must']) {
    const [, , value, , met] = rows.find(([name]) => name === `critical path of ${run}`) ?? [];
    expect(Number(value)).toBeGreaterThan(20);
    expect(met).toBe('yes');
  }
  // A quick look leaves the whole proof out.
  for (const [name, , value] of rows.slice(1))
    expect(value).toMatch(name?.startsWith('the whole proof') ? /^$/ : /^\d+(\.\d+)?( s| GB)?$/);
});

it.runIf(complete)(
  'npm run bench:peers lets other tools judge servers with faults, and docs/peers.md has its table',
  async () => {
    // What is installed anyway, and one server of each kind.
    const seed = process.env.TEST_SEED ?? '1';
    const tools = ['own', 'respect', 'prism'];
    const args = ['--only', tools.join(), '--sample', '1', '--rounds', '1', '--seed', seed];
    const [columns = [], ...rows] = rowsOf(await printed('bench/peers/bench.mjs', ...args));
    const [documentedColumns, ...documented] = documentedIn('peers.md');
    expect(documentedColumns).toEqual(columns);
    const cellOf = (row: readonly string[], column: string): string => row[columns.indexOf(column)] ?? '';
    const fixed = (row: readonly string[]): string[] =>
      ['tool', 'passes', 'not comparable'].map((column) => cellOf(row, column));
    expect(rows).toHaveLength(tools.length);
    expect(documented.map(fixed)).toEqual(expect.arrayContaining(rows.map(fixed)));
    for (const row of rows) {
      expect(cellOf(row, 'passes')).toBe('yes');
      expect(Number(cellOf(row, 'requests'))).toBeGreaterThan(10);
    }
    const [own = []] = rows;
    const found = ['`must` defects', '`should` defects'].map((column) => cellOf(own, column).split(' of ').map(Number));
    for (const [killed, tried] of found) expect(killed).toBe(tried);
    expect(found.reduce((sum, [, tried = 0]) => sum + tried, 0)).toBe(1);
  },
);

it('npm run bench:fleet judges fleets of reference servers, and draws their growth', async () => {
  const chart = folder.at('growth.svg');
  const stdout = await printed('bench/fleet.mjs', '--sizes', '1,2', '--parallel', '2', '--chart', chart);
  expect(stdout).toMatch(/^targets +seconds +CPU +memory\n +1 +\d+\.\d s .*\n +2 +\d+\.\d s .*\n$/);
  const svg = readFileSync(chart, 'utf8');
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(svg).toMatch(/<title id="title">Time and memory of a fleet\. 1 targets: \d+ s.*; 2 targets: \d+ s/);
  expect(svg).not.toMatch(/NaN|undefined/);
});
