import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ObservationTable } from '../../conformance/result/several/observation-table.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkResult, failedCheck, resultOf } from '../support/results.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();

/** Writes a result in which a role was seen as this. */
function written(name: string, observed: string, check = checkResult()): string {
  const verdict = check.outcome === 'failed' ? 'failed' : 'passed';
  const observations = [
    { id: 'open.root-role-response', observed, text: 'A role is shown as this.' },
    { id: 'open.empty-body', observed: 'accepted', text: 'An empty body is accepted.' },
  ];
  return folder.write(`${name}.json`, JSON.stringify(resultOf([check], { verdict, observations })));
}

const reference = written('reference', 'integer');
const defect = written('defect', 'integer', failedCheck('lost'));
const variant = written('variant', 'object');

it('compare exits with 1 where a target got worse, and with 0 the other way round', async () => {
  const worse = await cli(['compare', reference, defect, '--format', 'json']);
  expect([worse.code, JSON.parse(worse.stdout)]).toMatchObject([1, { worse: true }]);
  const markdown = await cli(['compare', reference, defect, '--format', 'markdown']);
  expect(markdown.stdout).toContain('<b>update-name-stored</b> must passed → failed');
  const better = await succeeds(cli(['compare', defect, reference, '--format', 'json']));
  expect(JSON.parse(better.stdout)).toMatchObject({ worse: false });
});

it('observations tables results under the names of their files, or under given ones', async () => {
  const args = ['observations', reference, variant, `broken=${defect}`, '--format', 'json'];
  const { columns } = JSON.parse((await succeeds(cli(args))).stdout) as ObservationTable;
  expect(columns.map(({ name }) => name)).toEqual(['reference', 'variant', 'broken']);
  const { stdout } = await succeeds(cli(['observations', reference, variant, '--differing', '--format', 'csv']));
  expect(stdout).toContain('open.root-role-response');
  expect(stdout).not.toContain('open.empty-body');
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
    const seed = { ...defaultSeed, users: defaultSeed.users.map((user) => ({ ...user, name: null })) };
    await withServer({ seed }, async (server) => {
      const environment = { ...environmentFor(server), CONFORMANCE_OTHER_USER_ID: '' };
      const journal = folder.at('journal.json');
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
    expect(stderr).toContain('"[withheld: contains a key]"');
    for (const key of Object.values(keys)) expect(stderr).not.toContain(key);
  });
});

it('help for a command is what --help prints, whatever else is said', async () => {
  const { stdout } = await succeeds(cli(['help', 'plan']));
  expect(stdout).toMatch(/^Usage: admin-api-conformance plan /);
  expect((await cli(['plan', '--nonsense', '-h'])).stdout).toBe(stdout);
  expect((await cli(['help'])).stdout).toContain('\n  plan ');
});
