import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly integrity?: string;
  readonly os?: readonly string[];
  /** A package of this repository. */
  readonly link?: true;
}

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** Native parts for other platforms than the one that the lock file was made on, where no registry had them. */
const NATIVE = /^node_modules\/@(rollup\/rollup|pagefind)[-/]/;

it('The lock file has the hash of every package, but of some native parts for other platforms', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as LockFile;
  const without = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path.startsWith('node_modules/') && integrity === undefined && link !== true,
  );
  expect(without.filter(([path, { os }]) => !NATIVE.test(path) || os === undefined).map(([path]) => path)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(100);
});

it('The image installs the version of fast-check that the tests use', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  expect(read('Dockerfile')).toContain(` fast-check@${devDependencies['fast-check'] ?? ''} `);
});
