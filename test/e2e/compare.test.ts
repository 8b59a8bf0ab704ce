import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../conformance/result/compare.ts';
import type { ObservationTable } from '../../conformance/result/observation-table.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli, startCli } from '../support/cli.ts';
import { environmentFor, withServer } from '../support/target.ts';

const DEFECT = 'update-open-without-key';
const folder = mkdtempSync(join(tmpdir(), 'conformance-compare-'));
const path = (name: string): string => join(folder, `${name}.json`);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Starts a server as a user would, judges it with the settings that it prints, and ends it. */
async function judgeServed(name: string, ...args: string[]): Promise<void> {
  const server = startCli(['serve', ...args]);
  try {
    await server.line(/ on http:/);
    const settings = [...server.stdout().matchAll(/^export (\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]);
    await cli(
      ['run', '--quiet', '--report', `json=${path(name)}`],
      Object.fromEntries(settings) as Record<string, string>,
    );
  } finally {
    server.process.kill('SIGTERM');
    await server.ended;
  }
}

beforeAll(async () => {
  await judgeServed('reference');
  await judgeServed('defect', '--defect', DEFECT);
  await judgeServed('variant', '--variant', 'role-object-with-id');
});

describe('compare', () => {
  it('finds nothing between a result and itself', async () => {
    const { code, stdout, stderr } = await cli(['compare', path('reference'), path('reference')]);
    expect(stdout).toBe(' SAME   The verdict is passed, as before. Nothing differs.\n');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('exits with 1 where a target got worse, and with 0 the other way round', async () => {
    const worse = await cli(['compare', path('reference'), path('defect'), '--format', 'json']);
    const comparison = JSON.parse(worse.stdout) as Comparison;
    expect(worse.code).toBe(1);
    expect(comparison).toMatchObject({ worse: true, verdict: { from: 'passed', to: 'failed', direction: 'worse' } });
    const failing = comparison.newlyFailing.map(({ id }) => id);
    expect(failing).toContain('auth-update-no-header');

    const better = await cli(['compare', path('defect'), path('reference'), '--format', 'json']);
    expect(better.code).toBe(0);
    expect((JSON.parse(better.stdout) as Comparison).newlyPassing.map(({ id }) => id)).toEqual(
      expect.arrayContaining(failing),
    );
    const words = await cli(['compare', path('defect'), path('reference')]);
    expect(words.stdout).toMatch(/^ BETTER {3}\d+ checks got better\. The verdict was failed and is passed\.\n/);
  });

  it('tells of the failures in words, and as Markdown', async () => {
    const { stdout } = await cli(['compare', path('reference'), path('defect')]);
    expect(stdout).toMatch(/^ WORSE {3}\d+ checks got worse\. The verdict was passed and is failed\.\n/);
    expect(stdout).toMatch(/▼ auth-update-no-header {2}must {2}passed → failed\n/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const markdown = await cli(['compare', path('reference'), path('defect'), '--format', 'markdown']);
    expect(markdown.code).toBe(1);
    expect(markdown.stdout).toContain('| `auth-update-no-header` | must | passed | failed |');
  });

  it('takes a conforming variant for no worse', async () => {
    const { code, stdout } = await cli(['compare', path('reference'), path('variant')]);
    expect(stdout).toContain('open.root-role-response');
    expect(stdout).toMatch(/^ CHANGED /);
    expect(code).toBe(0);
  });
});

describe('observations', () => {
  const files = ['reference', 'variant'].map(path);

  it('tables results under the names of their files, or under given ones', async () => {
    const { code, stdout } = await cli(['observations', ...files, `broken=${path('defect')}`, '--format', 'json']);
    expect(code).toBe(0);
    const { columns, rows } = JSON.parse(stdout) as ObservationTable;
    expect(columns.map(({ name }) => name)).toEqual(['reference', 'variant', 'broken']);
    const role = rows.find(({ id }) => id === 'open.root-role-response');
    expect(role?.differs).toBe(true);
    expect(role?.cells.map((cell) => cell?.observed)).toEqual(['integer', 'object', 'integer']);
  });

  it.each(['pretty', 'markdown', 'csv'])('shows the rows that differ alone, as %s', async (format) => {
    const { code, stdout } = await cli(['observations', ...files, '--differing', '--format', format]);
    expect(code).toBe(0);
    expect(stdout).toContain('open.root-role-response');
    expect(stdout).not.toContain('open.empty-body');
  });

  it('fits 80 columns', async () => {
    const { stdout } = await cli(['observations', ...files]);
    expect(stdout).toContain('open.empty-body');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('compare and observations refuse in one line', () => {
  it.each<[string, string[], RegExp]>([
    ['one result only', ['compare', 'a.json'], /compare: give two results, the earlier one first/],
    ['three results', ['compare', 'a', 'b', 'c'], /"c" is one argument too many/],
    ['a result that is not there', ['compare', 'no.json', 'no.json'], /no\.json: there is no such file\./],
    ['an unknown format', ['compare', 'a', 'b', '--format', 'html'], /"html" is not one of pretty, json, markdown/],
    ['no result', ['observations'], /observations: give the results to table/],
    [
      'two of one name',
      ['observations', path('variant'), path('variant')],
      /two results are called variant; name them/,
    ],
    ['a file that is no result', ['observations', 'x=package.json'], /package\.json: it is not a result/],
  ])('%s', async (_what, args, says) => {
    const { code, stdout, stderr } = await cli(args);
    expect(stderr).toMatch(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('run --quiet', () => {
  it('says the verdict in one line, and nothing on stderr', async () => {
    const { code, stdout, stderr } = await cli(['run', '--reference', '--quiet']);
    expect(stdout).toMatch(
      /^passed {2}http:\S+, contract \S+: (\d+) of \1 must checks passed, (\d+) of \2 should checks passed\n$/,
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('names each failure, and says why how many was inconclusive', async () => {
    await withServer({ replace: () => ({ authorizeUpdate: () => undefined }) }, async (server) => {
      const environment = { ...environmentFor(server), CONFORMANCE_ROLE_IDS: '' };
      const { code, stdout } = await cli(['run', '-q'], environment);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^failed {2}http/);
      expect(stdout).toMatch(/\nfailed {2}permission-name {2}must {2}\S+\n/);
      expect(stdout).toMatch(/\ninconclusive {2}missing-input {2}\d+ checks\n/);
    });
  });

  it('still gives the whole result with --format json', async () => {
    const { stdout } = await cli(['run', '--reference', '-q', '--format', 'json']);
    expect((JSON.parse(stdout) as Result).verdict).toBe('passed');
  });

  it('tells where the journal was left', async () => {
    const replace = () => ({ presentUser: ({ id, email }: { id: number; email?: string }) => ({ id, email }) });
    await withServer({ replace }, async (server) => {
      const environment = { ...environmentFor(server), CONFORMANCE_OTHER_USER_ID: '' };
      const journal = path('journal');
      const { stderr } = await cli(['run', '-q', '--journal', journal], environment);
      expect(stderr).toBe(`not every user is as before; try: admin-api-conformance restore ${journal}\n`);
      expect(JSON.parse(readFileSync(journal, 'utf8'))).toMatchObject({ journalVersion: 1 });
    });
  });
});

describe('run --verbose', () => {
  it('tells of every exchange on stderr, without the keys, and leaves stdout as it is', async () => {
    const replace = () => ({
      refuse: (status: number, message: string) => ({
        status,
        body: { id: 'x', name: 'Echo', message, keys: Object.values(keys) },
      }),
    });
    const keys = { admin: 'S3cret-Admin-Key-of-verbose', restricted: 'S3cret-Restricted-Key' };
    await withServer({ replace, seed: { ...defaultSeed, keys } }, async (server) => {
      const { stdout, stderr } = await cli(['run', '--verbose', '--format', 'json'], environmentFor(server));
      const { summary } = JSON.parse(stdout) as Result;
      const told = stderr.match(/^ {0,3}\d+ {2}(PUT|GET) \S+ {2}\d{3} {2}/gm) ?? [];
      expect(told).toHaveLength(summary.requests);
      expect(stderr).toContain('      An update with no Authorization header\n');
      expect(stderr).toContain('"[restricted key]"');
      for (const key of Object.values(keys)) expect(stderr).not.toContain(key);
    });
  });

  it('and --quiet exclude each other', async () => {
    const { code, stderr } = await cli(['run', '--reference', '--quiet', '--verbose']);
    expect(stderr).toMatch(/--quiet and --verbose exclude each other/);
    expect(code).toBe(2);
  });
});

describe('help', () => {
  it.each(['run', 'plan', 'serve', 'list', 'explain', 'restore', 'compare', 'observations', 'schema'])(
    'for %s needs no manual: usage, an example, exit codes, in 80 columns',
    async (command) => {
      const { code, stdout } = await cli(['help', command]);
      expect(code).toBe(0);
      expect(stdout).toBe((await cli([command, '--help'])).stdout);
      expect(stdout).toMatch(/^Usage: admin-api-conformance /);
      expect(stdout).toMatch(/\nExamples?\b.*:\n {2}admin-api-conformance /);
      expect(stdout).toMatch(/\nExit codes: 0/);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  it('alone lists the commands; for an unknown one it has a near miss', async () => {
    const { stdout } = await cli(['help']);
    for (const command of ['run', 'compare', 'observations']) expect(stdout).toContain(`\n  ${command} `);
    const { code, stderr } = await cli(['help', 'compere']);
    expect(stderr).toContain('Did you mean compare?');
    expect(code).toBe(2);
  });
});
