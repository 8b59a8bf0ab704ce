import { spawnSync } from 'node:child_process';
import fs, { closeSync, mkdirSync, openSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BEAT, type Holder, isGone, ownHolder } from '../../../../conformance/traffic/keeping/holder.ts';
import { lockUsers, type Lock } from '../../../../conformance/traffic/keeping/lock.ts';
import { makeOwnFolder } from '../../../../conformance/traffic/keeping/own-folder.ts';
import { RunRefused } from '../../../../conformance/traffic/run-refused.ts';
import { messageOf } from '../../../support/exchanges.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const root = temporaryFolder();
let folder = '';
let count = 0;

function newFolder(): void {
  folder = root.at(String((count += 1)));
}

beforeEach(newFolder);

const baseUrl = 'http://target.example:4242/base';

function lock(journal: string, takeOver = false, names = ['user 4', 'user 5'], of = baseUrl): Lock {
  return lockUsers({ baseUrl: of, names, journal, takeOver, folder });
}

/** Writes a text into every lock in the folder. */
function overwrite(text: string): void {
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
}

const { pid: gone } = spawnSync(process.execPath, ['--version']);

/** Leaves the lock of a process that is gone. */
function leaveStaleLock(journal = 'gone.json'): void {
  lock(journal);
  overwrite(JSON.stringify({ process: gone, journal }));
}

describe('a lock on users', () => {
  it('keeps another run from the same users of the same target, until it is released', () => {
    const first = lock('a.json');
    expect(messageOf(RunRefused, () => lock('b.json', false, ['user 5']))).toMatch(
      /^Another run is changing user 5 of http:\/\/target\.example:4242\/base \(process \d+\); .*--take-over/,
    );
    lock('b.json', false, ['user 6']).release();
    lock('b.json', false, ['user 5'], 'http://other.example').release();
    first.release();
    lock('b.json').release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a process that is gone does not count; its journal is named if it is still there', () => {
    leaveStaleLock();
    const next = lock('b.json');
    expect(next.earlierJournals).toEqual([]);
    next.release();
    const left = root.write('left.json', '{}');
    leaveStaleLock(left);
    expect(lock('b.json').earlierJournals).toEqual([left]);
  });

  it.each(['', 'x', 'null', ...['"1"', '-1', '0', '1.5', '1e99'].map((id) => `{"process":${id},"journal":"a"}`)])(
    'that was never finished, or names no process (%j), is no lock',
    (text) => {
      const first = lock('a.json', false, ['user 4']);
      overwrite(text);
      lock('b.json', false, ['user 4']).release();
      first.release();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('leaves nothing behind on a full disk, and the next run begins', () => {
    vi.spyOn(fs, 'writeFileSync').mockImplementation((path) => {
      closeSync(openSync(path as string, 'wx'));
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    expect(() => lock('a.json')).toThrow('ENOSPC');
    restoreOperations();
    expect(readdirSync(folder)).toEqual([]);
    lock('b.json').release();
  });
});

describe('the process that a lock names', () => {
  const path = (): string => join(folder, 'lock.json');
  const own = ownHolder('a.json');
  const touchedAt = (ago: number): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path(), '');
    utimesSync(path(), new Date(), new Date(Date.now() - ago));
  };

  it('holds it as long as it lives', () => {
    touchedAt(1_000_000);
    expect(isGone(own, path())).toBe(own.started === undefined);
    touchedAt(0);
    expect(isGone(own, path())).toBe(false);
  });

  it.each<[string, Partial<Holder>]>([
    ['is gone', { process: gone }],
    ['has its number from one that is gone', { started: '1' }],
    ['ran before the machine was started again', { boot: 'another' }],
  ])('does not hold it if it %s', (_what, other) => {
    if (own.started === undefined && !('process' in other)) return;
    touchedAt(0);
    expect(isGone({ ...own, ...other }, path())).toBe(true);
  });

  it.each<[string, Partial<Holder>]>([
    ['in another container', { container: 'pid:[1]', process: gone }],
    ['whose start is not known', { started: undefined } as object],
  ])('holds it %s as long as it touches it', (_what, other) => {
    touchedAt(10_000);
    expect(isGone({ ...own, ...other }, path())).toBe(false);
    touchedAt(100_000);
    expect(isGone({ ...own, ...other }, path())).toBe(own.container !== undefined || 'started' in other);
  });

  it('touches it while it holds it', () => {
    vi.useFakeTimers();
    const first = lock('a.json', false, ['user 4']);
    const [name = ''] = readdirSync(folder);
    utimesSync(join(folder, name), 0, 0);
    vi.advanceTimersByTime(BEAT);
    expect(statSync(join(folder, name)).mtimeMs).toBeGreaterThan(0);
    first.release();
    vi.useRealTimers();
  });
});

describe('the folder of journals and locks', () => {
  it('is made for one account alone, and used again', () => {
    makeOwnFolder(folder);
    makeOwnFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each<[string, () => void]>([
    ['a file', () => root.write(String(count), '')],
    ['a symbolic link', () => fs.symlinkSync(root.path, folder)],
    ['open to others', () => fs.chmodSync(fs.mkdirSync(folder, { recursive: true }) ?? folder, 0o777)],
  ])('is refused where it is %s', (_what, prepare) => {
    prepare();
    const use = (): void => makeOwnFolder(folder);
    expect(messageOf(RunRefused, use)).toMatch(/is not a folder that only you can use.*TMPDIR/);
  });
});

/** What a lock does to files, in the functions that it may use for it. */
const OPERATIONS = ['openSync', 'statSync', 'existsSync', 'writeFileSync', 'rmSync', 'renameSync', 'linkSync'] as const;

/** Calls back before each operation on a file, with its number; not within the callback. */
function beforeEachOperation(callback: (operation: number) => void): void {
  let operations = 0;
  let within = false;
  for (const name of OPERATIONS) {
    const original = fs[name] as (...given: unknown[]) => unknown;
    vi.spyOn(fs, name).mockImplementation((...given: unknown[]) => {
      if (!within) {
        within = true;
        try {
          callback((operations += 1));
        } finally {
          within = false;
        }
      }
      return original(...given) as never;
    });
  }
  syncBuiltinESMExports();
}

function restoreOperations(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

/** Does something again and again, with what comes between before each of its operations on files in turn. */
function atEachOperation(act: (interrupt: (callback: () => void) => void, number: number) => void): void {
  let number = 0;
  let operations: number;
  do {
    number += 1;
    operations = 0;
    newFolder();
    leaveStaleLock();
    act((callback) => {
      beforeEachOperation((operation) => {
        operations = operation;
        if (operation >= number) callback();
      });
    }, number);
    restoreOperations();
  } while (operations >= number);
  expect(number).toBeGreaterThan(5);
}

function tryLock(journal: string, takeOver = false): Lock | undefined {
  try {
    return lock(journal, takeOver, ['user 4']);
  } catch (error) {
    if (error instanceof RunRefused) return undefined;
    throw error;
  }
}

describe('a stale lock, and two runs that begin at the same moment', () => {
  afterEach(restoreOperations);

  it('is taken over by exactly one of them, whatever the order of what they do to files', () => {
    atEachOperation((interrupt, number) => {
      const winners: string[] = [];
      let tried = false;
      interrupt(() => {
        if (!tried && tryLock('other.json')) winners.push('other');
        tried = true;
      });
      if (tryLock('one.json')) winners.push('one');
      expect({ number, winners }).toEqual({ number, winners: [expect.any(String)] });
    });
  });

  it('is taken over once more if the run that took it over was killed on the way', () => {
    atEachOperation((interrupt) => {
      interrupt(() => {
        throw new Error('killed');
      });
      try {
        tryLock('killed.json');
      } catch {
        // Nothing after the kill is done.
      }
      restoreOperations();
      vi.spyOn(process, 'kill').mockImplementation(() => {
        throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
      });
      expect(tryLock('next.json')).toBeDefined();
    });
  });

  it('is not taken from the run that took it over, when the other one is released', () => {
    atEachOperation((interrupt) => {
      const first = tryLock('first.json');
      let second: Lock | undefined;
      interrupt(() => {
        second ??= tryLock('second.json', true);
      });
      first?.release();
      restoreOperations();
      if (second) expect(tryLock('third.json')).toBeUndefined();
    });
  });
});
