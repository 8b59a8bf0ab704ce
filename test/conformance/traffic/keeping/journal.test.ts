import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../common/process/args.ts';
import {
  openJournal,
  readJournal,
  removeJournal,
  type Journal,
} from '../../../../conformance/traffic/keeping/journal.ts';
import { messageOf } from '../../../support/exchanges.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const root = temporaryFolder();
let folder = '';
let path = '';

beforeEach(() => {
  folder = root.fresh().path;
  path = join(folder, 'journal.json');
});

const journal: Journal = {
  journalVersion: 1,
  baseUrl: 'http://target.example:4242/base',
  startedAt: '2026-06-15T12:00:00.000Z',
  users: [
    { subject: 'user', id: '4', originals: { name: 'Ada', email: null, rootRole: { id: 1 } } },
    { subject: 'other-user', id: '123456789012345678901', originals: {} },
  ],
};

const later: Journal = { ...journal, users: [{ subject: 'user', id: '4', originals: { name: 'Ada', email: 'a@x' } }] };

describe('openJournal', () => {
  it('replaces the file instead of writing into it, so that a kill leaves the old or the new one, and no draft', () => {
    const open = openJournal(path, () => undefined);
    open.keep(journal);
    const before = statSync(path).ino;
    open.keep(later);
    expect(readJournal(path)).toEqual(later);
    expect(statSync(path).ino).not.toBe(before);
    expect(readdirSync(dirname(path))).toEqual(['journal.json']);
  });

  it('is readable only by its owner, even if a killed run left a draft that everybody can read', () => {
    writeFileSync(`${path}.new`, 'half', { mode: 0o644 });
    const open = openJournal(path, () => undefined);
    for (const each of [journal, later]) {
      open.keep(each);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readJournal(path)).toEqual(each);
    }
  });

  it('deletes the file at the end, and no file that it did not write', () => {
    const open = openJournal(path, () => undefined);
    open.keep(journal);
    openJournal(path, () => undefined).remove();
    expect(existsSync(path)).toBe(true);
    open.remove();
    removeJournal(path);
    expect(existsSync(path)).toBe(false);
  });

  it.each(['file', 'missing'])('throws if it cannot write (%s), makes no folder, and reports no path', (name) => {
    writeFileSync(join(folder, 'file'), '');
    const told: string[] = [];
    expect(() => openJournal(join(folder, name, 'journal.json'), (at) => told.push(at)).keep(journal)).toThrow();
    expect(told).toEqual([]);
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});

describe('readJournal', () => {
  function refusal(content: unknown): string {
    const file = join(folder, 'bad.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return messageOf(UsageError, () => readJournal(file));
  }
  const [user] = journal.users;

  it('refuses a file that does not exist', () =>
    expect(messageOf(UsageError, () => readJournal(join(folder, 'nope.json')))).toContain('no such file'));

  it.each<[what: string, says: string, content: unknown]>([
    ['half a journal', 'not JSON', JSON.stringify(journal).slice(0, 100)],
    ['an empty file', 'not JSON', ''],
    ['no object', 'version', []],
    ['another version', 'version', { ...journal, journalVersion: 2 }],
    ['another address', 'baseUrl', { ...journal, baseUrl: 'localhost' }],
    ...[
      ...[{}, undefined, ['4'], [{ id: '4', originals: {} }], [{ subject: 'user', id: '4' }]],
      ...[4, '4abc', '../5', ''].map((id) => [{ ...user, id }]),
      ...[[], { seenAt: null }].map((originals) => [{ ...user, originals }]),
      ...[[{ ...user, subject: 'missing-user' }], [user, { ...user, id: 'x' }]],
    ].map((users): [string, string, unknown] => ['users in another form', 'users', { ...journal, users }]),
  ])('refuses %s (%s): %j', (_what, says, content) => expect(refusal(content)).toContain(says));
});
