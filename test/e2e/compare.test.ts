import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../conformance/result/compare.ts';
import type { ObservationTable } from '../../conformance/result/observation-table.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli, printedSettings, startCli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, withServer } from '../support/target.ts';

const DEFECT = 'update-open-without-key';
const folder = temporaryFolder();
const path = (name: string): string => folder.at(`${name}.json`);

/** Starts a server as a user would, judges it with the settings that it prints, and ends it. */
async function judgeServed(name: string, ...args: string[]): Promise<void> {
  const server = startCli(['serve', ...args]);
  try {
    await server.line(/ on http:/);
    await cli(['run', '--quiet', '--report', `json=${path(name)}`], printedSettings(server.stdout()));
  } finally {
    server.process.kill('SIGTERM');
    await server.ended;
  }
}

beforeAll(async () => {
  await judgeServed('reference');
  await judgeServed('defect', '--defect', DEFECT);
  await judgeServed('variant', '--variant', 'role-object-with-name');
});

describe('compare', () => {
  it('exits with 1 where a target got worse, and with 0 the other way round', async () => {
    const worse = await cli(['compare', path('reference'), path('defect'), '--format', 'json']);
    const comparison = JSON.parse(worse.stdout) as Comparison;
    expect(worse.code).toBe(1);
    expect(comparison).toMatchObject({ worse: true, verdict: { from: 'passed', to: 'failed', direction: 'worse' } });
    expect(comparison.findings).toMatchObject([{ id: 'auth.key-required', change: 'new' }]);
    const failing = comparison.newlyFailing.map(({ id }) => id);
    expect(failing).toContain('auth-update-no-header');
    const markdown = await cli(['compare', path('reference'), path('defect'), '--format', 'markdown']);
    expect(markdown.stdout).toContain('| `auth-update-no-header` | must | passed | failed |');

    const better = await cli(['compare', path('defect'), path('reference'), '--format', 'json']);
    expect(better.code).toBe(0);
    expect((JSON.parse(better.stdout) as Comparison).findings).toMatchObject([{ change: 'fixed' }]);
    expect((JSON.parse(better.stdout) as Comparison).newlyPassing.map(({ id }) => id)).toEqual(
      expect.arrayContaining(failing),
    );
  });

  it('takes a conforming variant for no worse', async () => {
    const { stdout } = await succeeds(cli(['compare', path('reference'), path('variant')]));
    expect(stdout).toContain('open.root-role-response');
    expect(stdout).toMatch(/^ CHANGED /);
  });
});

describe('observations', () => {
  const files = ['reference', 'variant'].map(path);

  it('tables results under the names of their files, or under given ones', async () => {
    const { stdout } = await succeeds(cli(['observations', ...files, `broken=${path('defect')}`, '--format', 'json']));
    const { columns, rows } = JSON.parse(stdout) as ObservationTable;
    expect(columns.map(({ name }) => name)).toEqual(['reference', 'variant', 'broken']);
    const role = rows.find(({ id }) => id === 'open.root-role-response');
    expect(role?.differs).toBe(true);
    expect(role?.cells.map((cell) => cell?.observed)).toEqual(['integer', 'object', 'integer']);
  });

  it.each(['pretty', 'markdown', 'csv'])('shows the rows that differ alone, as %s', async (format) => {
    const { stdout } = await succeeds(cli(['observations', ...files, '--differing', '--format', format]));
    expect(stdout).toContain('open.root-role-response');
    expect(stdout).not.toContain('open.empty-body');
  });
});

describe('run --quiet', () => {
  it('says the verdict in one line, and nothing on stderr', async () => {
    const { stdout, stderr } = await succeeds(cli(['run', '--reference', '--quiet']));
    expect(stdout).toMatch(
      /^passed {2}http:\S+, contract \S+: (\d+) of \1 must checks passed, (\d+) of \2 should checks passed\n$/,
    );
    expect(stderr).toBe('');
  });

  it('tells where the journal was left', async () => {
    const replace = () => ({ presentUser: ({ id, email }: { id: number; email?: string }) => ({ id, email }) });
    await withServer({ replace }, async (server) => {
      const environment = { ...environmentFor(server), CONFORMANCE_OTHER_USER_ID: '' };
      const journal = path('journal');
      const { stderr } = await cli(['run', '-q', '--journal', journal], environment);
      expect(stderr).toBe(`not every user was restored; try: admin-api-conformance restore ${journal}\n`);
      expect(JSON.parse(readFileSync(journal, 'utf8'))).toMatchObject({ journalVersion: 1 });
    });
  });
});

it('run --verbose tells of every exchange on stderr, without the keys, and leaves stdout as it is', async () => {
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

describe('help', () => {
  it('for a command is what --help prints, whatever else is said', async () => {
    const { stdout } = await succeeds(cli(['help', 'plan']));
    expect(stdout).toMatch(/^Usage: admin-api-conformance plan /);
    expect((await cli(['plan', '--nonsense', '-h'])).stdout).toBe(stdout);
  });

  it('alone lists the commands', async () => {
    const { stdout } = await cli(['help']);
    for (const command of ['run', 'compare', 'observations']) expect(stdout).toContain(`\n  ${command} `);
  });
});
