import { randomBytes } from 'node:crypto';
import { accessSync, constants, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './args.ts';

/** What is at a path, if anything is and can be looked at. */
function lookAt(path: string, look: typeof statSync = statSync) {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

/**
 * The file that a path leads to, whether it exists or not.
 *
 * @throws UsageError if it is a symbolic link that leads nowhere
 */
export function placeOf(path: string): string {
  const folder = dirname(resolve(path));
  const place = join(lookAt(folder) ? realpathSync(folder) : folder, basename(resolve(path)));
  if (lookAt(place, lstatSync)?.isSymbolicLink() !== true) return place;
  if (lookAt(place)) return realpathSync(place);
  throw new UsageError(`${path}: this symbolic link leads nowhere; name another path.`);
}

/** A file to write, with what is to be said of it. */
export interface OutputFile {
  /** The option with its value, for messages. */
  readonly given: string;
  readonly path: string;
}

/**
 * Checks, before anything is done, that a file can be written. An existing file is overwritten.
 *
 * @returns where it is
 * @throws UsageError if the folder does not exist or is not writable, or if the path is there and no regular file
 */
export function checkOutput({ given, path }: OutputFile): string {
  const place = placeOf(path);
  const [folder, shown] = [dirname(place), dirname(path)];
  const [around, found] = [lookAt(folder), lookAt(place)];
  if (around?.isDirectory() === false) throw new UsageError(`${given}: ${shown} is a file, not a folder.`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`${given}: the folder ${shown} does not exist or is not writable.`);
  }
  if (found?.isDirectory()) throw new UsageError(`${given}: this is a folder; name a file in it.`);
  if (found?.isFile() === false) throw new UsageError(`${given}: this is not a regular file; name another path.`);
  return place;
}

/**
 * Checks that several files are different ones, whatever their names.
 *
 * @throws UsageError if two are the same
 */
export function checkDistinct(files: readonly OutputFile[]): void {
  const taken = new Map<string, string>();
  for (const { given, path } of files) {
    const place = placeOf(path);
    const other = taken.get(place);
    if (other !== undefined)
      throw new UsageError(`${given}: this is also the file of ${other}; give each output a file of its own.`);
    taken.set(place, given);
  }
}

/**
 * Writes a file to a new one in the same folder, which then takes its place: it is never there in part.
 *
 * @throws UsageError if the file cannot be written, or is no regular file
 */
export function writeOutput(file: OutputFile, text: string): void {
  const place = checkOutput(file);
  const draft = `${place}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const mode = lookAt(place)?.mode;
    writeFileSync(draft, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(`${file.given}: cannot be written: ${(error as Error).message}.`);
  }
}
