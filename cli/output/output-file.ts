import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../common/args.ts';

/**
 * Looks, before anything is done, whether a file can be written where the user wants it. A file that is there is overwritten.
 *
 * @param given the option with its value, for error messages
 * @throws UsageError if the folder is not there or cannot be written to, or if the path is a folder itself
 */
export function checkOutputPath(given: string, path: string): void {
  const folder = dirname(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`${given}: the folder ${folder} is not there or cannot be written to.`);
  }
  if (!statSync(folder).isDirectory()) throw new UsageError(`${given}: ${folder} is a file, not a folder.`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new UsageError(`${given}: this is a folder; name a file in it.`);
  }
}
