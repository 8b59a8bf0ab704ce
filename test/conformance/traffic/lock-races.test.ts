import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockUsers, type Lock } from '../../../conformance/traffic/lock.ts';
import { RunRefused } from '../../../conformance/traffic/run-refused.ts';
import { temporaryFolder } from '../../support/folder.ts';

const root = temporaryFolder();
const { pid: gone } = spawnSync(process.execPath, ['--version']);
const baseUrl = 'http://target.example:4242/base';
let folder = '';
let count = 0;

function lock(journal: string, takeOver = false): Lock | undefined {
  try {
    return lockUsers({ baseUrl, ids: ['4'], journal, takeOver, folder });
  } catch (error) {
    if (error instanceof RunRefused) return undefined;
    throw error;
  }
}

/** Leaves the lock of a process that is gone. */
function leaveStaleLock(): void {
  lock('gone.json');
  for (const name of readdirSync(folder))
    writeFileSync(join(folder, name), JSON.stringify({ process: gone, journal: 'gone.json' }));
}

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
    folder = root.at(String((count += 1)));
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

beforeEach(() => {
  folder = root.at(String((count += 1)));
});

afterEach(restoreOperations);

describe('a stale lock, and two runs that begin at the same moment', () => {
  it('is taken over by exactly one of them, whatever the order of what they do to files', () => {
    atEachOperation((interrupt, number) => {
      const winners: string[] = [];
      let tried = false;
      interrupt(() => {
        if (!tried && lock('other.json')) winners.push('other');
        tried = true;
      });
      if (lock('one.json')) winners.push('one');
      expect({ number, winners }).toEqual({ number, winners: [expect.any(String)] });
    });
  });

  it('is taken over by one of three, both others between two steps of the first', () => {
    atEachOperation((interrupt, number) => {
      const winners: string[] = [];
      const others = ['second.json', 'third.json'];
      interrupt(() => {
        const [other] = others.splice(0, 1);
        if (other !== undefined && lock(other)) winners.push(other);
      });
      if (lock('one.json')) winners.push('one');
      expect({ number, winners }).toEqual({ number, winners: [expect.any(String)] });
    });
  });

  it('is taken over once more if the run that took it over was killed on the way', () => {
    atEachOperation((interrupt) => {
      interrupt(() => {
        throw new Error('killed');
      });
      try {
        lock('killed.json');
      } catch {
        // Nothing after the kill is done.
      }
      restoreOperations();
      vi.spyOn(process, 'kill').mockImplementation(() => {
        throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
      });
      expect(lock('next.json')).toBeDefined();
    });
  });

  it('is not taken from the run that took it over, when the other one is released', () => {
    atEachOperation((interrupt) => {
      const first = lock('first.json');
      let second: Lock | undefined;
      interrupt(() => {
        second ??= lock('second.json', true);
      });
      first?.release();
      restoreOperations();
      if (second) expect(lock('third.json')).toBeUndefined();
    });
  });

  it('is taken over by one of many processes', async () => {
    leaveStaleLock();
    const module = pathToFileURL('dist/conformance/traffic/lock.js').href;
    const code = `
      import { lockUsers } from ${JSON.stringify(module)};
      process.stdin.once('data', () => {
        try {
          lockUsers({ ...${JSON.stringify({ baseUrl, ids: ['4'], takeOver: false, folder })}, journal: String(process.pid) });
          console.log('won');
        } catch (error) {
          console.log(error.constructor.name);
        }
        process.stdin.resume().on('end', () => process.exit());
      });
      console.log('ready');`;
    const processes = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    try {
      const next = async (): Promise<string[]> =>
        Promise.all(processes.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()));
      await next();
      const said = next();
      for (const { stdin } of processes) stdin.write('go');
      expect((await said).sort()).toEqual([...Array<string>(5).fill('RunRefused'), 'won']);
    } finally {
      for (const each of processes) each.kill();
    }
  });
});
