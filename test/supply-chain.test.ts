import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { read, ROOT } from './support/repository.ts';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly os?: readonly string[];
}

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

const LOCKS = ['package-lock.json', 'site/package-lock.json'];

it.each(LOCKS)('%s has the hash of every package, for every platform', (path) => {
  const { packages } = JSON.parse(read(path)) as LockFile;
  const installed = Object.entries(packages).filter(([name]) => name !== '');
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([name]) => name)).toEqual([]);
  const platforms = new Set(installed.flatMap(([, { os = [] }]) => os));
  expect([...platforms]).toEqual(expect.arrayContaining(['darwin', 'linux', 'win32']));
});

it.each(LOCKS)('%s has no address', (path) => {
  const { packages } = JSON.parse(read(path)) as LockFile;
  const named = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(named.map(([name]) => name)).toEqual([]);
});

type Versions = Readonly<Record<string, string>>;
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Versions
>;

it('The image installs the version of fast-check that the tests use', () =>
  expect(read('Dockerfile')).toContain(` fast-check@${devDependencies['fast-check'] ?? ''} `));

it('The judge is tested with the versions that it installs', () => {
  const judge = JSON.parse(read('openapi-judge/package.json')) as { readonly dependencies: Versions };
  expect({ ...devDependencies, ...dependencies }).toMatchObject(judge.dependencies);
});

const FROM_ELSEWHERE = ['', '.github/workflows/', 'docs/', 'docs/servers/', 'examples/ci/', 'examples/fleet/'].flatMap(
  (folder) => {
    const names = readdirSync(join(ROOT, folder)).filter((name) => /\.ya?ml$|\.md$|^Dockerfile$/.test(name));
    return names.map((name) => folder + name);
  },
);

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
