import type { Result } from './result.ts';
import { preventsPass, type BaselineEntry } from './verdict.ts';

/** How a baseline changes after a run. */
export interface BaselineUpdate {
  /** Sorted by check. */
  readonly entries: readonly BaselineEntry[];
  /** Ids of the checks whose entry is new, kept, expired and renewed, or removed. */
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly renewed: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * The baseline with which the run of this result would have passed. Entries that still hold keep their reason and date, those
 * of checks that were not selected stay, and those that no longer hold are removed.
 *
 * @param old the entries so far
 * @param known the ids of all checks
 * @param given the reason, and perhaps the last day, of new and renewed entries
 * @param today `YYYY-MM-DD`
 */
export function updateBaseline(
  result: Result,
  old: readonly BaselineEntry[],
  known: ReadonlySet<string>,
  given: Pick<BaselineEntry, 'reason' | 'expires'>,
  today: string,
): BaselineUpdate {
  const results = new Map(result.checks.map((check) => [check.id, check]));
  const unselected = old.filter(({ check }) => known.has(check) && !results.has(check));
  const holds = ({ check, outcome }: BaselineEntry): boolean => results.get(check)?.outcome === outcome;
  const isExpired = ({ expires }: BaselineEntry): boolean => expires !== undefined && expires < today;
  const kept = [...unselected, ...old.filter((entry) => holds(entry) && !isExpired(entry))];
  const keptIds = new Set(kept.map(({ check }) => check));
  const fresh = result.checks.flatMap((check): BaselineEntry[] => {
    const { id, outcome } = check;
    if (keptIds.has(id) || (outcome !== 'failed' && outcome !== 'inconclusive')) return [];
    // As if there was no baseline: an entry of the old one may have expired.
    const isNeeded = preventsPass({ ...check, knownFailure: false }, result.selection.failOn);
    return isNeeded ? [{ check: id, outcome, ...given }] : [];
  });
  const oldIds = new Set(old.filter(holds).map(({ check }) => check));
  const entries = [...kept, ...fresh].sort((left, right) => (left.check < right.check ? -1 : 1));
  const inFile = new Set(entries.map(({ check, outcome }) => `${check} ${outcome}`));
  return {
    entries,
    added: fresh.map(({ check }) => check).filter((id) => !oldIds.has(id)),
    kept: [...keptIds].sort(),
    renewed: fresh.map(({ check }) => check).filter((id) => oldIds.has(id)),
    dropped: old.filter(({ check, outcome }) => !inFile.has(`${check} ${outcome}`)).map(({ check }) => check),
  };
}
