import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Level } from '../../contract/document.ts';
import type { Check } from '../model/check.ts';

/** The checks that decide on conformance to one version of the contract, each with its level. */
export interface ScoredSet {
  readonly contractVersion: string;
  readonly checks: readonly { readonly id: string; readonly level: Level }[];
}

function readScoredSet(): ScoredSet {
  const text = readFileSync(new URL('../../contract/frozen.json', import.meta.url), 'utf8');
  const { contractVersion, checks } = JSON.parse(text) as { contractVersion: string; checks: Record<string, Level> };
  return { contractVersion, checks: Object.entries(checks).map(([id, level]) => ({ id, level })) };
}

/** The set that is frozen for this version of the contract ("npm run freeze" writes it). */
export const scoredSet: ScoredSet = readScoredSet();

/** The ids of a set. */
export function scoredIds({ checks }: ScoredSet): Set<string> {
  return new Set(checks.map(({ id }) => id));
}

/** Identifies a set: SHA-256 of its ids and levels, in whichever order they stand. */
export function digestOfScoredSet({ checks }: ScoredSet): string {
  const lines = checks.map(({ id, level }) => `${id} ${level}`).sort();
  return hash('sha256', JSON.stringify(lines));
}

/** The check at the level that it has in a set; as it is if it is not there. */
export function atScoredLevel(check: Check, { checks }: ScoredSet): Check {
  const level = checks.find(({ id }) => id === check.id)?.level ?? check.level;
  return level === check.level ? check : { ...check, level };
}
