import { hash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../../common/bounded-file.ts';
import { isRecord, parsedJson } from '../../common/json.ts';
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

/** The lock of a run whose users no other run can reach. */
export const NO_LOCK: Lock = { earlierJournals: [], release: () => undefined };

/** What a file says; undefined if there is none. */
function textOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readBounded(path);
  } catch {
    return '';
  }
}

function holderIn(text: string): Holder | 'unknown' {
  const holder = parsedJson(text);
  const isHolder = isRecord(holder) && typeof holder.process === 'number' && typeof holder.journal === 'string';
  return isHolder ? (holder as unknown as Holder) : 'unknown';
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

function digest(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/** @returns whether it could be made: not if there is one */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Whether a lock may be replaced. */
type MayReplace = (holder: Holder | 'unknown') => boolean;

const isGone: MayReplace = (holder) => holder !== 'unknown' && !isRunning(holder.process);

/** What came of trying to get a lock, and who had it before, or has it now. */
interface Attempt {
  readonly taken: boolean;
  readonly other?: Holder | 'unknown';
}

/**
 * Removes a lock as long as it says what was read. Only who holds the lock of that text does so, and it is held until `after` has
 * ended: else two runs that read the same stale lock would each remove what they find, and one the new lock of the other.
 *
 * @returns undefined if another run is doing that
 */
function removing<T>(path: string, text: string, own: string, mayReplace: MayReplace, after: () => T): T | undefined {
  const guard = `${path}.${digest(text)}`;
  if (!take(guard, own, mayReplace).taken) return undefined;
  try {
    if (textOf(path) === text) rmSync(path, { force: true });
    return after();
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Makes a lock, in the place of one that may be replaced. Of all that try it at once, one gets it. */
function take(path: string, own: string, mayReplace: MayReplace): Attempt {
  if (create(path, own)) return { taken: true };
  const text = textOf(path);
  if (text === undefined) return { taken: false };
  const other = holderIn(text);
  if (!mayReplace(other)) return { taken: false, other };
  // The run that is replacing it is alive; that one is never overridden.
  const taken = removing(
    path,
    text,
    own,
    (holder) => isGone(holder) || (holder === 'unknown' && mayReplace(holder)),
    () => create(path, own),
  );
  return taken === true ? { taken, other } : { taken: false };
}

function refusal(id: string, baseUrl: string, path: string, { other }: Attempt): RunRefused {
  if (other === undefined)
    return new RunRefused(`Another run has begun with user ${id} at the same moment; wait for its end.`);
  const who = other === 'unknown' ? path : `process ${other.process}`;
  return new RunRefused(
    `Another run is changing user ${id} of ${baseUrl} (${who}); wait for its end, name another user, or use --take-over if there is no such run.`,
  );
}

/**
 * Locks the users that a run writes to, for all runs of this account on this machine. The lock of a process that is gone does
 * not count.
 *
 * @throws RunRefused if another run holds the lock; Error from node:fs if it cannot be written
 */
export function lockUsers({ baseUrl, ids, journal, takeOver, folder = OWN_FOLDER }: Locked): Lock {
  if (ids.length === 0) return NO_LOCK;
  makeOwnFolder(folder);
  const own = JSON.stringify({ process: process.pid, journal } satisfies Holder);
  const held: string[] = [];
  const earlierJournals: string[] = [];
  const release = (): void => {
    for (const path of held.splice(0)) removing(path, own, own, isGone, () => undefined);
  };
  try {
    for (const id of ids) {
      const path = join(folder, `lock-${digest(JSON.stringify([baseUrl, id]))}.json`);
      const attempt = take(path, own, takeOver ? () => true : isGone);
      if (!attempt.taken) throw refusal(id, baseUrl, path, attempt);
      held.push(path);
      const { other } = attempt;
      if (typeof other === 'object' && existsSync(other.journal)) earlierJournals.push(other.journal);
    }
  } catch (error) {
    release();
    throw error;
  }
  return { earlierJournals: [...new Set(earlierJournals)], release };
}
