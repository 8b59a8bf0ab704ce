import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

/** Packs what is built, as it would be published, into a folder. Returns the tarball, and the paths of the files in it. */
export function packInto(folder: string) {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}
