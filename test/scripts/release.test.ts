import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  changelogChapter,
  checksumProblem,
  checksumsOf,
  distributionTag,
  isLater,
  releaseProblems,
} from '../../scripts/release-rules.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'release-test-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const CHANGELOG = `# Changelog

## 0.3.0, contract 1.2.0

- New.

## 0.2.0, contract 1.1.0

- Old.
`;

const GOOD = {
  tag: 'v0.3.0',
  manifest: { version: '0.3.0', repository: { type: 'git', url: 'git+https://github.com/owner/name.git' } },
  lock: { version: '0.3.0', packages: { '': { version: '0.3.0' } } },
  changelog: CHANGELOG,
  contractVersion: '1.2.0',
  repository: 'owner/name',
};

describe('a release', () => {
  it('is possible where tag, versions, changelog and repository agree', () => {
    expect(releaseProblems(GOOD)).toEqual([]);
    expect(releaseProblems({ ...GOOD, manifest: { ...GOOD.manifest, repository: 'github:owner/name' } })).toEqual([]);
  });

  it.each([
    ['another tag', { tag: 'v0.2.0' }, 'v0.3.0'],
    ['a tag without its letter', { tag: '0.3.0' }, 'v0.3.0'],
    [
      'a lock file of another version',
      { lock: { version: '0.3.0', packages: { '': { version: '0.2.0' } } } },
      'package-lock',
    ],
    [
      'no chapter',
      { changelog: '# Changelog\n\n## Unreleased, contract 1.2.0\n\n- New.\n' },
      '## 0.3.0, contract 1.2.0',
    ],
    ['a chapter that is not the first', { changelog: `## Unreleased, contract 1.3.0\n\n${CHANGELOG}` }, 'first'],
    ['a chapter that says nothing', { changelog: CHANGELOG.replace('- New.\n', '') }, 'says nothing'],
    ['a chapter of another contract', { contractVersion: '1.3.0' }, '1.3.0'],
    ['no repository', { manifest: { version: '0.3.0' } }, 'repository'],
    ['another repository', { repository: 'fork/name' }, 'fork/name'],
    ['a package that is private', { manifest: { ...GOOD.manifest, private: true } }, 'private'],
  ])('is not possible with %s', (_what, change, named) => {
    const problems = releaseProblems({ ...GOOD, ...change });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(named);
  });

  it('is listed by npm as latest only if it is no version before one', () => {
    expect(['1.0.0', '1.0.0-rc.1'].map(distributionTag)).toEqual(['latest', 'next']);
  });
});

describe('a chapter of the changelog', () => {
  it('ends where the next begins', () => {
    expect(changelogChapter(CHANGELOG, '0.3.0')).toEqual({ contract: '1.2.0', body: '- New.', first: true });
    expect(changelogChapter(CHANGELOG, '0.2.0')).toEqual({ contract: '1.1.0', body: '- Old.', first: false });
  });

  it('is not found by a part of its version', () => {
    expect(changelogChapter(CHANGELOG, '0.3')).toBeUndefined();
  });
});

describe('versions of the contract', () => {
  it.each([
    ['1.10.0', '1.9.0', true],
    ['1.9.0', '1.10.0', false],
    ['2.0.0', '1.99.99', true],
    ['1.0.1', '1.0.0', true],
    ['1.0.0', '1.0.0', false],
  ])('%s comes after %s: %s', (one, other, later) => {
    expect(isLater(one, other)).toBe(later);
  });
});

describe('checksums', () => {
  const files = { b: 'two', a: 'one' };

  it('fit the files that they were made of', () => {
    expect(checksumProblem({ ...files, 'checksums.txt': checksumsOf(files) })).toBeUndefined();
  });

  it.each([
    ['a file that changed', { ...files, a: 'other' }, 'a is not'],
    ['a file that is gone', { b: 'two' }, 'a is not'],
    ['a file that came', { ...files, c: 'three' }, 'c is not'],
  ])('do not fit %s', (_what, found, named) => {
    expect(checksumProblem({ ...found, 'checksums.txt': checksumsOf(files) })).toContain(named);
  });

  it('are missed', () => {
    expect(checksumProblem(files)).toContain('missing');
  });
});

/** A clone that is about to be released, with commands in place of npm and gh that note how they were called. */
class Clone {
  readonly folder: string;
  readonly bin: string;

  constructor(name: string) {
    this.folder = join(folder, name);
    this.bin = join(this.folder, 'bin');
    mkdirSync(this.bin, { recursive: true });
    this.write('package.json', JSON.stringify({ name: 'x', ...GOOD.manifest }));
    this.write('CHANGELOG.md', CHANGELOG);
    cpSync(join(root, 'scripts'), join(this.folder, 'scripts'), { recursive: true });
    this.command('npm', '');
    this.command('gh', '');
  }

  write(path: string, content: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  /** Puts a command in place of another; it notes its arguments and what it is given, and then does something. */
  command(name: string, then: string): void {
    const note = `#!/bin/sh\nfor each in "$@"; do printf '%s\\n' "$each" >> '${this.folder}/${name}.log'; done\n`;
    writeFileSync(join(this.bin, name), `${note}${then}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }

  log(name: string): string[] {
    return readFileSync(join(this.folder, `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n');
  }

  release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    const environment = {
      ...process.env,
      PATH: `${this.bin}:${process.env.PATH ?? ''}`,
      GITHUB_REPOSITORY: 'owner/name',
    };
    const options = { cwd: this.folder, env: environment, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], options);
    return { status, stdout, stderr };
  }

  /** What `release:pack` leaves behind. */
  packed(): void {
    const files = { 'x-0.3.0.tgz': 'package', 'openapi.json': '{}' };
    for (const [name, content] of Object.entries(files)) this.write(`build/release/${name}`, content);
    this.write('build/release/checksums.txt', checksumsOf(files));
  }
}

let clone = new Clone('none');
let count = 0;

beforeEach(() => {
  clone = new Clone(String((count += 1)));
});

describe('the steps of a release', () => {
  it('print the notes', () => {
    expect(clone.release('notes')).toMatchObject({ status: 0, stdout: 'Contract 1.2.0.\n\n- New.\n' });
  });

  it('stop with a line where something does not agree', () => {
    clone.write('package-lock.json', JSON.stringify(GOOD.lock));
    clone.write('contract/openapi.json', JSON.stringify({ info: { version: '1.2.0' } }));
    expect(clone.release('check', 'v0.3.0')).toMatchObject({ status: 0, stdout: '0.3.0 can be released.\n' });
    const { status, stderr } = clone.release('check', 'v0.4.0');
    expect(status).toBe(1);
    expect(stderr).toContain('The tag is v0.4.0');
    expect(stderr).not.toContain('    at ');
  });

  it('publish the package that was packed, with provenance', () => {
    clone.packed();
    expect(clone.release('npm').status).toBe(0);
    expect(clone.log('npm')).toEqual([
      'publish',
      './build/release/x-0.3.0.tgz',
      '--provenance',
      '--access',
      'public',
      '--tag',
      'latest',
      '--ignore-scripts',
    ]);
  });

  it('publish nothing that is not as it was packed', () => {
    clone.packed();
    clone.write('build/release/x-0.3.0.tgz', 'another package');
    const { status, stderr } = clone.release('npm');
    expect(status).toBe(1);
    expect(stderr).toContain('x-0.3.0.tgz is not what checksums.txt says');
    expect(readdirSync(clone.folder)).not.toContain('npm.log');
  });

  it('make the GitHub release with every file and the notes', () => {
    clone.packed();
    clone.command('gh', `cat > '${clone.folder}/notes.md'`);
    expect(clone.release('github', 'v0.3.0').status).toBe(0);
    expect(clone.log('gh')).toEqual([
      ...['release', 'create', 'v0.3.0', '--verify-tag', '--title', 'v0.3.0', '--notes-file', '-'],
      ...['checksums.txt', 'openapi.json', 'x-0.3.0.tgz'].map((file) => `build/release/${file}`),
    ]);
    expect(readFileSync(join(clone.folder, 'notes.md'), 'utf8')).toBe('Contract 1.2.0.\n\n- New.\n');
  });

  it('make no GitHub release for another tag', () => {
    clone.packed();
    expect(clone.release('github', 'v9.9.9')).toMatchObject({ status: 1 });
    expect(readdirSync(clone.folder)).not.toContain('gh.log');
  });

  it('take along the contracts of earlier releases', () => {
    const releases: Readonly<Record<string, string>> = {
      'v0.2.1': '1.1.0',
      'v0.2.0': '1.1.0',
      'v0.1.0': '1.0.0',
      'v0.0.9': '0.9.0',
    };
    for (const [tag, version] of Object.entries(releases)) {
      const files = {
        'openapi.json': JSON.stringify({ info: { version }, from: tag }),
        'user.schema.json': '{}',
        'x.tgz': tag,
      };
      for (const [name, content] of Object.entries(files)) clone.write(`github/${tag}/${name}`, content);
      clone.write(`github/${tag}/checksums.txt`, checksumsOf(files));
    }
    clone.write('github/v0.0.1/notes.txt', 'older than the contract');
    const tags = ['v0.3.0', ...Object.keys(releases), 'v0.0.1'].map((tagName) => ({ tagName }));
    clone.command(
      'gh',
      `if [ "$2" = list ]; then echo '${JSON.stringify(tags)}'; else cp '${clone.folder}/github/'"$3"/* "$5"; fi`,
    );
    clone.write('build/site/v1/openapi.json', 'of this release');
    clone.write('build/site/v1.2.0/openapi.json', 'of this release');

    const { status, stdout, stderr } = clone.release('earlier');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('v0.1.0: contract 1.0.0');
    const site = join(clone.folder, 'build/site');
    expect(readdirSync(site).sort()).toEqual(['v0', 'v0.9.0', 'v1', 'v1.0.0', 'v1.1.0', 'v1.2.0']);
    expect(readFileSync(join(site, 'v1/openapi.json'), 'utf8')).toBe('of this release');
    expect(readFileSync(join(site, 'v1.1.0/openapi.json'), 'utf8')).toContain('v0.2.1');
    expect(readdirSync(join(site, 'v0'), { recursive: true }).sort()).toEqual([
      'checksums.txt',
      'openapi.json',
      'schemas',
      'schemas/user.schema.json',
    ]);
    execFileSync('sha256sum', ['-c', 'checksums.txt'], { cwd: join(site, 'v1.0.0'), stdio: 'ignore' });
  });

  it('stop at a release that is not what its checksums say', () => {
    clone.write('github/openapi.json', '{}');
    clone.write('github/checksums.txt', checksumsOf({ 'openapi.json': 'other' }));
    clone.command(
      'gh',
      `if [ "$2" = list ]; then echo '[{"tagName":"v0.1.0"}]'; else cp '${clone.folder}/github/'* "$5"; fi`,
    );
    mkdirSync(join(clone.folder, 'build/site'), { recursive: true });
    expect(clone.release('earlier')).toMatchObject({ status: 1 });
  });

  it('are named where none is given', () => {
    const { status, stderr } = clone.release();
    expect(status).toBe(1);
    expect(stderr).toBe('release: Name a step: check, notes, pack, earlier, npm, github.\n');
  });
});
