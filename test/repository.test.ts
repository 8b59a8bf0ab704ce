import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, ROOT } from './support/repository.ts';

type Versions = Readonly<Record<string, string>>;

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly integrity?: string; readonly resolved?: string; os?: string[]; cpu?: string[] }>
  >;
}

describe.each(['package-lock.json', 'site/package-lock.json'])('%s', (path) => {
  const { packages } = JSON.parse(read(path)) as LockFile;
  const installed = Object.entries(packages).filter(([name]) => name !== '');

  it('has the hash of every package, for every platform, and no address', () => {
    expect(installed.filter(([, each]) => each.integrity === undefined || each.resolved !== undefined)).toEqual([]);
    const platforms = new Set(installed.flatMap(([, { os = [] }]) => os));
    expect([...platforms]).toEqual(expect.arrayContaining(['darwin', 'linux', 'win32']));
  });
});

describe('the packages', () => {
  it('are at most 600', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as LockFile;
    const here = Object.values(packages).filter(
      ({ os, cpu }) => (os?.[0] ?? 'linux') === 'linux' && (cpu?.[0] ?? 'x64') === 'x64',
    );
    expect(here.length).toBeLessThanOrEqual(600);
  });

  it('that the judge installs are those with which it is tested', () => {
    const ours = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Versions>;
    const judge = JSON.parse(read('openapi-judge/package.json')) as { readonly dependencies: Versions };
    expect({ ...ours.devDependencies, ...ours.dependencies }).toMatchObject(judge.dependencies);
  });
});

describe('what is fetched from elsewhere', () => {
  const files = ['', '.devcontainer/', '.github/workflows/', 'docs/', 'docs/servers/', 'examples/ci/'].flatMap(
    (folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => /\.ya?ml$|\.md$|^devcontainer\.json$|^Dockerfile$/.test(name))
        .map((name) => folder + name),
  );

  it.each([
    ['image', /^ *(?:FROM|"?image"?:|- image:) +"?([^\s",]+)/gm, /^\S+:[\w.-]+@sha256:[0-9a-f]{64}$/],
    ['action', /^ *(?:- )?uses: +(?!OWNER\/)(.+)/gm, /^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/],
  ])('is named by digest or commit: every %s', (_what, pattern, pinned) => {
    const named = files.flatMap((path) => [...read(path).matchAll(pattern)].map(([, name = '']) => name));
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !pinned.test(name))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const text = read('Dockerfile').replaceAll(/^#.*\n|\\\n/gm, '');

  it('makes an image with a user that is not root, by number, and a volume for the journals', () => {
    const image = text.slice(text.lastIndexOf('\nFROM '));
    expect(image).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(image).toMatch(/^VOLUME \/tmp$/m);
    expect(image.indexOf('\nUSER ')).toBeGreaterThan(image.lastIndexOf('\nRUN '));
  });

  it('runs no script of a package', () => {
    const installing = text.match(/^RUN .*npm.*$/gm) ?? [];
    expect(installing).not.toEqual([]);
    for (const command of installing) expect(command).toContain('--ignore-scripts');
  });
});

it('SECURITY.md names the tests of each promise', () => {
  const rows = [...read('SECURITY.md').matchAll(/^\| (?!promise|-).+? +\| (.+?) +\|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [row, cell = ''] of rows) {
    const tests = [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(tests, row).not.toEqual([]);
    expect(tests.filter((file) => !/^test\/.*\.test\.ts$/.test(file) || !existsSync(join(ROOT, file)))).toEqual([]);
  }
});
