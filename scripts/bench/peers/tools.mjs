import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../common/process/args.ts';

/** What is installed for this benchmark alone, beside the dependencies of the project. */
const VERSIONS = { dredd: '14.1.0', '@apideck/portman': '1.33.0', newman: '6.2.2' };

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const FOLDER = join(MODULES, '.cache', 'bench-peers');

const folderOf = (name) => (name in VERSIONS ? join(FOLDER, 'node_modules') : MODULES);

/** The version of an installed package; undefined if there is none. */
export function versionOf(name) {
  try {
    return JSON.parse(readFileSync(join(folderOf(name), name, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

/** The path of a file of a package. */
export const fileOf = (name, path) => join(folderOf(name), name, path);

/**
 * Installs what is missing, without its install scripts.
 *
 * @throws UsageError if npm cannot
 */
export function install(names) {
  const missing = names.filter((name) => name in VERSIONS && versionOf(name) !== VERSIONS[name]);
  if (missing.length === 0) return;
  console.error(`Installing ${missing.join(', ')} into ${FOLDER} …`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: VERSIONS }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  const { status } = spawnSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new UsageError(`npm could not install ${missing.join(', ')}; --only respect,prism needs nothing.`);
}
