import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readGivenFile, UsageError } from '../../../common/process/args.ts';
import { isRecord, parsedJson, sizeOf } from '../../../common/json.ts';
import { type Writable, WRITABLE } from '../../resources/inputs.ts';
import { nameOf } from './restoration.ts';
import { makeOwnFolder, OWN_FOLDER } from './own-folder.ts';
import type { Originals } from '../../resources/resource.ts';
import { resourceOf } from '../../resources/index.ts';

interface JournalUser {
  readonly subject: Writable;
  readonly id: string;
  /** The values before the first write, as far as the target showed them. */
  readonly originals: Originals;
}

/** What is needed to restore the users after a run was killed. It holds no key. */
export interface Journal {
  readonly journalVersion: 1;
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly users: readonly JournalUser[];
}

/**
 * The default path of a run's journal.
 *
 * @param run a text that no other run has
 */
export function defaultJournalPath(run: string): string {
  return join(OWN_FOLDER, `journal-${run}.json`);
}

/** Where the next version of a journal is written before it takes the place of the last one. */
export function draftOf(path: string): string {
  return `${path}.new`;
}

function writeJournal(path: string, journal: Journal): void {
  if (dirname(path) === OWN_FOLDER) makeOwnFolder();
  const draft = draftOf(path);
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, `${JSON.stringify(journal, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The journal of a running run. */
export interface OpenJournal {
  readonly path?: string;
  /**
   * Writes the journal if it has changed. A kill at any moment leaves the old or the new one intact. Only its owner can read it.
   *
   * @throws Error from node:fs if it cannot be written
   */
  readonly keep: (journal: Journal) => void;
  /** Deletes the file, if it was written. */
  readonly remove: () => void;
}

/** The journal of a run whose users end with its process. */
export const NO_JOURNAL: OpenJournal = { keep: () => undefined, remove: () => undefined };

/**
 * Opens a journal; nothing is written yet.
 *
 * @param onFirstWrite called with the path after the first write
 */
export function openJournal(path: string, onFirstWrite: (path: string) => void): OpenJournal {
  let written: Journal | undefined;
  return {
    path,
    keep: (journal) => {
      if (isDeepStrictEqual(journal, written)) return;
      writeJournal(path, journal);
      if (written === undefined) onFirstWrite(path);
      written = journal;
    },
    remove: () => {
      if (written !== undefined) removeJournal(path);
    },
  };
}

/** Deletes a journal, if it exists, and the draft that a kill may have left. */
export function removeJournal(path: string): void {
  rmSync(draftOf(path), { force: true });
  rmSync(path, { force: true });
}

/** Levels. The suite reads bodies of far fewer. */
const DEEPEST = 1_000;

function isJournalUser(value: unknown): value is JournalUser {
  if (!isRecord(value) || !isRecord(value.originals)) return false;
  const subject = WRITABLE.find((each) => each === value.subject);
  const members = subject ? resourceOf(subject).members : [];
  const isKnown = subject !== undefined && Object.keys(value.originals).every((member) => members.includes(member));
  return isKnown && typeof value.id === 'string' && /^-?\d+$/.test(value.id);
}

/**
 * What the journals of other runs say that a subject had: what those runs wrote since is no value of the users. A
 * journal that cannot be read, or is about another target, says nothing.
 */
export function originalsIn(paths: readonly string[], baseUrl: string): ReadonlyMap<string, Originals> {
  const users = paths.flatMap((path) => {
    try {
      const journal = readJournal(path);
      return journal.baseUrl === baseUrl ? journal.users : [];
    } catch {
      return [];
    }
  });
  return new Map(users.map(({ subject, id, originals }) => [nameOf({ subject, id }), originals]));
}

/**
 * Reads a journal.
 *
 * @throws UsageError if the file cannot be read or is not a journal of this version
 */
export function readJournal(path: string): Journal {
  const refusal = (why: string): UsageError => new UsageError(`restore ${path}: ${why}.`);
  const text = readGivenFile('restore', path);
  if (sizeOf(text, DEEPEST).depth > DEEPEST) throw refusal('it is nested too deeply');
  const value = parsedJson(text);
  if (value === undefined) throw refusal('it is not JSON');
  if (!isRecord(value) || value.journalVersion !== 1) throw refusal('it is not a journal of this version of the suite');
  const { baseUrl, startedAt, users } = value;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) throw refusal('its "baseUrl" is not a URL');
  if (!Array.isArray(users) || !users.every(isJournalUser))
    throw refusal('its "users" do not have the form that a run writes');
  if (typeof startedAt !== 'string') throw refusal('its "startedAt" is not a time');
  return { journalVersion: 1, baseUrl, startedAt, users };
}
