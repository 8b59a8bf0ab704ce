import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { RunRefused } from '../run-refused.ts';

/** Windows has no numeric ids; there the temporary folder belongs to one account. */
const OWNER = process.getuid?.();

/** The default folder of the journals, and that of the locks; each account of a machine has its own. */
export const OWN_FOLDER = join(tmpdir(), `admin-api-conformance-${OWNER ?? userInfo().username}`);

/**
 * Makes the folder if it does not exist, and checks that nobody else can read or prepare what is in it.
 *
 * @throws RunRefused if it is no folder, a symbolic link, open to others, or that of another account
 * @throws Error from node:fs if it cannot be made
 */
export function makeOwnFolder(folder = OWN_FOLDER): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  const isOwn = OWNER === undefined || (found.uid === OWNER && (found.mode & 0o077) === 0);
  if (found.isDirectory() && isOwn) return;
  throw new RunRefused(
    `${folder} is not a folder that only you can use, and the values of the users are kept there; delete it, or name a folder of your own in TMPDIR.`,
  );
}
