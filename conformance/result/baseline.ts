import { requirements } from '../../contract/document.ts';
import { retiredIds } from '../../contract/retired-ids.ts';
import { checks as catalogue, checksOf, explorationChecks } from '../checks/catalogue.ts';
import type { Result } from './result.ts';
import { canShow, preventsPass, type BaselineEntry, type FindingEntry, type KnownIds } from './verdict.ts';

/**
 * The ids that a baseline may name.
 *
 * @param counts whether a check counts; those that do not cannot make an entry stale
 */
export function knownIds(counts: (id: string) => boolean = () => true): KnownIds {
  const idsOf = (checks: readonly { readonly id: string }[]): string[] => checks.map(({ id }) => id);
  return {
    ids: new Set(idsOf([...catalogue, ...explorationChecks])),
    findings: Object.fromEntries([
      ...requirements.map((requirement) => [requirement.id, idsOf(checksOf(requirement)).filter(counts)] as const),
      // A wrong status that a target always uses, whatever is refused.
      ['status', idsOf(catalogue).filter(counts)],
    ]),
    retired: Object.fromEntries(retiredIds.map(({ id, replacedBy }) => [id, replacedBy])),
  };
}

/** How a baseline changes after a run. */
export type BaselineUpdate = ReturnType<typeof updateBaseline>;

function idOf({ check, finding }: BaselineEntry): string {
  return check ?? finding;
}

/** An entry without its reason and date. */
function keyOf(entry: BaselineEntry): string {
  return entry.check === undefined ? `finding ${entry.finding}` : `${entry.check} ${entry.outcome}`;
}

/** Whether the result still shows what an entry says. */
function holds(entry: BaselineEntry, { checks, findings }: Result): boolean {
  if (entry.check === undefined) return findings.some(({ id }) => id === entry.finding);
  return checks.some(({ id, outcome }) => id === entry.check && outcome === entry.outcome);
}

/** Whether the run could not show what an entry says, because of its selection. */
function isUnselected(entry: BaselineEntry, { checks }: Result, known: KnownIds): boolean {
  const selected = new Set(checks.map(({ id }) => id));
  if (entry.check !== undefined) return known.ids.has(entry.check) && !selected.has(entry.check);
  return canShow(entry.finding, known).some((id) => !selected.has(id));
}

/** The entries that a run needs to pass beside those that are kept. */
function missingEntries(
  { checks, findings, selection }: Result,
  kept: readonly BaselineEntry[],
  given: Pick<BaselineEntry, 'reason' | 'expires'>,
): BaselineEntry[] {
  const coveredBy = ({ finding }: FindingEntry): string[] =>
    findings.filter(({ id }) => id === finding).flatMap((each) => [...each.checks, ...each.consequences]);
  const covered = new Set(kept.flatMap((entry) => (entry.check === undefined ? coveredBy(entry) : [entry.check])));
  // As if there was no baseline: an entry of the old one may have expired.
  const isNeeded = (check: Result['checks'][number]): boolean =>
    !covered.has(check.id) && preventsPass({ ...check, knownFailure: false }, selection.failOn);
  const ofFindings = findings
    .filter(({ checks: ids }) => checks.some((check) => ids.includes(check.id) && isNeeded(check)))
    .map(({ id }): FindingEntry => ({ finding: id, ...given }));
  for (const id of ofFindings.flatMap(coveredBy)) covered.add(id);
  const ofChecks = checks.filter(isNeeded).flatMap(({ id, outcome }): BaselineEntry[] => {
    return outcome === 'failed' || outcome === 'inconclusive' ? [{ check: id, outcome, ...given }] : [];
  });
  return [...ofFindings, ...ofChecks];
}

function inOrder(left: BaselineEntry, right: BaselineEntry): number {
  const kind = Number(left.check !== undefined) - Number(right.check !== undefined);
  return kind === 0 ? (idOf(left) < idOf(right) ? -1 : 1) : kind;
}

/**
 * The baseline with which the run of this result would have passed: an entry for each finding, and for each other check that kept
 * it from passing. Entries that still hold keep their reason and date, those of checks that were not selected stay, and those
 * that no longer hold are removed.
 *
 * @param old the entries so far
 * @param given the reason, and perhaps the last day, of new and renewed entries
 * @param today `YYYY-MM-DD`
 * @returns the entries, those of findings first, each sorted by id; and the ids of what has a new entry, one that is kept, one that
 *   had expired and is renewed, or no longer one
 */
export function updateBaseline(
  result: Result,
  old: readonly BaselineEntry[],
  known: KnownIds,
  given: Pick<BaselineEntry, 'reason' | 'expires'>,
  today: string,
) {
  const isExpired = ({ expires }: BaselineEntry): boolean => expires !== undefined && expires < today;
  const kept = old.filter((entry) => {
    return holds(entry, result) ? !isExpired(entry) : isUnselected(entry, result, known);
  });
  const fresh = missingEntries(result, kept, given);
  const held = new Set(old.filter((entry) => holds(entry, result)).map(keyOf));
  const entries = [...kept, ...fresh].sort(inOrder);
  const inFile = new Set(entries.map(keyOf));
  return {
    entries,
    added: fresh.filter((entry) => !held.has(keyOf(entry))).map(idOf),
    kept: kept.map(idOf).sort(),
    renewed: fresh.filter((entry) => held.has(keyOf(entry))).map(idOf),
    dropped: old.filter((entry) => !inFile.has(keyOf(entry))).map(idOf),
  };
}

/** Marks the checks and the findings of a result that a baseline lists as known failures. */
export function markKnown(
  { checks, findings }: Pick<Result, 'checks' | 'findings'>,
  known: ReadonlySet<string>,
): Pick<Result, 'checks' | 'findings'> {
  return {
    checks: checks.map((check) => ({ ...check, knownFailure: known.has(check.id) })),
    findings: findings.map((finding) => ({ ...finding, knownFailure: finding.checks.every((id) => known.has(id)) })),
  };
}
