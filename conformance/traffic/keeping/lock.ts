import { hash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../../../common/process/bounded-file.ts';
import { BEAT, type Holder, holderIn, isGone, ownHolder } from './holder.ts';
import { makeOwnFolder, OWN_FOLDER } from './own-folder.ts';
import { RunRefused } from '../run-refused.ts';

/** What is locked: users of one target. */
interface Locked {
  /** The address of the target. */
  readonly baseUrl: string;
  /** What is written to, such as `user 4`. */
  readonly names: readonly string[];
  /** Where the run keeps their values. */
  readonly journal: string;
  /** Whether to go on although another run holds the lock; undefined if that is not offered. */
  readonly takeOver?: boolean;
  readonly folder?: string;
}

/** A lock on users. */
export interface Lock {
  /** The journals of killed runs on these users. */
  readonly earlierJournals: readonly string[];
  /** The journals of live runs that it was taken from, as far as they have written them. */
  readonly takenFrom: () => readonly string[];
  /** Why another run may change the users all the same, in words: this lock was taken from a live run, or by another one. */
  readonly contested: () => string | undefined;
  readonly release: () => void;
}

/** The lock of a run whose users no other run can reach. */
export const NO_LOCK: Lock = {
  earlierJournals: [],
  takenFrom: () => [],
  contested: () => undefined,
  release: () => undefined,
};

/** What a file says; undefined if there is none. */
function textOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readBounded(path);
  } catch {
    return '';
  }
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/**
 * Makes a file at once with its whole text: what a full disk, or a kill, leaves unfinished never has this path.
 *
 * @returns whether it could be made: not if there is one
 */
function create(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** What came of trying to get a lock, and who had it before, or has it now. */
interface Attempt {
  readonly taken: boolean;
  readonly other?: Holder | undefined;
  /** Whether it was taken from a process that may be alive. */
  readonly byForce?: boolean;
}

/**
 * Removes a lock as long as it says what was read. Only who holds the lock of that text does so, and it is held until `after` has
 * ended: else two runs that read the same stale lock would each remove what they find, and one the new lock of the other.
 *
 * @returns undefined if another run is doing that
 */
function removing<T>(path: string, text: string, own: string, after: () => T): T | undefined {
  const guard = `${path}.${digest(text)}`;
  // The run that is replacing it is alive; that one is never overridden.
  if (!take(guard, own, false).taken) return undefined;
  try {
    if (textOf(path) === text) rmSync(path, { force: true });
    return after();
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Makes a lock, in the place of one whose process is gone, or of any with force. Of all that try it at once, one gets it. */
function take(path: string, own: string, force: boolean): Attempt {
  if (create(path, own)) return { taken: true };
  const text = textOf(path);
  if (text === undefined) return { taken: false };
  const other = holderIn(text);
  const isHeld = other !== undefined && !isGone(other, path);
  if (isHeld && !force) return { taken: false, other };
  const taken = removing(path, text, own, () => create(path, own));
  return taken === true ? { taken, other, byForce: isHeld } : { taken: false };
}

function refusal(name: string, { baseUrl, takeOver }: Locked, { other }: Attempt): RunRefused {
  if (other === undefined)
    return new RunRefused(`Another run has begun with ${name} at the same moment; wait for its end.`);
  const orElse = takeOver === undefined ? '' : ', name another user, or use --take-over if there is no such run';
  return new RunRefused(
    `Another run is changing ${name} of ${baseUrl} (process ${other.process}); wait for its end${orElse}.`,
  );
}

/**
 * Locks the users that a run writes to, for all runs of this account on this machine. The lock of a process that is gone does
 * not count.
 *
 * @throws RunRefused if another run holds the lock; Error from node:fs if it cannot be written
 */
export function lockUsers(locked: Locked): Lock {
  const { baseUrl, names, journal, takeOver = false, folder = OWN_FOLDER } = locked;
  if (names.length === 0) return NO_LOCK;
  makeOwnFolder(folder);
  const own = JSON.stringify(ownHolder(journal));
  const held: string[] = [];
  const others: { readonly holder: Holder; readonly alive: boolean }[] = [];
  const isOwn = (path: string): boolean => textOf(path) === own;
  const beating = setInterval(() => {
    const now = new Date();
    for (const path of held.filter(isOwn)) utimesSync(path, now, now);
  }, BEAT).unref();
  const release = (): void => {
    clearInterval(beating);
    for (const path of held.splice(0)) if (isOwn(path)) removing(path, own, own, () => undefined);
  };
  try {
    for (const name of names) {
      const path = join(folder, `lock-${digest(JSON.stringify([baseUrl, name]))}.json`);
      const attempt = take(path, own, takeOver);
      if (!attempt.taken) throw refusal(name, locked, attempt);
      held.push(path);
      const { other, byForce = false } = attempt;
      if (other) others.push({ holder: other, alive: byForce });
    }
  } catch (error) {
    release();
    throw error;
  }
  const contested = (): string | undefined => {
    const victim = others.find(({ alive }) => alive)?.holder;
    if (victim) return `the users were taken over from a run that went on (process ${victim.process})`;
    return held.every(isOwn) ? undefined : 'another run took the users over (--take-over)';
  };
  const journalsOf = (wanted: boolean): readonly string[] => {
    const journals = others.filter(({ alive }) => alive === wanted).map(({ holder }) => holder.journal);
    return [...new Set(journals)].filter((each) => existsSync(each));
  };
  return { earlierJournals: journalsOf(false), takenFrom: () => journalsOf(true), contested, release };
}
