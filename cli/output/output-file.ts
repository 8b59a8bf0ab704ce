import { accessSync, closeSync, constants, openSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../common/process/args.ts';

/**
 * Checks, before anything is done, that a file can be written. An existing file is overwritten.
 *
 * @param given the option with its value, for error messages
 * @throws UsageError if the folder does not exist or is not writable, or if the path is there and no regular file
 */
export function checkOutputPath(given: string, path: string): void {
  const folder = dirname(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`${given}: the folder ${folder} does not exist or is not writable.`);
  }
  if (!statSync(folder).isDirectory()) throw new UsageError(`${given}: ${folder} is a file, not a folder.`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) throw new UsageError(`${given}: this is a folder; name a file in it.`);
  if (found?.isFile() === false) throw new UsageError(`${given}: this is not a regular file; name another path.`);
}

/** Writes a file; of one that does not fit, nothing stays behind that could be taken for the whole. */
function writeWhole(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(realpathSync(path), { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Writes the output of a command.
 *
 * @param given the option with its value, for error messages
 * @throws UsageError if the file cannot be written, or is no regular file
 */
export function writeOutput(given: string, path: string, text: string): void {
  checkOutputPath(given, path);
  try {
    writeWhole(path, text);
  } catch (error) {
    throw new UsageError(`${given}: cannot be written: ${(error as Error).message}.`);
  }
}
