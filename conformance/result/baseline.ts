import { z } from 'zod';
import { UsageError } from '../../common/process/args.ts';
import { hint } from '../../common/nearest.ts';
import { read } from '../../common/schema.ts';
import { byText } from '../../common/text.ts';
import { parseYaml } from '../../common/yaml.ts';
import { type Finding, levelSchema, type Result } from '../facts/result.ts';
import { decides, type Item, itemIn, itemsOf, type Judged } from './verdict.ts';

const CHECK = 'give the id of a check.';
const REASON = 'give a text that says why this is known.';
const entrySchema = z.strictObject(
  {
    check: z
      .string(CHECK)
      .min(1, CHECK)
      .describe(
        'The id of a check; or of a requirement to which every response is held, where no check failed for it.',
      ),
    level: levelSchema.describe('Of what it breaks. A check that is known to break a should may not break a must.'),
    outcome: z.enum(['failed', 'inconclusive'], 'give failed or inconclusive.'),
    reason: z.string(REASON).trim().min(1, REASON),
    expires: z.iso
      .date('give a date such as 2027-01-31.')
      .optional()
      .describe('The last day on which it holds, in UTC.'),
  },
  'an entry has "check", "level", "outcome", "reason" and, if it ends, "expires"; nothing else.',
);
/** A failure that is known: it does not fail a run, until it expires or has another outcome. */
export type BaselineEntry = z.infer<typeof entrySchema>;

/** A baseline file. */
const baselineSchema = z.object(
  { entries: z.array(entrySchema, 'give a list of entries.') },
  'give an object with the list "entries".',
);

/**
 * Reads the text of a baseline file in YAML, of which JSON is a part: `entries: [{ check, level, outcome, reason, expires? }]`.
 *
 * @param name of the file
 * @throws UsageError with a line for each mistake
 */
export function parseBaseline(name: string, text: string): BaselineEntry[] {
  const { data, at } = parseYaml(name, text);
  const { entries } = read(baselineSchema, data, at);
  const ids = entries.map(({ check }) => check);
  const second = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (second !== -1) throw new UsageError(`${at(['entries', second, 'check'])}: another entry is for it, too.`);
  return entries;
}

/** Why an entry does not hold, in a sentence; undefined if it does, or the run did not judge it. */
function problemOf(
  { check: id, level, outcome, expires }: BaselineEntry,
  now: Item | undefined,
  today: string,
  ids: ReadonlySet<string>,
): string | undefined {
  if (!ids.has(id)) return `There is no check ${id}.${hint(id, [...ids]) || ' Remove the entry.'}`;
  if (expires !== undefined && expires < today)
    return `The entry for ${id} expired on ${expires}; fix your server, or set a later date.`;
  if (now && now.outcome !== outcome) return `${id} is now ${now.outcome}, not ${outcome}; remove the entry.`;
  if (now && now.level !== level)
    return `${id} is now a ${now.level}, not a ${level}; look at it, and change the entry.`;
  return undefined;
}

/**
 * Marks the known failures of a run. An entry hides one check with one outcome at one level; a finding is known if each of its checks
 * is.
 *
 * @param today `YYYY-MM-DD`, in UTC
 * @param ids of all checks and requirements; any other is unknown
 * @returns what was judged, with `knownFailure`, and a problem for each entry that does not hold
 */
export function withBaseline<T extends Judged>(
  entries: readonly BaselineEntry[],
  judged: T,
  today: string,
  ids: ReadonlySet<string>,
): T & { readonly baselineProblems: string[] } {
  const known = new Set<string>();
  const baselineProblems: string[] = [];
  for (const entry of entries) {
    const problem = problemOf(entry, itemIn(judged, entry.check), today, ids);
    if (problem !== undefined) baselineProblems.push(problem);
    else known.add(entry.check);
  }
  const isKnown = ({ checks, requirement }: Finding): boolean =>
    checks.length === 0 ? known.has(requirement) : checks.every((id) => known.has(id));
  return {
    ...judged,
    checks: judged.checks.map((check) => ({ ...check, knownFailure: known.has(check.id) })),
    findings: judged.findings.map((finding) => ({ ...finding, knownFailure: isKnown(finding) })),
    baselineProblems,
  };
}

/**
 * The baseline with which the run of this result would have passed, sorted by check. Entries that hold keep their reason and date,
 * those of checks that the run did not judge stay, and those that do not hold go.
 *
 * @param old the entries so far
 * @param given the reason, and perhaps the last day, of new entries
 * @param today `YYYY-MM-DD`, in UTC
 * @param ids of all checks and requirements
 */
export function updateBaseline(
  result: Result,
  old: readonly BaselineEntry[],
  given: Pick<BaselineEntry, 'reason' | 'expires'>,
  today: string,
  ids: ReadonlySet<string>,
): BaselineEntry[] {
  const kept = old.filter((entry) => problemOf(entry, itemIn(result, entry.check), today, ids) === undefined);
  const added = itemsOf(result).flatMap(({ id, level, outcome }): BaselineEntry[] => {
    if (outcome !== 'failed' && outcome !== 'inconclusive') return [];
    const isNeeded = decides({ level, knownFailure: false }, result.selection.failOn);
    return isNeeded && kept.every(({ check }) => check !== id) ? [{ check: id, level, outcome, ...given }] : [];
  });
  return [...kept, ...added].sort((one, other) => byText(one.check, other.check));
}
