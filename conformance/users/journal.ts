/** The journal: the users as they were before a run, in a file from which they can be restored. */

import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Recorder } from '../http/record.ts';
import { WITHHELD } from '../http/redact.ts';
import { Stopped } from '../facts/outcome.ts';
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

type About = Omit<Journal, 'journalVersion' | 'users'>;

/** MiB of a journal: what a run writes, `restore` reads. */
export const MOST_JOURNAL = 16;
const MIB = 1024 * 1024;

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

/** Makes sure that there is no file, or an empty one. @throws Error from node:fs (EEXIST) */
function refuseToOverwrite(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) closeSync(openSync(path, 'wx', 0o600));
}

/** Puts a text in the place of a file: a kill at any moment leaves the old or the new one intact. Only its owner can read it. */
function replace(path: string, text: string): void {
  const draft = draftOf(path);
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    closeSync(file);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The file in which a run keeps its users as they were before it. */
export class JournalFile {
  readonly path: string;
  /** Whether the users can be restored from it. */
  isWritten = false;
  readonly #about: About;
  readonly #text: Recorder['text'];

  /**
   * @param about what it says besides the users
   * @param text withholds keys
   */
  constructor(path: string, about: About, text: Recorder['text']) {
    this.path = path;
    this.#about = about;
    this.#text = text;
  }

  /**
   * Writes the users, in place of what it has. It never takes the place of another file.
   *
   * @throws Error from node:fs if it cannot be written
   * @throws Stopped if it would be larger than `restore` reads
   */
  keep(originals: ReadonlyMap<string, User>): void {
    const users = [...originals].map(([id, user]) => ({ id, originals: membersOf(user, this.#text) }));
    const journal: Journal = { journalVersion: 2, ...this.#about, users };
    // Without indentation, which would make nested values many times as long.
    const text = `${JSON.stringify(journal)}\n`;
    if (Buffer.byteLength(text) > MOST_JOURNAL * MIB)
      throw new Stopped(
        `The old values of the users take more than ${MOST_JOURNAL} MiB. Name users with shorter values.`,
      );
    if (!this.isWritten) refuseToOverwrite(this.path);
    replace(this.path, text);
    this.isWritten = true;
  }
}

/** Deletes a journal, if it exists, and the draft that a kill may have left. */
export function removeJournal(path: string): void {
  rmSync(draftOf(path), { force: true });
  rmSync(path, { force: true });
}
