import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, ROOT } from './support/repository.ts';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

describe.each(['package-lock.json', 'site/package-lock.json'].filter((path) => existsSync(join(ROOT, path))))(
  '%s',
  (path) => {
    const { packages } = JSON.parse(read(path)) as LockFile;
    const installed = Object.entries(packages).filter(([name]) => name !== '');
    const without = (is: (locked: Locked) => boolean): string[] =>
      installed.filter(([, locked]) => !is(locked)).map(([name]) => name);

    it('has the hash of every package, for every platform', () => {
      expect(without(({ integrity }) => integrity !== undefined)).toEqual([]);
      const platforms = new Set(installed.flatMap(([, { os = [] }]) => os));
      expect([...platforms]).toEqual(expect.arrayContaining(['darwin', 'linux', 'win32']));
    });

    it('has no address', () => expect(without(({ resolved }) => resolved === undefined)).toEqual([]));
  },
);

it('At most 600 packages are installed', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as LockFile;
  const here = Object.values(packages).filter(
    ({ os, cpu }) => (os?.[0] ?? 'linux') === 'linux' && (cpu?.[0] ?? 'x64') === 'x64',
  );
  expect(here.length).toBeLessThanOrEqual(600);
});

type Versions = Readonly<Record<string, string>>;
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Versions
>;

it('The judge is tested with the versions that it installs', () => {
  const judge = JSON.parse(read('openapi-judge/package.json')) as { readonly dependencies: Versions };
  expect({ ...devDependencies, ...dependencies }).toMatchObject(judge.dependencies);
});

const FROM_ELSEWHERE = ['', '.github/workflows/', 'docs/', 'docs/servers/', 'examples/ci/', 'examples/fleet/']
  .filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap((folder) => {
    const names = readdirSync(join(ROOT, folder)).filter((name) => /\.ya?ml$|\.md$|^Dockerfile$/.test(name));
    return names.map((name) => folder + name);
  });

/** What stands behind a word in the files that say what to fetch from elsewhere. */
function fetched(pattern: RegExp): string[] {
  const found = FROM_ELSEWHERE.flatMap((path) => [...read(path).matchAll(pattern)].map(([, name = '']) => name));
  expect(found).not.toEqual([]);
  return found;
}

it('Every image is named by its digest', () => {
  const images = fetched(/^ *(?:FROM|image:|- image:) +(\S+)/gm);
  expect(images.filter((image) => !/^\S+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});

it('Every action is named by its commit, but the one of this repository', () => {
  const actions = fetched(/^ *(?:- )?uses: +(\S+)/gm).filter((action) => !action.startsWith('OWNER/'));
  expect(actions.filter((action) => !/^\S+@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

it('Images and actions are kept up to date', () =>
  expect(read('.github/dependabot.yml')).toMatch(/ecosystem: github-actions\n.*ecosystem: docker\n/s));
