import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord } from '../../common/json.ts';
import { type NamedUser, type Updatable, UPDATABLE } from '../target/user.ts';

export interface JournalUser {
  readonly subject: NamedUser;
  readonly id: string;
  /** The values before the first write, as far as they were shown. */
  readonly originals: Readonly<Partial<Record<Updatable, unknown>>>;
}

/** What is needed to put the users back after a run that was killed. It holds no key. */
export interface Journal {
  readonly journalVersion: 1;
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly users: readonly JournalUser[];
}

/** A journal that cannot be read; the message says why. */
export class InvalidJournal extends Error {}

/** Where the journals of runs are kept unless the operator says otherwise. */
export const JOURNAL_DIRECTORY = join(tmpdir(), 'admin-api-conformance');

/** A file in the system's directory for temporary files, whose name no other run has. */
export function defaultJournalPath(run: string): string {
  return join(JOURNAL_DIRECTORY, `journal-${run}.json`);
}

function writeJournal(path: string, journal: Journal): void {
  if (dirname(path) === JOURNAL_DIRECTORY) mkdirSync(JOURNAL_DIRECTORY, { recursive: true });
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(journal, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** The journal of a run that is under way. */
export interface OpenJournal {
  readonly path: string;
  /**
   * Writes the journal if it differs from what is there, so that a kill at any moment leaves the old one or the new one, whole.
   * Readable by its owner alone.
   *
   * @throws Error from node:fs if it cannot be written
   */
  readonly keep: (journal: Journal) => void;
  /** Takes the file away, if it was written. */
  readonly remove: () => void;
}

/** @param onFirstWrite told the path when the file is written for the first time */
export function openJournal(path: string, onFirstWrite: (path: string) => void): OpenJournal {
  let written: string | undefined;
  return {
    path,
    keep: (journal) => {
      const text = JSON.stringify(journal);
      if (text === written) return;
      writeJournal(path, journal);
      if (written === undefined) onFirstWrite(path);
      written = text;
    },
    remove: () => {
      if (written !== undefined) removeJournal(path);
    },
  };
}

export function removeJournal(path: string): void {
  rmSync(path, { force: true });
}

function isJournalUser(value: unknown): value is JournalUser {
  if (!isRecord(value) || !isRecord(value.originals)) return false;
  const knownMembers = Object.keys(value.originals).every((member) =>
    (UPDATABLE as readonly string[]).includes(member),
  );
  const knownSubject = value.subject === 'user' || value.subject === 'other-user';
  return knownMembers && knownSubject && typeof value.id === 'string' && /^-?\d+$/.test(value.id);
}

/**
 * Reads a journal.
 *
 * @throws InvalidJournal if the file cannot be read or is no journal of this version
 */
export function readJournal(path: string): Journal {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidJournal('it is not JSON');
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InvalidJournal(code === 'ENOENT' ? 'there is no such file' : message);
  }
  if (!isRecord(value) || value.journalVersion !== 1)
    throw new InvalidJournal('it is no journal of this version of the suite');
  const { baseUrl, startedAt, users } = value;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) throw new InvalidJournal('its "baseUrl" is no URL');
  if (!Array.isArray(users) || !users.every(isJournalUser))
    throw new InvalidJournal('its "users" are not as a run writes them');
  return { journalVersion: 1, baseUrl, startedAt: String(startedAt), users };
}
