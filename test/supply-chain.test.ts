import { expect, it } from 'vitest';
import { read } from './support/repository.ts';

interface Locked {
  readonly integrity?: string;
  /** Of a package of this repository: its folder. */
  readonly resolved?: string;
  readonly os?: readonly string[];
  /** A package of this repository. */
  readonly link?: true;
}

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

it('The lock file has the hash of every package, for every platform', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as LockFile;
  const installed = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  const platforms = new Set(installed.flatMap(([, { os = [] }]) => os));
  expect([...platforms]).toEqual(expect.arrayContaining(['darwin', 'linux', 'win32']));
});

it('The lock file names no registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as LockFile;
  const named = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link);
  expect(named.map(([path]) => path)).toEqual([]);
});

it('The image installs the version of fast-check that the tests use', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  expect(read('Dockerfile')).toContain(` fast-check@${devDependencies['fast-check'] ?? ''} `);
});
