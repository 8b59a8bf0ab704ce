import { z } from 'zod';
import { UsageError } from '../../common/process/args.ts';
import { hint } from '../../common/nearest.ts';
import { byText } from '../../common/text.ts';
import { jsonIn, validated } from './read.ts';
import { type BaselineProblem, type Finding, levelSchema, type RequirementResult, type Result } from './result.ts';
import { decides, type Item, itemsOf, type Judged } from './verdict.ts';

const entrySchema = z.strictObject({
  check: z
    .string('must be the id of a check')
    .min(1, 'must be the id of a check')
    .describe('The id of a check; or of a requirement to which every response is held, where no check failed for it.'),
  level: levelSchema.describe('Of what it breaks. A check that is known to break a should may not break a must.'),
  outcome: z.enum(['failed', 'inconclusive'], 'must be failed or inconclusive'),
  reason: z.string('must be a text').trim().min(1, 'must say why this is known'),
  expires: z.iso
    .date('must be a date such as 2027-01-31')
    .optional()
    .describe('The last day on which it holds, in UTC.'),
});
/** A failure that is known: it does not fail a run, until it expires or has another outcome. */
export type BaselineEntry = z.infer<typeof entrySchema>;

/** A baseline file. */
export const baselineSchema = z.strictObject({ entries: z.array(entrySchema, 'must be an array') });

const MEMBERS = [...Object.keys(baselineSchema.shape), ...Object.keys(entrySchema.shape)];

/** The value of a file in JSON or YAML. */
async function dataIn(name: string, text: string): Promise<unknown> {
  if (!/\.ya?ml$/i.test(name)) return jsonIn(name, text);
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${name}: it is not YAML: ${(error as Error).message.split('\n', 1).join('')}`);
  }
}

/**
 * Reads the text of a baseline file: `{ "entries": [{ "check", "level", "outcome", "reason", "expires"? }] }`.
 *
 * @param name of the file: one that ends in .yaml or .yml is YAML, any other JSON
 * @throws UsageError with one line that names the file, the entry and what is wrong in it
 */
export async function parseBaseline(name: string, text: string): Promise<BaselineEntry[]> {
  const { entries } = validated(baselineSchema, await dataIn(name, text), name, MEMBERS);
  const second = entries.findIndex(({ check }, index) => entries.findIndex((each) => each.check === check) < index);
  if (second !== -1)
    throw new UsageError(`${name}: entries[${second}] is the second entry for ${entries[second]?.check ?? ''}.`);
  return entries;
}

/** What a baseline is held against. */
export interface Held extends Judged {
  readonly requirements: readonly RequirementResult[];
}

/** What came of the check, or the requirement, of an entry; undefined if the run did not judge it. */
function stateOf(id: string, held: Held, items: readonly Item[]): Pick<Item, 'level' | 'outcome'> | undefined {
  return items.find((item) => item.id === id) ?? held.requirements.find((requirement) => requirement.id === id);
}

function isExpired({ expires }: BaselineEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** Why an entry does not hold; undefined if it does, or the run did not judge it. */
function staleness({ check, level, outcome }: BaselineEntry, now: Pick<Item, 'level' | 'outcome'> | undefined) {
  if (now === undefined || (now.outcome === outcome && now.level === level)) return undefined;
  if (now.outcome !== outcome) return `${check} is now ${now.outcome}, not ${outcome}; remove the entry.`;
  return `${check} is now a ${now.level}, not a ${level}; look at it, and change the entry.`;
}

function problemOf(
  entry: BaselineEntry,
  state: ReturnType<typeof stateOf>,
  today: string,
  ids: ReadonlySet<string>,
): BaselineProblem | undefined {
  const id = entry.check;
  if (!ids.has(id)) {
    const advice = hint(id, [...ids]) || ' Remove the entry.';
    return { id, kind: 'unknown', message: `There is no check ${id}.${advice}` };
  }
  if (isExpired(entry, today)) {
    const message = `The entry for ${id} expired on ${entry.expires ?? ''}; fix your server, or set a later date.`;
    return { id, kind: 'expired', message };
  }
  const stale = staleness(entry, state);
  return stale === undefined ? undefined : { id, kind: 'stale', message: stale };
}

/**
 * Which failures of a run are known, and which entries do not hold. An entry hides one check with one outcome at one level.
 *
 * @param held the run, before its known failures are marked
 * @param today `YYYY-MM-DD`, in UTC
 * @param ids of all checks and requirements; any other is unknown
 * @returns the ids of known failures, for `withKnown`, and a problem for each entry that does not hold
 */
export function markKnown(
  entries: readonly BaselineEntry[],
  held: Held,
  today: string,
  ids: ReadonlySet<string>,
): { readonly known: ReadonlySet<string>; readonly problems: readonly BaselineProblem[] } {
  const items = itemsOf(held);
  const known = new Set<string>();
  const problems: BaselineProblem[] = [];
  for (const entry of entries) {
    const state = stateOf(entry.check, held, items);
    const problem = problemOf(entry, state, today, ids);
    if (problem) problems.push(problem);
    else if (state) known.add(entry.check);
  }
  return { known, problems };
}

/** The checks and findings of a run, with `knownFailure` as a baseline says. A finding is known if each of its checks is. */
export function withKnown({ checks, findings }: Judged, known: ReadonlySet<string>): Judged {
  const isKnown = ({ checks: own, requirement }: Finding): boolean =>
    own.length === 0 ? known.has(requirement) : own.every((id) => known.has(id));
  return {
    checks: checks.map((check) => ({ ...check, knownFailure: known.has(check.id) })),
    findings: findings.map((finding) => ({ ...finding, knownFailure: isKnown(finding) })),
  };
}

/** How a baseline changes after a run; each list has ids of checks. */
export interface BaselineUpdate {
  /** Sorted by check. */
  readonly entries: readonly BaselineEntry[];
  readonly added: readonly string[];
  readonly kept: readonly string[];
  /** They had expired. */
  readonly renewed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The baseline with which the run of this result would have passed. Entries that hold keep their reason and date, those of checks
 * that the run did not judge stay, and those that do not hold go.
 *
 * @param old the entries so far
 * @param given the reason, and perhaps the last day, of new and renewed entries
 * @param today `YYYY-MM-DD`, in UTC
 * @param ids of all checks and requirements
 */
export function updateBaseline(
  result: Result,
  old: readonly BaselineEntry[],
  given: Pick<BaselineEntry, 'reason' | 'expires'>,
  today: string,
  ids: ReadonlySet<string>,
): BaselineUpdate {
  const items = itemsOf(result);
  const kept = old.filter((entry) => problemOf(entry, stateOf(entry.check, result, items), today, ids) === undefined);
  const keptIds = kept.map(({ check }) => check);
  const needed = items.flatMap(({ id, level, outcome }): BaselineEntry[] => {
    if (outcome !== 'failed' && outcome !== 'inconclusive') return [];
    const isNeeded = decides({ level, knownFailure: false }, result.selection.failOn) && !keptIds.includes(id);
    return isNeeded ? [{ check: id, level, outcome, ...given }] : [];
  });
  const neededIds = needed.map(({ check }) => check);
  const oldIds = old.map(({ check }) => check);
  return {
    entries: [...kept, ...needed].sort((one, other) => byText(one.check, other.check)),
    added: neededIds.filter((id) => !oldIds.includes(id)),
    kept: keptIds,
    renewed: neededIds.filter((id) => oldIds.includes(id)),
    removed: oldIds.filter((id) => !keptIds.includes(id) && !neededIds.includes(id)),
  };
}
