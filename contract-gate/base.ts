import { existsSync, statSync } from 'node:fs';
import { UsageError } from '../common/process/args.ts';
import { execute } from '../common/process/process.ts';
import { loadDescription, UsageError as Unreadable, type Description } from '../openapi-judge/src/index.ts';

/** The contract of this repository. */
export const CONTRACT = 'openapi.yaml';

/** The published state that the change is compared with. */
export interface Base {
  readonly name: string;
  readonly description: Description;
  /** The text of a file of the repository in that state; undefined if there was none, or only the contract was given. */
  readonly file: (path: string) => Promise<string | undefined>;
}

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
    throw error instanceof Unreadable ? new UsageError(error.lines) : error;
  }
}

/**
 * Reads the published contract.
 *
 * @param name a file, or a revision of this git repository
 * @throws UsageError if it is neither, or the revision has no contract; as loadDescription
 */
export async function readBase(name: string): Promise<Base> {
  if (existsSync(name) && statSync(name).isFile())
    return { name, description: await readContract('base', name), file: () => Promise.resolve(undefined) };
  if (name.startsWith('-'))
    throw new UsageError(`--base: ${JSON.stringify(name)} is neither a file nor a git revision.`);
  const revision = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  if (revision === undefined)
    throw new UsageError(`--base: ${JSON.stringify(name)} is neither a file nor a revision of this git repository.`);
  const commit = revision.trim();
  const file = (path: string): Promise<string | undefined> => git('show', `${commit}:./${path}`);
  if ((await file(CONTRACT)) === undefined) throw new UsageError(`--base: the revision ${name} has no ${CONTRACT}.`);
  return { name, description: await readContract('base', `${name}:${CONTRACT}`), file };
}
