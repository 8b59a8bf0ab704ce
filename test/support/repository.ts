import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { npmCommand } from '../../common/process/npm.ts';

/** The folder of this repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** The text of a file of this repository. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/**
 * The cases of a test, from the YAML file beside it.
 *
 * @param test `import.meta.url` of the test
 */
export function casesBeside(test: string): unknown {
  return parse(readFileSync(new URL(test.replace(/(\.test)?\.ts$/, '.yaml')), 'utf8'));
}

/** Packs what is built, as it would be published, into a folder. Returns the tarball, and the paths of the files in it. */
export function packInto(folder: string) {
  const [npm, ...first] = npmCommand(process.env);
  const packed = execFileSync(npm, [...first, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}
