import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** A file cannot be read; the message says why, in a few words. */
export class Unreadable extends Error {}

/** Bytes. Room for every file that people write. */
export const MOST_BYTES = 1024 * 1024;

/** A pipe that the shell opened, as in `--admin-key-file <(pass show key)`. */
const INHERITED = /^\/(dev\/stdin|(dev|proc\/self)\/fd\/\d+)$/;

function readOpen(file: number, isPipe: boolean, most: number): string {
  const tooLarge = new Unreadable(`it is larger than ${Math.floor(most / MOST_BYTES)} MiB`);
  const found = fstatSync(file);
  if (!isPipe && !found.isFile()) throw new Unreadable('this is not a regular file');
  if (found.size > most) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  // A file of the kernel has no size, and may have no end.
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024);
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks).toString('utf8');
    length += read;
    if (length > most) throw tooLarge;
    chunks.push(chunk.subarray(0, read));
  }
}

/**
 * Reads a regular file, or a pipe that the shell opened. It never waits for a FIFO, and never reads more than is allowed.
 *
 * @param most bytes
 * @throws Unreadable with the reason
 */
export function readBounded(path: string, most = MOST_BYTES): string {
  let file: number | undefined;
  try {
    const found = statSync(path);
    const isPipe = found.isFIFO() && INHERITED.test(path);
    if (found.isDirectory()) throw new Unreadable('this is a folder');
    if (!found.isFile() && !isPipe) throw new Unreadable('this is not a regular file');
    file = openSync(path, isPipe ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
    return readOpen(file, isPipe, most);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Unreadable(code === 'ENOENT' ? 'no such file' : message);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
