import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './args.ts';

const MIB = 1024 * 1024;

/** What a person needs to know of an error of node:fs; others speak for themselves. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'this is a folder; name a file in it',
};

/**
 * Reads a file that somebody named; it may be a pipe that the shell opened.
 *
 * @param most MiB; one is room for every file that people write
 * @param name what it is called in messages
 * @throws UsageError that begins with the name
 */
export function readGivenFile(path: string, most = 1, name = path): string {
  try {
    if (statSync(path).size > most * MIB) throw new UsageError(`${name}: it is larger than ${most} MiB.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${name}: ${REASONS[code] ?? message}.`);
  }
}

/** The file that a path leads to, whether it exists or not. */
export function placeOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}

/** A file to write. */
export interface OutputFile {
  readonly path: string;
  /** Where the path leads. */
  readonly place: string;
}

/** Whether a folder can be written to; or made, where it is missing. */
function isWritableFolder(path: string): boolean {
  if (!existsSync(path)) return dirname(path) !== path && isWritableFolder(dirname(path));
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Checks, before anything is done, that a file can be written. An existing file is overwritten, and missing folders are made.
 *
 * @throws UsageError if the folder is not writable, or if the path is there and no regular file
 */
export function outputFile(path: string): OutputFile {
  const place = placeOf(path);
  if (!isWritableFolder(dirname(place)))
    throw new UsageError(`${path}: nothing can be written to the folder ${dirname(path)}.`);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UsageError(`${path}: this is a folder; name a file in it.`);
  if (found?.isFile() === false) throw new UsageError(`${path}: this is not a regular file; name another path.`);
  return { path, place };
}

/**
 * Writes a file to a new one in the same folder, which then takes its place: it is never there in part.
 *
 * @throws UsageError if the file cannot be written
 */
export function writeOutput({ path, place }: OutputFile, text: string): void {
  const draft = `${place}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(`${path}: cannot be written: ${(error as Error).message}.`);
  }
}
