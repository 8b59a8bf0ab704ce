import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { cleanEnvironment } from '../support/process.ts';

const script = resolve(import.meta.dirname, '../../scripts/release.mjs');
const CHANGELOG = '# Changelog\n\n## 0.3.0, contract 1.2.0\n\n- New.\n\n## 0.2.0, contract 1.1.0\n\n- Old.\n';
const { path: cwd, write } = temporaryFolder();

function release(args: readonly string[], building: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [script, ...args], { cwd, env: cleanEnvironment(building), encoding: 'utf8' });
}

beforeEach(() => {
  write('package.json', '{ "version": "0.3.0" }');
  write('contract/openapi.json', '{ "info": { "version": "1.2.0" } }');
  write('CHANGELOG.md', CHANGELOG);
});

describe('release.mjs', () => {
  it('finds that tag, version, changelog and contract agree', () =>
    expect(release(['check', 'v0.3.0'])).toMatchObject({ status: 0, stderr: '' }));

  it.each([
    ['another tag', 'v0.2.0', CHANGELOG, 'must be v0.3.0'],
    ['a section that is not the first', 'v0.3.0', `## Unreleased, contract 1.3.0\n\n${CHANGELOG}`, 'must begin with'],
    ['an empty section', 'v0.3.0', CHANGELOG.replace('- New.\n', ''), 'with text in it'],
    ['a section on another contract', 'v0.3.0', CHANGELOG.replace('1.2.0', '1.3.0'), '0.3.0, contract 1.2.0"'],
  ])('stops at %s', (_what, tag, changelog, problem) => {
    write('CHANGELOG.md', changelog);
    const { status, stderr } = release(['check', tag]);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['them', 1],
    ['us', 0],
  ])('has the package name the repository that publishes it, for the provenance: %s', (owner, expected) => {
    const url = `git+https://github.com/${owner}/suite.git`;
    write('package.json', JSON.stringify({ version: '0.3.0', repository: { url } }));
    expect(release(['check', 'v0.3.0'], { GITHUB_REPOSITORY: 'us/suite' }).status).toBe(expected);
  });

  it('prints the notes', () =>
    expect(release(['notes'])).toMatchObject({ status: 0, stdout: 'Contract 1.2.0.\n\n- New.\n' }));
});
