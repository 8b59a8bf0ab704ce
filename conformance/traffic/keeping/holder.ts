import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { isRecord, parsedJson } from '../../../common/json.ts';

/** Who holds a lock: a process, and where it keeps the values of the users. */
export interface Holder {
  readonly process: number;
  /** When the process started, on a clock that does not jump; absent where the platform does not tell. */
  readonly started?: string;
  /** The machine since it was started, and the part of it whose processes see each other. */
  readonly boot?: string;
  readonly container?: string;
  readonly journal: string;
}

/** ms. A lock is touched this often while it is held; one that was not for so long is not held by a process that is out of sight. */
export const BEAT = 5_000;
const LONGEST_SILENCE = 60_000;

function textOf(read: () => string): string | undefined {
  try {
    return read().trim();
  } catch {
    return undefined;
  }
}

/** The 22nd field; the second one, the name, may have blanks and brackets (proc_pid_stat(5)). */
function startOf(process: number): string | undefined {
  const stat = textOf(() => readFileSync(`/proc/${process}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** This process as the holder of a lock. */
export function ownHolder(journal: string): Holder {
  const known = {
    started: startOf(process.pid),
    boot: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    container: textOf(() => readlinkSync('/proc/self/ns/pid')),
  };
  const told = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { process: process.pid, ...told, journal };
}

/** The holder that a lock names; undefined if it names none: it was never finished, and is no lock. */
export function holderIn(text: string): Holder | undefined {
  const holder = parsedJson(text);
  if (!isRecord(holder) || typeof holder.journal !== 'string') return undefined;
  return Number.isSafeInteger(holder.process) && Number(holder.process) > 0 ? (holder as unknown as Holder) : undefined;
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

function isTouched(lock: string): boolean {
  const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? { mtimeMs: -Infinity };
  return Date.now() - mtimeMs < LONGEST_SILENCE;
}

/**
 * Whether the process that a lock names is gone. Another one may have its number by now: it started at another time. Where that
 * cannot be seen, as of a process in another container, it is gone if it no longer touches its lock.
 */
export function isGone({ process: id, started, boot, container }: Holder, lock: string): boolean {
  const own = ownHolder('');
  const differs = (one?: string, other?: string): boolean => one !== undefined && other !== undefined && one !== other;
  if (differs(boot, own.boot)) return true;
  if (differs(container, own.container)) return !isTouched(lock);
  if (!isRunning(id)) return true;
  const now = startOf(id);
  return started === undefined || now === undefined ? !isTouched(lock) : differs(started, now);
}
