import { readFileSync } from 'node:fs';
import { isRecord } from '../common/json.ts';

/** A retired id of a requirement, an open point or a check. It stays on record and is never used again. */
export interface RetiredId {
  readonly id: string;
  /** The first contract version without it. */
  readonly since: string;
  /** The ids that replace it. */
  readonly replacedBy: readonly string[];
  /** Why it was retired, if nothing replaces it. */
  readonly reason?: string;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function parseEntry(entry: unknown): RetiredId | undefined {
  if (!isRecord(entry)) return undefined;
  const { id, since, replacedBy = [], reason } = entry;
  if (typeof id !== 'string' || typeof since !== 'string' || !isTexts(replacedBy)) return undefined;
  const said = typeof reason === 'string' && reason.trim() !== '' ? { reason } : {};
  return { id, since, replacedBy, ...said };
}

/** Reads a list of retired ids; undefined if the value is not such a list. */
export function parseRetiredIds(list: unknown): readonly RetiredId[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.map(parseEntry);
  return entries.includes(undefined) ? undefined : (entries as RetiredId[]);
}

function readRetiredIds(): readonly RetiredId[] {
  const found = parseRetiredIds(JSON.parse(readFileSync(new URL('./retired-ids.json', import.meta.url), 'utf8')));
  if (found === undefined) throw new Error('contract/retired-ids.json is not a list of retired ids.');
  return found;
}

/** All retired ids. */
export const retiredIds: readonly RetiredId[] = readRetiredIds();
