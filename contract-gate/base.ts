import { existsSync, statSync } from 'node:fs';
import { UsageError } from '../common/process/args.ts';
import { execute } from '../common/process/process.ts';
import { loadDescription, UsageError as Unreadable, type Description } from '../openapi-judge/src/index.ts';

/** The contract of this repository. */
export const CONTRACT = 'openapi.yaml';

async function git(...args: readonly string[]): Promise<string | undefined> {
  const { error, stdout } = await execute(['git', ...args]);
  return error ? undefined : stdout;
}

/**
 * Reads a contract, as loadDescription does.
 *
 * @throws UsageError of this repository's tools
 */
export async function readContract(side: 'base' | 'head', path: string): Promise<Description> {
  try {
    return await loadDescription(side, path);
  } catch (error) {
    throw error instanceof Unreadable ? new UsageError(...error.lines) : error;
  }
}

/**
 * Reads the published contract.
 *
 * @param name a file, or a revision of this git repository
 * @throws UsageError if it is neither, or the revision has no contract; as loadDescription
 */
export async function readBase(name: string): Promise<Description> {
  if (existsSync(name) && statSync(name).isFile()) return readContract('base', name);
  const revision = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  if (revision === undefined)
    throw new UsageError(`--base: ${JSON.stringify(name)} is neither a file nor a revision of this git repository.`);
  const path = `${revision.trim()}:${CONTRACT}`;
  if ((await git('cat-file', '-e', `${revision.trim()}:./${CONTRACT}`)) === undefined)
    throw new UsageError(`--base: the revision ${name} has no ${CONTRACT}.`);
  return readContract('base', path);
}
