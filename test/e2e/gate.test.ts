import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, expectUsageError, succeeds, tool } from '../support/cli.ts';
import { loadDescription } from '../../openapi-judge/src/index.ts';
import { casesBeside } from '../support/data.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read } from '../support/repository.ts';

const { path: folder, at, write } = temporaryFolder();

const command = (
  name: 'gate' | 'diff',
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> => tool(`contract-gate/${name}.ts`, args, { folder, environment });

const gate = (...args: string[]): Promise<CliResult> =>
  command('gate', ['--only', 'diff,version,changelog,ids,scored-set', ...args]);

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
  write('CHANGELOG.md', '# Changelog\n\n## 0.1.0, contract 1.0.0\n\n- The contract.\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Publish the contract');
});

beforeEach(() => {
  git('reset', '--hard', '--quiet');
  git('clean', '-fdq');
});

const TYPO = ['names a JSON media type', 'names a JSON meda type'] as const;
const REUSED = ["is an integer or an object.'", "is a string.'"] as const;
const BREAKING = ['required: [id, name, message]', 'required: [id, name]'] as const;

describe('the gate', () => {
  it('passes where nothing changed', async () => {
    const { stdout } = await succeeds(gate('--base', 'HEAD'));
    expect(stdout).toContain('Version: no bump is needed.');
    expect(stdout).toContain('PASSED. Not selected: lint, generated, reference, proof, coverage.');
  });

  it.each<[what: string, edit: readonly [string, string], version: string, code: number, says: RegExp, silent?: true]>([
    ['lets a typo pass', TYPO, '1.0.1', 0, /Clients: compatible.*Implementers: compatible.*at least a patch/s],
    ['stops a breaking change with a minor version', BREAKING, '1.1.0', 1, /Clients: breaking.*FAILED: version\./s],
    ['stops a silent change', TYPO, '1.0.1', 1, /add "## Unreleased, contract 1\.0\.1".*FAILED: changelog\./s, true],
    ['stops an id with another meaning', REUSED, '2.0.0', 1, /The meaning of an id may not change: user\.root-role/],
  ])('%s', async (_what, edit, version, expected, says, silent) => {
    change(...edit, version, silent !== true);
    const { code, stdout } = await gate('--base', 'HEAD');
    expect(stdout).toMatch(says);
    expect(code).toBe(expected);
  });

  it('lets an id that is retired be renamed', async () => {
    change('id: user.scim-id', 'id: user.scim', '2.0.0');
    write('contract/retired-ids.json', '[{ "id": "user.scim-id", "since": "2.0.0", "replacedBy": ["user.scim"] }]');
    expect((await gate('--base', 'HEAD')).code).toBe(0);
  });

  it('compares with a file as well', async () => {
    write('published.yaml', published);
    expect((await gate('--base', 'published.yaml')).code).toBe(0);
  });

  it('annotates on GitHub, and fills the summary', async () => {
    change(...BREAKING, '1.0.0');
    const summary = at('summary.md');
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { stdout } = await command('gate', ['--base', 'HEAD', '--only', 'version'], environment);
    expect(stdout).toMatch(/^::error file=openapi\.yaml,line=5::/m);
    const line = published
      .slice(0, published.indexOf('        message:\n          type: string\n          description: A human'))
      .split('\n').length;
    expect(stdout).toMatch(new RegExp(`^::warning file=openapi\\.yaml,line=${line + 1}::Breaks clients`, 'm'));
    expect(readFileSync(summary, 'utf8')).toContain('**FAILED: version.');
  });

  it('shows what is wrong in a script that fails, not its progress, and names what there is no script for', async () => {
    const lines = ['echo Judged', 'echo "✗ defect-1"', 'echo "    it was not killed"', 'seq -f "done %g" 60 >&2'];
    write('package.json', JSON.stringify({ scripts: { prove: `${lines.join('; ')}; seq 60; exit 1` } }));
    const { code, stdout } = await command('gate', ['--base', 'HEAD', '--only', 'proof,coverage']);
    expect(stdout).toContain('✗ defect-1\n');
    expect(stdout).toContain('    it was not killed\n');
    expect(stdout).toContain('… and 22 more lines');
    expect(stdout).not.toContain('done 60');
    expect(stdout).not.toContain('Judged');
    expect(code).toBe(1);
    expect(stdout).toContain('package.json has no script coverage:contract');
  });

  it.each([
    [['--base', 'no-such-revision'], 'is neither a file nor a revision'],
    [['--only', 'prof'], 'there is no step "prof"'],
  ])('says in one line what is wrong with %j', async (args, said) => {
    expectUsageError(await command('gate', args), said);
  });
});

describe('gate:diff', () => {
  it('judges two files', async () => {
    write('base.yaml', published);
    write('head.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'None', version: '1.0.0' }, paths: {} }));
    const { stdout } = await succeeds(command('diff', ['base.yaml', 'head.json']));
    const judgement = JSON.parse(stdout) as Record<string, unknown>;
    expect(judgement).toMatchObject({ clients: 'breaking', implementers: 'compatible', bump: 'major' });
  });

  it.each(casesBeside(import.meta.url) as [text: string, said: string][])(
    'says in one line what is wrong with %j',
    async (text, said) => {
      await expect(loadDescription('base', write('base.yaml', text))).rejects.toThrow(said);
    },
  );
});
