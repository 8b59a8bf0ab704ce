import { arrayOf, isRecord, textOf } from '../../common/json.ts';
import { UsageError } from '../../common/process/args.ts';
import type { Change, Judgement } from './change.ts';
import { judgementOf, levelOfEffect } from './change.ts';
import { RULES } from './rules.ts';

export const LEVELS = ['error', 'warning', 'info', 'off'] as const;
/** How much a change matters to who calls the judge. */
export type Level = (typeof LEVELS)[number];

/** The levels of rules whose changes do in practice what they need not by the letter. */
const USUAL: Readonly<Record<string, Level>> = {
  // Clients that refuse members that they do not know are rare, whatever the document says.
  'closed-member-added': 'warning',
  'operation-removed-after-sunset': 'info',
  'parameter-removed-after-sunset': 'info',
  'member-removed-after-sunset': 'info',
};

/** A change that somebody has accepted. */
export interface Accepted {
  readonly rule: string;
  /** The JSON pointer of the place. */
  readonly place: string;
  readonly reason: string;
  /** The last day, as `2027-01-31`. */
  readonly until?: string;
  /** The newer document, where several are judged. */
  readonly document?: string;
}

/** What the team that calls the judge has decided. */
export interface Policy {
  readonly levels: Readonly<Record<string, Level>>;
  readonly accepted: readonly Accepted[];
  /** The file with the accepted changes, for messages. */
  readonly acceptedFile?: string;
}

/** The level of a change: as it is configured, or by whom it breaks. */
export function levelOf(each: Change, levels: Policy['levels'] = {}): Level {
  return levels[each.rule] ?? USUAL[each.rule] ?? levelOfEffect(each);
}

/** A judgement as it stands after what a team has decided. */
export interface Outcome {
  readonly judgement: Judgement;
  readonly accepted: readonly { readonly change: Change; readonly entry: Accepted }[];
}

function isOf(entry: Accepted, each: Change, document?: string): boolean {
  const isHere = entry.document === undefined || document === undefined || entry.document === document;
  return isHere && entry.rule === each.rule && entry.place === each.pointer;
}

/**
 * A judgement without the changes that are off or accepted, and with the level of each.
 *
 * @param document the newer one, for entries that name it
 * @param today as `2027-01-31`
 */
export function applied({ changes }: Judgement, policy: Policy, today: string, document?: string): Outcome {
  const current = policy.accepted.filter(({ until }) => until === undefined || until >= today);
  const levelled = changes
    .map((each) => ({ ...each, level: levelOf(each, policy.levels) }))
    .filter(({ level }) => level !== 'off');
  const accepted = levelled.flatMap((change) => {
    const entry = current.find((each) => isOf(each, change, document));
    return entry === undefined ? [] : [{ change, entry }];
  });
  const left = levelled.filter((each) => !accepted.some(({ change }) => change === each));
  return { judgement: judgementOf(left), accepted };
}

/** What is wrong with accepted changes: those that are no changes any more, and those whose day has passed. */
export function staleEntries(policy: Policy, outcomes: readonly Outcome[], today: string): readonly string[] {
  const used = new Set(outcomes.flatMap(({ accepted }) => accepted.map(({ entry }) => entry)));
  return policy.accepted.flatMap((entry, index) => {
    const name = `${policy.acceptedFile ?? 'accepted'}: entry ${index + 1} (${entry.rule} at ${entry.place || 'the document'})`;
    if (entry.until !== undefined && entry.until < today) return [`${name} has expired on ${entry.until}.`];
    return used.has(entry) ? [] : [`${name} is stale: there is no such change; take it out.`];
  });
}

function refusal(file: string, what: string): UsageError {
  return new UsageError(`${file}: ${what}.`);
}

/** Reads a list of accepted changes. Throws UsageError for what is none. */
export function readAccepted(value: unknown, file: string): readonly Accepted[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw refusal(file, 'this must be a list of accepted changes');
  return value.map((each: unknown, index) => {
    const name = `entry ${index + 1}`;
    if (!isRecord(each)) throw refusal(file, `${name} must be an object with rule, place and reason`);
    const { rule, place, reason, until: last, document, ...others } = each;
    const until = last === undefined ? undefined : (textOf(last) ?? '');
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw refusal(file, `${name} has the member ${other}; known are rule, place, reason, until, document`);
    if (typeof rule !== 'string' || typeof place !== 'string') throw refusal(file, `${name} needs rule and place`);
    if (textOf(reason)?.trim() === '' || typeof reason !== 'string')
      throw refusal(file, `${name} (${rule} at ${place}) needs a reason: say why the change is accepted`);
    if (until !== undefined && !/^\d{4}-\d\d-\d\d$/.test(until))
      throw refusal(file, `${name}: until must be a day such as 2027-01-31`);
    return {
      ...{ rule, place, reason },
      ...(until === undefined ? {} : { until }),
      ...(typeof document === 'string' ? { document } : {}),
    };
  });
}

/** The entries for changes, after those of before that still hold. */
export function acceptedOf(
  outcomes: readonly (Outcome & { document?: string })[],
  reason: string,
  fails: (each: Change) => boolean,
): readonly Accepted[] {
  const kept = [...new Set(outcomes.flatMap(({ accepted }) => accepted.map(({ entry }) => entry)))];
  const added = outcomes.flatMap(({ judgement, document }) =>
    judgement.changes.filter(fails).map(({ rule, pointer }) => ({
      ...{ rule, place: pointer, reason },
      ...(document === undefined ? {} : { document }),
    })),
  );
  return [...kept, ...new Map(added.map((each) => [JSON.stringify(each), each])).values()];
}

/** What a configuration file may say. */
export interface Configuration {
  readonly levels: Policy['levels'];
  readonly accepted?: string;
  readonly failOn?: string;
}

/** Reads a configuration file. Throws UsageError for what it does not know. */
export function readConfiguration(value: unknown, file: string, extraRules: readonly string[]): Configuration {
  if (!isRecord(value)) throw refusal(file, 'this must be an object with levels, accepted or failOn');
  const { levels = {}, accepted, failOn, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) throw refusal(file, `${other} is not known; levels, accepted and failOn are`);
  if (!isRecord(levels)) throw refusal(file, 'levels must be an object of rules and their levels');
  const known = [...Object.keys(RULES), ...extraRules];
  for (const [rule, level] of Object.entries(levels)) {
    if (!known.includes(rule)) throw refusal(file, `levels: there is no rule ${rule}; RULES.md lists them`);
    // YAML 1.1 reads `off` as a boolean.
    if (level !== false && !arrayOf(LEVELS).includes(level))
      throw refusal(file, `levels: ${rule} is ${JSON.stringify(level)}, which is not one of ${LEVELS.join(', ')}`);
  }
  const named = Object.entries(levels).map(
    ([rule, level]) => [rule, level === false ? 'off' : (level as Level)] as const,
  );
  return {
    levels: Object.fromEntries(named),
    ...(typeof accepted === 'string' ? { accepted } : {}),
    ...(typeof failOn === 'string' ? { failOn } : {}),
  };
}
