/** What a team has decided: the levels of rules, and the changes that it accepts. */
import { arrayOf, isRecord } from '../../common/json.ts';
import { UsageError } from '../../common/process/args.ts';
import { takenOut, type Accepted } from './accepted.ts';
import { type Change, type Judgement, judgementOf, levelOfEffect } from './change.ts';
import { objectIn } from './object-in.ts';
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

/** A judgement as it stands after what a team has decided, and the entries that were used. */
export interface Outcome {
  readonly judgement: Judgement;
  readonly used: readonly Accepted[];
  /** The judgement with what concerns implementers, where `judgement` leaves that out. */
  readonly whole?: Judgement;
}

/**
 * A judgement without the changes that are off or accepted, and with the level of each. What is accepted still counts for the version.
 *
 * @param document the newer one, for entries that name it
 * @param today as `2027-01-31`
 */
export function applied({ changes }: Judgement, policy: Policy, today: string, document?: string): Outcome {
  const levelled = changes
    .map((each) => ({ ...each, level: levelOf(each, policy.levels) }))
    .filter(({ level }) => level !== 'off');
  const entries = policy.accepted
    .filter(({ until }) => until === undefined || until >= today)
    .filter((each) => each.document === undefined || document === undefined || each.document === document);
  const { left, accepted, used } = takenOut(levelled, entries);
  const { bump } = judgementOf([...left, ...accepted]);
  const judgement = { ...judgementOf(left), bump, ...(accepted.length > 0 ? { accepted } : {}) };
  return { judgement, used };
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
