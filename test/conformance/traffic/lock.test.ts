import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockUsers, type Lock } from '../../../conformance/traffic/lock.ts';
import { makeOwnFolder } from '../../../conformance/traffic/own-folder.ts';
import { RunRefused } from '../../../conformance/traffic/run-refused.ts';
import { messageOf } from '../../support/exchanges.ts';
import { temporaryFolder } from '../../support/folder.ts';

const root = temporaryFolder();
let folder = '';
let count = 0;

beforeEach(() => {
  folder = root.at(String((count += 1)));
});

const baseUrl = 'http://target.example:4242/base';

function lock(journal: string, takeOver = false, ids = ['4', '5'], of = baseUrl): Lock {
  return lockUsers({ baseUrl: of, ids, journal, takeOver, folder });
}

/** Makes every lock in the folder that of another process. */
function holdBy(process: number, journal: string): void {
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), JSON.stringify({ process, journal }));
}

const { pid: gone } = spawnSync(process.execPath, ['--version']);

describe('a lock on users', () => {
  it('keeps another run from the same users of the same target, until it is released', () => {
    const first = lock('a.json');
    expect(messageOf(RunRefused, () => lock('b.json', false, ['5']))).toMatch(
      /^Another run is changing user 5 of http:\/\/target\.example:4242\/base \(process \d+\); .*--take-over/,
    );
    lock('b.json', false, ['6']).release();
    lock('b.json', false, ['5'], 'http://other.example').release();
    first.release();
    lock('b.json').release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves no half lock behind where a later user is locked', () => {
    const first = lock('a.json', false, ['5']);
    expect(messageOf(RunRefused, () => lock('b.json', false, ['4', '5']))).toContain('user 5');
    lock('c.json', false, ['4']).release();
    first.release();
  });

  it('of a process that is gone does not count; its journal is named if it is still there', () => {
    lock('a.json');
    holdBy(gone, 'gone.json');
    const next = lock('b.json');
    expect(next.earlierJournals).toEqual([]);
    next.release();
    lock('a.json');
    const left = root.write('left.json', '{}');
    holdBy(gone, left);
    expect(lock('b.json').earlierJournals).toEqual([left]);
  });

  it.each(['', 'x', 'null', '{"process":"1"}'])('that is broken (%j) counts, and can be taken over', (text) => {
    lock('a.json', false, ['4']);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
    expect(messageOf(RunRefused, () => lock('b.json'))).toContain('--take-over');
    lock('b.json', true).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that was taken over is not released by the run that lost it', () => {
    const first = lock('a.json', false, ['4']);
    const second = lock('b.json', true, ['4']);
    first.release();
    expect(messageOf(RunRefused, () => lock('c.json', false, ['4']))).toContain('Another run');
    second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('on no user makes no folder', () => {
    lock('a.json', false, []).release();
    expect(() => statSync(folder)).toThrow();
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
    [
      'a symbolic link',
      () => {
        mkdirSync(`${folder}-real`, { mode: 0o700 });
        symlinkSync(`${folder}-real`, folder);
      },
    ],
    [
      'open to others',
      () => {
        mkdirSync(folder);
        chmodSync(folder, 0o777);
      },
    ],
  ])('is refused where it is %s', (_what, prepare) => {
    prepare();
    expect(
      messageOf(RunRefused, () => {
        makeOwnFolder(folder);
      }),
    ).toMatch(/is not a folder that only you can use.*TMPDIR/);
  });
});
