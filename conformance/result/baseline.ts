import { z } from 'zod';
import { UsageError } from '../../common/process/args.ts';
import { hint } from '../../common/nearest.ts';
import { read } from '../../common/schema.ts';
import { byText } from '../../common/text.ts';
import { parseYaml } from '../../common/yaml.ts';
import { type CheckResult, type Finding, levelSchema, type RequirementResult, type Result } from '../facts/result.ts';
import { decides, type Item, itemIn, itemsOf, type Judged } from './verdict.ts';

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

/** Whether a check or a requirement that is not seen to fail any more makes an entry stale. */
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
function fixedProblem(entries: readonly BaselineEntry[], file: string | undefined): string[] {
  if (entries.length === 0) return [];
  const names = entries.slice(0, MOST_NAMES).map(({ check }) => check);
  const rest = entries.length - names.length;
  const listed = [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const fails = entries.length === 1 ? 'entry does' : 'entries do';
  const drop = `baseline write RESULT.json --output ${file ?? 'FILE'}`;
  return [
    `${entries.length} ${fails} not fail any more (${listed}). To drop ${entries.length === 1 ? 'it' : 'them'}: ${drop}`,
  ];
}

/** What the entries that hold say of what was judged. */
class KnownFailures {
  readonly #ids: ReadonlySet<string>;
  readonly #judged: Judged;

  constructor(holding: readonly BaselineEntry[], judged: Judged) {
    this.#ids = new Set(holding.map(({ check }) => check));
    this.#judged = judged;
  }

  hasFinding({ checks, requirement, seen }: Finding): boolean {
    const isOfRequirement = checks.length === 0 || seen !== undefined;
    return (isOfRequirement && this.#ids.has(requirement)) || (checks.length > 0 && this.#hasAll(checks));
  }

  hasCheck({ id, reason }: CheckResult): boolean {
    return this.#ids.has(id) || (reason === 'unsteady' && this.#ids.has(intermittentIn(this.#judged, id)?.id ?? ''));
  }

  /** Of a requirement: all that breaks it, or was seen once, is known. */
  hasRequirement({ id, outcome, checks }: RequirementResult): boolean {
    if (this.#ids.has(id)) return true;
    const findings = this.#judged.findings.filter(({ requirement }) => requirement === id);
    if (outcome !== 'failed') return false;
    if (findings.length > 0) return findings.every((each) => this.hasFinding(each));
    // It is one of several in a finding about a wrong status.
    const failed = this.#judged.checks.filter((each) => checks.includes(each.id) && each.outcome === 'failed');
    return failed.length > 0 && failed.every((each) => this.hasCheck(each));
  }

  #hasAll(checks: readonly string[]): boolean {
    return checks.every((id) => this.#ids.has(id));
  }
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
  const holding = looked.filter(({ problem }) => problem === undefined).map(({ entry }) => entry);
  const known = new KnownFailures(holding, judged);
  return {
    ...judged,
    checks: judged.checks.map((check) => ({ ...check, knownFailure: known.hasCheck(check) })),
    findings: judged.findings.map((finding) => ({ ...finding, knownFailure: known.hasFinding(finding) })),
    requirements: judged.requirements.map((each) =>
      known.hasRequirement(each) ? { ...each, knownFailure: true as const } : each,
    ),
    baselineProblems: [...others, ...fixedProblem(fixed, file)],
  };
}

/** An entry without its reason. */
type Needed = Omit<BaselineEntry, 'reason' | 'expires'>;

/** What kept a run from passing, an entry for each. */
function neededEntries(result: Result): Needed[] {
  const { failOn } = result.selection;
  const nowAndThen = result.requirements
    .filter((each) => isIntermittent(each, result))
    .map(({ id, level, outcome }): Needed => {
      return { check: id, level, outcome: outcome === 'failed' ? outcome : 'inconclusive', intermittent: true };
    });
  const isCovered = ({ id, findings, reason }: Item): boolean => {
    if (reason === 'unsteady' && intermittentIn(result, id)) return true;
    return findings.length > 0 && findings.every(({ seen }) => seen !== undefined);
  };
  const isOfRequirement = ({ id }: Item): boolean => result.requirements.some((each) => each.id === id);
  const items = itemsOf(result).filter(
    (item) => !nowAndThen.some(({ check }) => check === item.id) && !isCovered(item),
  );
  const toEntry = ({ id, level, outcome, reason }: Item): Needed[] => {
    if (outcome !== 'failed' && outcome !== 'inconclusive') return [];
    return [{ check: id, level, outcome, ...(reason === 'unsteady' && { intermittent: true }) }];
  };
  const needed = [...nowAndThen, ...items.flatMap(toEntry)].filter((each) =>
    decides({ level: each.level, knownFailure: false }, failOn),
  );
  // A known failure explains why a requirement was not seen to hold.
  const isUnseen = ({ check, outcome, intermittent }: Needed): boolean =>
    outcome === 'inconclusive' && !intermittent && items.some((item) => item.id === check && isOfRequirement(item));
  const seen = needed.filter((each) => !isUnseen(each));
  return seen.length > 0 ? seen : needed;
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
