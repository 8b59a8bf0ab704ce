import { hash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../../common/bounded-file.ts';
import { isRecord } from '../../common/json.ts';
import { makeOwnFolder, OWN_FOLDER } from './own-folder.ts';
import { RunRefused } from './run-refused.ts';

/** Who writes to a user: a run, and where it keeps the values of the user. */
interface Holder {
  readonly process: number;
  readonly journal: string;
}

/** What is locked: users of one target. */
interface Locked {
  /** The address of the target. */
  readonly baseUrl: string;
  /** The ids of the users that are written to. */
  readonly ids: readonly string[];
  /** Where the run keeps their values. */
  readonly journal: string;
  /** Whether to go on although another run holds the lock. */
  readonly takeOver: boolean;
  readonly folder?: string;
}

/** A lock on users. */
export interface Lock {
  /** The journals that killed runs on these users have left. */
  readonly earlierJournals: readonly string[];
  readonly release: () => void;
}

function holderOf(path: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readBounded(path));
    const isHolder = isRecord(holder) && typeof holder.process === 'number' && typeof holder.journal === 'string';
    return isHolder ? (holder as unknown as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process exists; that of another account does, too. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Locks the users that a run writes to, for all runs of this account on this machine. The lock of a process that is gone does
 * not count.
 *
 * @throws RunRefused if another run holds the lock; Error from node:fs if it cannot be written
 */
export function lockUsers({ baseUrl, ids, journal, takeOver, folder = OWN_FOLDER }: Locked): Lock {
  if (ids.length === 0) return { earlierJournals: [], release: () => undefined };
  makeOwnFolder(folder);
  const own = JSON.stringify({ process: process.pid, journal } satisfies Holder);
  const pathOf = (id: string): string =>
    join(folder, `lock-${hash('sha256', JSON.stringify([baseUrl, id])).slice(0, 16)}.json`);
  const held: string[] = [];
  const earlierJournals: string[] = [];
  const release = (): void => {
    for (const path of held.splice(0)) if (holderOf(path)?.journal === journal) rmSync(path, { force: true });
  };
  for (const id of ids) {
    const path = pathOf(id);
    const holder = existsSync(path) ? (holderOf(path) ?? 'unknown') : undefined;
    if (!takeOver && holder !== undefined && (holder === 'unknown' || isRunning(holder.process))) {
      release();
      const who = holder === 'unknown' ? path : `process ${holder.process}`;
      throw new RunRefused(
        `Another run is changing user ${id} of ${baseUrl} (${who}); wait for its end, name another user, or use --take-over if there is no such run.`,
      );
    }
    if (typeof holder === 'object' && existsSync(holder.journal)) earlierJournals.push(holder.journal);
    if (holder !== undefined) rmSync(path, { force: true });
    writeLock(path, own, id, release);
    held.push(path);
  }
  return { earlierJournals: [...new Set(earlierJournals)], release };
}

function writeLock(path: string, own: string, id: string, release: () => void): void {
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    release();
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new RunRefused(`Another run has begun with user ${id} at the same moment; wait for its end.`);
  }
}
