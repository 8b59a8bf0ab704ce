import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../support/process.ts';
import { temporaryFolder } from '../support/folder.ts';

const script = resolve(import.meta.dirname, '../../scripts/release.mjs');
const SECTION = '## 0.3.0, contract 1.2.0\n\n- New.\n';
const CHANGELOG = `# Changelog\n\n${SECTION}\n## 0.2.0, contract 1.1.0\n\n- Old.\n`;
const root = temporaryFolder();
let clone = root;
/** What GitHub says of the repository that makes the release. */
let building: { GITHUB_REPOSITORY?: string } = {};

const write = (path: string, content: string): string => clone.write(path, content);

function release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...cleanEnvironment(), ...building, PATH: `${clone.path}/bin:${process.env.PATH ?? ''}` };
  return spawnSync(process.execPath, [script, ...args], { cwd: clone.path, env, encoding: 'utf8' });
}

beforeEach(() => {
  building = {};
  clone = root.fresh();
  write('package.json', '{ "version": "0.3.0" }');
  write('contract/openapi.json', '{ "info": { "version": "1.2.0" } }');
  write('CHANGELOG.md', CHANGELOG);
});

describe('release.mjs', () => {
  it('finds that tag, version, changelog and contract agree', () =>
    expect(release('check', 'v0.3.0')).toMatchObject({ status: 0, stderr: '' }));

  it.each([
    ['another tag', 'v0.2.0', CHANGELOG, 'must be v0.3.0'],
    ['a tag without its letter', '0.3.0', CHANGELOG, 'must be v0.3.0'],
    ['no section', 'v0.3.0', CHANGELOG.replace('0.3.0', 'Unreleased'), '## 0.3.0, contract 1.2.0'],
    ['a section that is not the first', 'v0.3.0', `## Unreleased, contract 1.3.0\n\n${CHANGELOG}`, 'begin with'],
    ['an empty section', 'v0.3.0', CHANGELOG.replace('- New.\n', ''), 'with text'],
    ['a section on another contract', 'v0.3.0', CHANGELOG.replace('1.2.0', '1.3.0'), 'contract 1.2.0'],
  ])('stops at %s', (_what, tag, changelog, problem) => {
    write('CHANGELOG.md', changelog);
    const { status, stderr } = release('check', tag);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['no repository', undefined, 1],
    ['another one', 'git+https://github.com/them/suite.git', 1],
    ['the one that publishes', 'git+https://github.com/us/suite.git', 0],
  ])('has the package name the repository, for the provenance: %s', (_what, url, expected) => {
    building = { GITHUB_REPOSITORY: 'us/suite' };
    write('package.json', JSON.stringify({ version: '0.3.0', ...(url !== undefined && { repository: { url } }) }));
    const { status, stderr } = release('check', 'v0.3.0');
    expect(status).toBe(expected);
    expect(stderr.includes('must name github.com/us/suite')).toBe(expected === 1);
  });

  it('prints the notes', () =>
    expect(release('notes')).toMatchObject({ status: 0, stdout: 'Contract 1.2.0.\n\n- New.\n' }));
});

/** A release on GitHub, with the checksums of the files that it had. */
function published(tag: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) write(`github/${tag}/${name}`, content);
  const folder = clone.at('github', tag);
  const checksums = execFileSync('sha256sum', Object.keys(files), { cwd: folder, encoding: 'utf8' });
  writeFileSync(join(folder, 'checksums.txt'), checksums);
}

/** Installs a `gh` that serves the releases in the folder `github`. */
function serveReleases(): void {
  const tags = readdirSync(clone.at('github'));
  const list = JSON.stringify(tags.map((tagName) => ({ tagName })));
  write(
    'bin/gh',
    `#!/bin/sh\nif [ "$2" = list ]; then echo '${list}'; else cp '${clone.path}/github/'"$3"/* "$5"; fi\n`,
  );
  chmodSync(clone.at('bin/gh'), 0o755);
}

describe('release.mjs earlier', () => {
  it('adds the contracts of earlier releases to the site', () => {
    const contracts = {
      'v0.3.0': '1.2.0',
      'v0.2.1': '1.1.0',
      'v0.1.0': '1.0.0',
      'v0.0.9': '0.10.0',
      'v0.0.8': '0.9.0',
    };
    for (const [tag, version] of Object.entries(contracts)) {
      const openapi = JSON.stringify({ info: { version }, tag });
      published(tag, { 'openapi.json': openapi, 'user.schema.json': '{}', 'x.tgz': tag });
    }
    published('v0.0.1', { 'notes.txt': 'older than the contract' });
    serveReleases();
    for (const folder of ['v1', 'v1.2.0']) write(`build/site/${folder}/openapi.json`, 'of this release');

    expect(release('earlier')).toMatchObject({ status: 0, stderr: '' });
    const site = clone.at('build/site');
    expect(readdirSync(site).sort()).toEqual(['v0', 'v0.10.0', 'v0.9.0', 'v1', 'v1.0.0', 'v1.1.0', 'v1.2.0']);
    for (const folder of ['v1', 'v1.2.0']) {
      expect(readFileSync(join(site, folder, 'openapi.json'), 'utf8')).toBe('of this release');
    }
    expect(readFileSync(join(site, 'v0/openapi.json'), 'utf8')).toContain('0.10.0');
    expect(readdirSync(join(site, 'v0'), { recursive: true }).sort()).toEqual([
      'checksums.txt',
      'openapi.json',
      'schemas',
      'schemas/user.schema.json',
    ]);
    execFileSync('sha256sum', ['--check', '--quiet', 'checksums.txt'], { cwd: join(site, 'v1.0.0') });
  });

  it('stops at a release that does not match its checksums', () => {
    published('v0.1.0', { 'openapi.json': '{}' });
    write('github/v0.1.0/openapi.json', '{ "info": { "version": "1.0.0" } }');
    serveReleases();
    expect(release('earlier').status).toBe(1);
    expect(readdirSync(clone.path)).not.toContain('build');
  });
});
