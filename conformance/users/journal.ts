import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Recorder } from '../http/record.ts';
import { WITHHELD } from '../http/redact.ts';
import { COMPARED_MEMBERS, type User } from './differences.ts';

/** What is needed to restore the users after a run was killed. It holds no key. */
export const journalSchema = z.object({
  journalVersion: z.literal(2),
  baseUrl: z.url(),
  startedAt: z.string(),
  /** The roles that the operator declared, in the form that the target accepts. */
  roleIds: z.array(z.unknown()).optional(),
  users: z.array(
    z.object({
      id: z.string().regex(/^-?\d+$/),
      /** What the target showed of the user before the first write; `WITHHELD` in place of a value that contains a key. */
      originals: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type Journal = z.infer<typeof journalSchema>;

/** A path in the system's folder for temporary files that no other run has, and nobody can guess. */
export function defaultJournalPath(): string {
  return join(tmpdir(), `admin-api-conformance-${randomBytes(8).toString('hex')}.json`);
}

/** The file in which the next version of a journal is written before it takes the place of the last one. */
function draftOf(path: string): string {
  return `${path}.new`;
}

/** The members of a user that restoring needs. What contains a key is withheld. */
function membersOf(user: User, text: Recorder['text']): User {
  const known = COMPARED_MEMBERS.filter((member) => user[member] !== undefined);
  const safe = (value: unknown): unknown => (text(JSON.stringify(value)) === JSON.stringify(value) ? value : WITHHELD);
  return Object.fromEntries(known.map((member) => [member, safe(user[member])]));
}

/**
 * Writes the users as they were before a run. A kill at any moment leaves the old or the new file intact. Only its owner can
 * read it.
 *
 * @param about what the journal says besides the users
 * @param text withholds keys
 * @throws Error from node:fs if it cannot be written
 */
export function writeJournal(
  path: string,
  about: Omit<Journal, 'journalVersion' | 'users'>,
  originals: ReadonlyMap<string, User>,
  text: Recorder['text'],
): void {
  const users = [...originals].map(([id, user]) => ({ id, originals: membersOf(user, text) }));
  const journal: Journal = { journalVersion: 2, ...about, users };
  const draft = draftOf(path);
  rmSync(draft, { force: true });
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, `${JSON.stringify(journal, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Deletes a journal, if it exists, and the draft that a kill may have left. */
export function removeJournal(path: string): void {
  rmSync(draftOf(path), { force: true });
  rmSync(path, { force: true });
}
