import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runGate } from '../../../contract/gate/command.ts';
import { type CliResult, expectUsageError, inThisProcess, succeeds, tool } from '../../support/process.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { read } from '../../support/repository.ts';

const { path: folder, at, write } = temporaryFolder();

/** Runs the gate; the lint, which has tests of its own, finds nothing. */
const gate = (args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<CliResult> =>
  inThisProcess(() => runGate(args, () => []), { folder, environment });

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

const published = read('openapi.yaml').replace(/^ {2}version: .*$/m, '  version: 1.0.0');

/** Writes the contract with a text replaced, under a version, with or without an entry in the changelog. */
function change(from: string, to: string, version: string, entry = true): void {
  if (!published.includes(from)) throw new Error(`${from} is not in the contract`);
  write('openapi.yaml', published.replace(from, to).replace('  version: 1.0.0', `  version: ${version}`));
  write('CHANGELOG.md', entry ? `# Changelog\n\n## Unreleased, contract ${version}\n\n- A change.\n` : '# Changelog\n');
}

beforeAll(() => {
  git('init', '--quiet');
  write('openapi.yaml', published);
  git('add', '.');
  git('commit', '--quiet', '-m', 'Publish the contract');
  git('tag', 'start');
});

beforeEach(() => {
  git('reset', '--hard', '--quiet', 'start');
  git('clean', '-fdq');
  git('tag', '--force', 'v0.1.0', 'start');
});

const TYPO = ['names a JSON media type', 'names a JSON meda type'] as const;
const REUSED = ["is an integer or an object.'", "is a string.'"] as const;
const BREAKING = ['required: [id, name, message]', 'required: [id, name]'] as const;
const RENAMED = ['- id: user.scim-id\n', '- since: 2.0.0\n              id: user.scim\n'] as const;

/** Adds requirements that came with 1.1.0. */
const adding = (...ids: readonly string[]): [string, string] => {
  const place = 'x-requirements:\n  - id: bodies.json\n';
  const entry = (id: string): string =>
    `  - id: ${id}\n    since: 1.1.0\n    level: must\n    text: A ${id}.\n    source: none\n`;
  return [place, place.replace('\n', `\n${ids.map(entry).join('')}`)];
};

describe('npm run gate', () => {
  it.each<[what: string, edit: readonly [string, string], version: string, code: number, says: RegExp, silent?: true]>([
    ['lets a typo pass', TYPO, '1.0.1', 0, /Clients: compatible.*at least a patch.*PASSED.*compared with HEAD\./s],
    ['stops a breaking change with a minor version', BREAKING, '1.1.0', 1, /Clients: breaking.*FAILED: version\./s],
    ['stops a silent change', TYPO, '1.0.1', 1, /add "## Unreleased, contract 1\.0\.1".*FAILED: changelog\./s, true],
    ['stops an id with another meaning', REUSED, '2.0.0', 1, /The meaning of an id must not change: user\.root-role/],
    ['stops an id that is gone without record', RENAMED, '2.0.0', 1, /user\.scim-id is gone, and .*FAILED: ids\./s],
  ])('%s', async (_what, edit, version, expected, says, silent) => {
    change(...edit, version, silent !== true);
    const { code, stdout } = await gate(['--base', 'HEAD']);
    expect(stdout).toMatch(says);
    expect(code).toBe(expected);
  });

  it('compares with a file, and lets a listed id be renamed', async () => {
    change(...RENAMED, '2.0.0');
    write('contract/changes.yaml', '2.0.0:\n  user.scim-id: Withdrawn.\n');
    write('published.yaml', published);
    expect((await gate(['--base', 'published.yaml'])).code).toBe(0);
  });

  it('counts from the last release: two changes in a row need one version, and a candidate is no release', async () => {
    change(...adding('bodies.one'), '1.1.0');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Add a requirement');
    git('tag', '--force', 'v0.2.0-rc.1');
    change(...adding('bodies.one', 'bodies.two'), '1.1.0');
    const second = await succeeds(gate([]));
    expect(second.stdout).toMatch(/compared with HEAD\. Versions count from v0\.1\.0 \(contract 1\.0\.0\)\./);
    const released = await gate(['--released', 'HEAD']);
    expect(released.stdout).toMatch(/set it to 1\.2\.0 or more.*FAILED: version\./s);
  });

  it('lets the version stay before the first release, but not go down', async () => {
    git('tag', '--delete', 'v0.1.0');
    change(...BREAKING, '1.0.0');
    expect((await succeeds(gate([]))).stdout).toContain('Nothing is released yet, so the version may stay.');
    change(...BREAKING, '0.9.0');
    expect((await gate([])).stdout).toContain('info.version went down from 1.0.0 to 0.9.0');
  });

  it('shows what the lint finds', async () => {
    const line = 'echo "an operation without a key" && false';
    write('package.json', JSON.stringify({ scripts: { 'lint:contract': line } }));
    const { code, stdout } = await tool('contract/gate/gate.ts', [], { folder });
    expect(stdout).toMatch(/✗ The contract is clean.*\n +an operation without a key\n/);
    expect(code).toBe(1);
  });

  it('annotates on GitHub, and fills the summary', async () => {
    change(...BREAKING, '1.0.0');
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('summary.md') };
    const { stdout } = await gate([], environment);
    expect(stdout).toMatch(/^::error file=openapi\.yaml,line=5::/m);
    expect(stdout).toMatch(/^::warning file=openapi\.yaml,line=\d+::Breaks clients/m);
    expect(readFileSync(at('summary.md'), 'utf8')).toContain('## FAILED: version');
  });

  it.each([
    [['--base', 'no-such-revision'], 'this git repository has no such revision'],
    [['--basis', 'HEAD'], 'Did you mean --base?'],
  ])('says in one line what is wrong with %j', async (args, said) => {
    expectUsageError(await gate(args), said);
  });
});

it('npm run gate:diff judges two files', async () => {
  write('base.yaml', published);
  write('head.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'None', version: '1.0.0' }, paths: {} }));
  const { stdout } = await succeeds(
    tool('contract/gate/diff.ts', ['base.yaml', 'head.json', '--format', 'json'], { folder }),
  );
  const judgement = JSON.parse(stdout) as Record<string, unknown>;
  expect(judgement).toMatchObject({ clients: 'breaking', implementers: 'compatible', bump: 'major' });
});
