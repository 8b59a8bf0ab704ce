/** Files that an operator names: read within bounds, and written as a whole or not at all. */

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './args.ts';

const MIB = 1024 * 1024;
/** Bytes that are read at once. */
const PIECE = 64 * 1024;

/** What the shell opened for this process, such as the output of a command in `<(command)`. */
const OPENED_BY_SHELL = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** What keeps a file from being read, in words. */
const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'this is a folder; name a file in it',
  EACCES: 'you have no permission to read it',
  ELOOP: 'its links lead in a circle',
};

/** Opens a file that has an end. It waits for nobody: a FIFO that no process writes to would never open. */
function openToRead(path: string): number {
  const found = statSync(path);
  if (found.isDirectory()) throw new UsageError('this is a folder; name a file in it.');
  const isPipe = found.isFIFO() && OPENED_BY_SHELL.test(path);
  if (!found.isFile() && !isPipe) throw new UsageError('this is not a regular file; name another path.');
  // Without waiting: another file may have taken its place since.
  return openSync(path, isPipe ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
}

/** The bytes of an open file; undefined if there are more. What a file says of its size need not be true. */
function bytesOf(file: number, most: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let length = 0; length <= most;) {
    const piece = Buffer.alloc(Math.min(PIECE, most + 1 - length));
    const read = readSync(file, piece);
    if (read === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, read));
    length += read;
  }
  return undefined;
}

/**
 * Reads a file that somebody named: a regular file, or a pipe that the shell opened.
 *
 * @param most MiB; one is room for every file that people write
 * @param name what it is called in messages; by default its path. Empty: it is not named, since it may be a key
 * @throws UsageError that begins with the name
 */
export function readGivenFile(path: string, most = 1, name = path): string {
  const refusal = (why: string): UsageError => new UsageError(`${name === '' ? '' : `${name}: `}${why}`);
  let file: number | undefined;
  try {
    file = openToRead(path);
    const bytes = bytesOf(file, most * MIB);
    if (bytes) return bytes.toString();
  } catch (error) {
    if (error instanceof UsageError) throw refusal(error.message);
    const { code = '' } = error as NodeJS.ErrnoException;
    throw refusal(`${WHY_NOT[code] ?? `it cannot be read (${code})`}.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
  throw refusal(`it is larger than ${most} MiB.`);
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
