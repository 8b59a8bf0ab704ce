import { arrayOf, isRecord, textOf, type JsonObject } from '../../common/json.ts';
import { UsageError } from '../../common/process/args.ts';
import { type Change, type Judgement, judgementOf, levelOfEffect } from './change.ts';
import { RULES } from './rules.ts';

const LEVELS = ['error', 'warning', 'info', 'off'] as const;
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

const ACCEPTED = ['rule', 'place', 'reason', 'until', 'document'];
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

/** An object with some members and no others. Throws UsageError for what is none. */
function objectIn(value: unknown, where: string, known: readonly string[]): JsonObject {
  if (!isRecord(value)) throw new UsageError(`${where} must be an object with ${known.join(', ')}.`);
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other === undefined) return value;
  throw new UsageError(`${where} has the member ${other}; known are ${known.join(', ')}.`);
}

/** Reads a list of accepted changes. Throws UsageError for what is none. */
export function readAccepted(value: unknown, file: string): readonly Accepted[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new UsageError(`${file}: this must be a list of accepted changes.`);
  return value.map((each: unknown, index) => {
    const name = `${file}: entry ${index + 1}`;
    const entry = objectIn(each, name, ACCEPTED);
    const { rule, place, reason, until, document } = entry;
    if (typeof rule !== 'string' || typeof place !== 'string') throw new UsageError(`${name} needs rule and place.`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError(`${name} (${rule} at ${place}) needs a reason: say why the change is accepted.`);
    if (until !== undefined && !/^\d{4}-\d\d-\d\d$/.test(textOf(until) ?? ''))
      throw new UsageError(`${name}: until must be a day such as 2027-01-31.`);
    if (document !== undefined && typeof document !== 'string')
      throw new UsageError(`${name}: document must be the path of one.`);
    return { ...entry, rule, place, reason };
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
  const { levels = {}, accepted, failOn } = objectIn(value, `${file}: this`, ['levels', 'accepted', 'failOn']);
  if (!isRecord(levels)) throw new UsageError(`${file}: levels must be an object of rules and their levels.`);
  const known = [...Object.keys(RULES), ...extraRules];
  for (const [rule, level] of Object.entries(levels)) {
    if (!known.includes(rule)) throw new UsageError(`${file}: levels: there is no rule ${rule}; RULES.md lists them.`);
    const said = `levels: ${rule} is ${JSON.stringify(level)}`;
    if (!arrayOf(LEVELS).includes(level))
      throw new UsageError(`${file}: ${said}, which is not one of ${LEVELS.join(', ')}.`);
  }
  return {
    levels: levels as Policy['levels'],
    ...(typeof accepted === 'string' ? { accepted } : {}),
    ...(typeof failOn === 'string' ? { failOn } : {}),
  };
}
