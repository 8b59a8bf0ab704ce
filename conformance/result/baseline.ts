import { z } from 'zod';
import { UsageError } from '../../common/process/args.ts';
import { hint } from '../../common/nearest.ts';
import { read } from '../../common/schema.ts';
import { byText } from '../../common/text.ts';
import { parseYaml } from '../../common/yaml.ts';
import { type CheckResult, type Finding, levelSchema, type RequirementResult, type Result } from '../facts/result.ts';
import { decides, isOpen, type Item, itemIn, itemsOf, type Judged } from './verdict.ts';

const CHECK = 'give the id of a check.';
const REASON = 'give a text that says why this is known.';
const entrySchema = z.strictObject(
  {
    check: z
      .string(CHECK)
      .min(1, CHECK)
      .describe(
        'The id of a check; or of a requirement, where only responses broke it, or where it is broken now and then.',
      ),
    level: levelSchema.describe('Of what it breaks. A check that is known to break a should must not break a must.'),
    outcome: z.enum(['failed', 'inconclusive'], 'give failed or inconclusive.'),
    intermittent: z
      .boolean('give true or false.')
      .optional()
      .describe('Whether it comes now and then: then the entry holds although it does not show.'),
    reason: z.string(REASON).trim().min(1, REASON),
    expires: z.iso
      .date('give a date such as 2027-01-31.')
      .optional()
      .describe('The last day on which it holds, in UTC.'),
  },
  'an entry has "check", "level", "outcome", "reason" and, if need be, "intermittent" and "expires"; nothing else.',
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

/** Whether an entry is stale: what it is about has another outcome now. */
function isStale({ outcome, intermittent }: BaselineEntry, now: Item | undefined): boolean {
  return now !== undefined && !intermittent && now.outcome !== outcome;
}

/** Whether something that came now and then comes every time. What responses show has no count. */
function isSteady({ intermittent }: BaselineEntry, { requirement, findings, outcome }: Item, judged: Judged): boolean {
  if (!intermittent || outcome !== 'failed') return false;
  const own = findings.length > 0 ? findings : judged.findings.filter((each) => each.requirement === requirement);
  return own.some(({ seen, checks }) => seen === undefined && checks.length > 0);
}

/** What entries are looked at with. */
interface Known {
  /** `YYYY-MM-DD`, in UTC. */
  readonly today: string;
  /** Of all checks and requirements; any other is unknown. */
  readonly ids: ReadonlySet<string>;
}

/** Why an entry does not hold, in a sentence; undefined if it does, or the run did not judge it. */
function problemOf(entry: BaselineEntry, judged: Judged, { today, ids }: Known): string | undefined {
  const { check: id, level, outcome, expires } = entry;
  const now = itemIn(judged, id);
  if (!ids.has(id)) return `There is no check ${id}.${hint(id, [...ids]) || ' Remove the entry.'}`;
  if (expires !== undefined && expires < today)
    return `The entry for ${id} expired on ${expires}; fix your server, or set a later date.`;
  if (!now) return undefined;
  if (isSteady(entry, now, judged)) return `${id} fails every time now, not now and then; look at it.`;
  if (isStale(entry, now)) return `${id} is now ${now.outcome}, not ${outcome}; remove the entry.`;
  if (now.level !== level) return `${id} is now a ${now.level}, not a ${level}; look at it, and change the entry.`;
  return undefined;
}

/** Whether what an entry is about holds now: only then is dropping it all there is to do. */
function isFixed(entry: BaselineEntry, judged: Judged): boolean {
  const now = itemIn(judged, entry.check);
  return isStale(entry, now) && (now?.outcome === 'passed' || now?.outcome === 'not-applicable');
}

/** More names than these are counted. */
const MOST_NAMES = 5;

/** Says of all entries whose failures are fixed, in one line, how to drop them. */
function fixedProblem(entries: readonly BaselineEntry[], file = 'FILE'): string[] {
  if (entries.length === 0) return [];
  const names = entries.slice(0, MOST_NAMES).map(({ check }) => check);
  if (entries.length > MOST_NAMES) names.push(`${entries.length - MOST_NAMES} more`);
  const [fail, them] = entries.length === 1 ? ['entry does', 'it'] : ['entries do', 'them'];
  const drop = `baseline write RESULT.json --output ${file}`;
  return [`${entries.length} ${fail} not fail any more (${names.join(', ')}). To drop ${them}: ${drop}`];
}

/** Tells what the entries that hold know of what was judged. */
function knownBy(holding: readonly BaselineEntry[], judged: Judged) {
  const ids = new Set(holding.map(({ check }) => check));
  const isKnownFinding = ({ checks, requirement, seen }: Finding): boolean => {
    if (checks.length > 0 && checks.every((id) => ids.has(id))) return true;
    return (checks.length === 0 || seen !== undefined) && ids.has(requirement);
  };
  const isKnownCheck = ({ id, reason }: CheckResult): boolean =>
    ids.has(id) || (reason === 'unsteady' && ids.has(intermittentIn(judged, id)?.id ?? ''));
  /** Whether all that breaks a requirement, or was seen once, is known. */
  const isKnownRequirement = ({ id, outcome, checks }: RequirementResult): boolean => {
    if (ids.has(id) || outcome !== 'failed') return ids.has(id);
    const findings = judged.findings.filter(({ requirement }) => requirement === id);
    if (findings.length > 0) return findings.every(isKnownFinding);
    // It is one of several in a finding about a wrong status.
    const failed = judged.checks.filter((each) => checks.includes(each.id) && each.outcome === 'failed');
    return failed.length > 0 && failed.every(isKnownCheck);
  };
  return { isKnownFinding, isKnownCheck, isKnownRequirement };
}

const isIntermittent = ({ id, seenOnce }: RequirementResult, { findings }: Judged): boolean =>
  seenOnce === true || findings.some(({ requirement, seen }) => requirement === id && seen !== undefined);

/** The requirement that is broken now and then, as this check showed. */
function intermittentIn(judged: Judged, check: string): RequirementResult | undefined {
  const shown = ({ id, seenIn }: RequirementResult): boolean =>
    seenIn === check ||
    judged.findings.some(({ requirement, seen, checks }) => requirement === id && seen && checks.includes(check));
  return judged.requirements.find((each) => isIntermittent(each, judged) && shown(each));
}

/** A baseline as a run takes it. */
export interface Baseline extends Known {
  readonly entries: readonly BaselineEntry[];
  /** Where the entries come from. */
  readonly file?: string | undefined;
}

/**
 * Marks the known failures of a run. An entry hides one check with one outcome at one level; or a requirement that only responses
 * broke, or that is broken now and then. A finding is known if each of its checks is.
 *
 * @returns what was judged, with `knownFailure`, and a problem for each entry that does not hold
 */
export function withBaseline<T extends Judged>(
  baseline: Baseline,
  judged: T,
): T & { readonly baselineProblems: string[] } {
  const { entries, file } = baseline;
  const looked = entries.map((entry) => ({ entry, problem: problemOf(entry, judged, baseline) }));
  const broken = looked.filter(({ problem }) => problem !== undefined);
  const fixed = broken.map(({ entry }) => entry).filter((entry) => isFixed(entry, judged));
  const others = broken.filter(({ entry }) => !fixed.includes(entry)).flatMap(({ problem = '' }) => problem);
  const holding = looked.filter((each) => !broken.includes(each)).map(({ entry }) => entry);
  const { isKnownCheck, isKnownFinding, isKnownRequirement } = knownBy(holding, judged);
  return {
    ...judged,
    checks: judged.checks.map((each) => ({ ...each, knownFailure: isKnownCheck(each) })),
    findings: judged.findings.map((each) => ({ ...each, knownFailure: isKnownFinding(each) })),
    requirements: judged.requirements.map((each) =>
      isKnownRequirement(each) ? { ...each, knownFailure: true as const } : each,
    ),
    baselineProblems: [...others, ...fixedProblem(fixed, file)],
  };
}

/** An entry without its reason. */
type Needed = Omit<BaselineEntry, 'reason' | 'expires'>;

/** What kept a run from passing, an entry for each. */
function neededEntries(result: Result): Needed[] {
  const nowAndThen = result.requirements.filter((each) => isIntermittent(each, result));
  const isOfRequirement = (name: string): boolean => result.requirements.some(({ id }) => id === name);
  const isCovered = ({ id, findings, reason }: Item): boolean => {
    if (nowAndThen.some((each) => each.id === id)) return true;
    if (reason === 'unsteady' && intermittentIn(result, id)) return true;
    return findings.length > 0 && findings.every(({ seen }) => seen !== undefined);
  };
  const items = itemsOf(result).filter((item) => !isCovered(item));
  const needed = [
    ...nowAndThen.map((each) => entryFor(each, true)),
    ...items.filter(isOpen).map((each) => entryFor(each, each.reason === 'unsteady')),
  ].filter(({ level }) => decides({ level, knownFailure: false }, result.selection.failOn));
  // A known failure explains why a requirement was not seen to hold.
  const seen = needed.filter(
    ({ check, outcome, intermittent }) => outcome === 'failed' || intermittent === true || !isOfRequirement(check),
  );
  return seen.length > 0 ? seen : needed;
}

/** The entry for a check, or for a requirement. */
function entryFor({ id, level, outcome }: Pick<Item, 'id' | 'level' | 'outcome'>, intermittent: boolean): Needed {
  const known = { check: id, level, outcome: outcome === 'failed' ? outcome : 'inconclusive' } as const;
  return intermittent ? { ...known, intermittent } : known;
}

/**
 * The baseline with which the run of this result would have passed, sorted by check. Entries that hold keep their reason and date,
 * those of checks that the run did not judge stay, and those that do not hold go.
 *
 * @param old the entries so far, and what they are looked at with
 * @param given the reason, and perhaps the last day, of new entries
 */
export function updateBaseline(
  result: Result,
  old: Baseline,
  given: Pick<BaselineEntry, 'reason' | 'expires'>,
): BaselineEntry[] {
  const kept = old.entries.filter((entry) => problemOf(entry, result, old) === undefined);
  const isKept = ({ check }: Needed): boolean => kept.some((each) => each.check === check);
  const added = neededEntries(result)
    .filter((each) => !isKept(each))
    .map((each): BaselineEntry => ({ ...each, ...given }));
  return [...kept, ...added].sort((one, other) => byText(one.check, other.check));
}
