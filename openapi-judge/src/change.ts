/** What a change is, whom it breaks, and how changes become a judgement. */
import { byText, groupedBy } from '../../common/text.ts';
import type { Located } from './documents/description.ts';
import { RULES, type DecidedRule, type Rule, type RuleTable } from './rules.ts';

/** What a change means to one side. */
export type Verdict = 'breaking' | 'compatible';

const BUMPS = ['none', 'patch', 'minor', 'major'] as const;
/** The part of a version that has to rise. */
export type Bump = (typeof BUMPS)[number];

/** Whom a change breaks. */
export interface Effect {
  readonly clients: Verdict;
  readonly implementers: Verdict;
}

/** A place in one of the two documents: in the newer one, or in the older one for what was removed. */
export interface Place {
  /** JSON pointer of the place. */
  readonly pointer: string;
  readonly document: 'base' | 'head';
}

/** What is said of a place: `where` it is, as its users reach it, and the `fact`, which tells what was and what is. */
export interface Said {
  /** Such as `response 200[].owner`; empty for the whole document. */
  readonly where: string;
  readonly fact: string;
}

/** That a reference leads to another schema now, which is why what is behind it differs. */
export interface Reference {
  /** Where it is, as `where` says it. */
  readonly where: string;
  /** The way from there to what differs. */
  readonly inside: string;
  /** The names of the two schemas. */
  readonly was: string;
  readonly is: string;
}

/** One difference between two documents. */
export interface Change extends Effect, Place, Said {
  /** The rule that found it: one of `RULES`, or one of an extension. */
  readonly rule: string;
  readonly bump: Bump;
  /** The place and the fact in one sentence. */
  readonly message: string;
  /** The operations in which it shows. */
  readonly operations?: readonly string[];
  /** The messages in which it shows. */
  readonly messages?: readonly ('request' | 'response')[];
  /** Every operation with the place in it where this shows. */
  readonly uses?: readonly string[];
  readonly reference?: Reference;
  /** Stands for the two schemas, where the fact does not say all that differs. */
  readonly digest?: string;
  /** A person has to review it: words changed whose meaning cannot be computed. */
  readonly review?: true;
  /** How much it matters, if who calls the judge has said it. */
  readonly level?: 'error' | 'warning' | 'info' | 'off';
}

/** What the changes between two documents mean. */
export interface Judgement extends Effect {
  readonly bump: Bump;
  readonly changes: readonly Change[];
  /** Changes that somebody has accepted, and why. They count for the bump alone. */
  readonly accepted?: readonly (Change & { readonly reason: string; readonly byPattern?: true })[];
}

/** Breaks nobody. */
export const COMPATIBLE: Effect = { clients: 'compatible', implementers: 'compatible' };
/** Some client of the older contract may fail with a server of the newer. */
export const BREAKS_CLIENTS: Effect = { clients: 'breaking', implementers: 'compatible' };
/** Some server of the older contract does not keep the newer. */
export const BREAKS_IMPLEMENTERS: Effect = { clients: 'compatible', implementers: 'breaking' };
/** Both of these. */
export const BREAKS_BOTH: Effect = { clients: 'breaking', implementers: 'breaking' };

/** Who writes the values of a message: members that are read only come from the server, write only from the client. */
export type Sender = 'client' | 'server';

/** Whether some value is gone that was allowed, and whether some is allowed that was not; true also where that is not known. */
export interface Moves {
  readonly narrows: boolean;
  readonly widens: boolean;
}

const verdictIf = (isBroken: boolean): Verdict => (isBroken ? 'breaking' : 'compatible');

/**
 * Whom it breaks that other values are allowed in a message. Its sender breaks where they are fewer (it may send one that no
 * longer is allowed), its receiver where they are more (it may get one that it does not know).
 */
export function effectOn(sender: Sender, { narrows, widens }: Moves): Effect {
  const [sending, receiving] = [verdictIf(narrows), verdictIf(widens)];
  return sender === 'client'
    ? { clients: sending, implementers: receiving }
    : { clients: receiving, implementers: sending };
}

function kindOf(rule: string, rules: Partial<RuleTable> = RULES): string {
  return rules[rule]?.[0] ?? 'nobody';
}

/** How the values move by a rule alone. */
export function movesOf(rule: Rule): Moves {
  return movesBy(kindOf(rule));
}

function movesBy(kind: string): Moves {
  return { narrows: kind === 'less' || kind === 'both', widens: kind === 'more' || kind === 'both' };
}

const EFFECTS = new Map([
  ['clients', BREAKS_CLIENTS],
  ['implementers', BREAKS_IMPLEMENTERS],
  ['both', BREAKS_BOTH],
]);

/** Whom a change breaks by its rule alone. */
export function effectOf(rule: string): Effect {
  return EFFECTS.get(kindOf(rule)) ?? COMPATIBLE;
}

/** Whether neither side breaks. */
export function breaksNobody({ clients, implementers }: Effect): boolean {
  return clients === 'compatible' && implementers === 'compatible';
}

/** The worse of two verdicts, for each side. */
export function worseEffect(one: Effect, other: Effect): Effect {
  const worse = (a: Verdict, b: Verdict): Verdict => verdictIf(a === 'breaking' || b === 'breaking');
  return { clients: worse(one.clients, other.clients), implementers: worse(one.implementers, other.implementers) };
}

/** Whom an effect breaks, in words; empty if nobody. */
export function brokenSides({ clients, implementers }: Effect): string {
  const sides = Object.entries({ clients, implementers }).filter(([, verdict]) => verdict === 'breaking');
  return sides.map(([side]) => side).join(' and ');
}

/** Changes as clients see them: what breaks implementers alone is compatible. */
export function forClients(changes: readonly Change[]): readonly Change[] {
  return changes.map((each) => ({ ...each, implementers: 'compatible' }));
}

/** The level of what breaks these sides. */
export function levelOfEffect({ clients, implementers }: Effect): 'error' | 'warning' | 'info' {
  if (clients === 'breaking') return 'error';
  return implementers === 'breaking' ? 'warning' : 'info';
}

/** The greater of some bumps; `none` of nothing. */
function greatestBump(bumps: readonly Bump[]): Bump {
  return bumps.reduce<Bump>((most, each) => (BUMPS.indexOf(each) > BUMPS.indexOf(most) ? each : most), 'none');
}

/** Whom a change breaks, or who sends the message whose values move as the rule says. */
type By = Effect | Sender;

/** Makes changes by the rules of one table. */
type MakeChange = (rule: string, at: Located | Place, said: Said | string, by?: By) => Change;

/** The sentence that a place and a fact make. */
export function sentence({ where, fact }: Said): string {
  if (where === '') return fact;
  return /^(is|has|are|may) /.test(fact) ? `${where} ${fact}` : `${where}: ${fact}`;
}

function bumpOf(effect: Effect, kind: string): Bump {
  if (effect.clients === 'breaking') return 'major';
  return kind === 'words' ? 'patch' : 'minor';
}

/**
 * Makes changes by a table of rules. What breaks clients is major; what breaks implementers alone is minor, since a server of the
 * older version still keeps that one.
 *
 * @returns a function that takes the rule, the place to report (in the newer document, or in the older one for what was removed),
 *   what is said of it, and whom it breaks (or who sends the message) where the table does not say it
 */
export function changesBy(rules: RuleTable): MakeChange {
  return (rule, at, said, by) => {
    const kind = kindOf(rule, rules);
    const effect = typeof by === 'string' ? effectOn(by, movesBy(kind)) : (by ?? EFFECTS.get(kind) ?? COMPATIBLE);
    const document = 'description' in at ? at.description.side : at.document;
    const told = typeof said === 'string' ? { where: '', fact: said } : said;
    const bump = bumpOf(effect, kind);
    return { rule, pointer: at.pointer, document, ...effect, bump, ...told, message: sentence(told) };
  };
}

/** Makes a change by the rules of the judge. */
export const change: {
  (rule: DecidedRule, at: Located | Place, said: Said | string, by?: Effect): Change;
  (rule: Rule, at: Located | Place, said: Said | string, by: By): Change;
} = changesBy(RULES);

/** What tells a change from others: the same fact of one place is one change, on however many ways it is reached. */
function identityOf({ rule, document, pointer, fact, reference }: Change): string {
  return JSON.stringify([rule, document, pointer, fact, reference?.was, reference?.is, reference?.inside]);
}

/** Where a change shows that is of no operation. */
const DOCUMENT = 'the document';

/** Where a change shows, each operation with the place in it. */
export function usesOf({ uses, operations = [''], where }: Change): readonly string[] {
  return uses ?? operations.map((operation) => [operation, where].filter((each) => each !== '').join(': ') || DOCUMENT);
}

/** One change for what was found several times at one place, as where several operations share a schema. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  return groupedBy(changes, identityOf).map(([, some]) => merged(some));
}

/** Of one fact that is reached on several ways, the shortest says where it is. */
function merged(some: readonly Change[]): Change {
  const [first, ...more] = [...some].sort((a, b) => a.where.length - b.where.length);
  if (first === undefined) throw new Error('a group of changes has at least one');
  const all = [first, ...more];
  const together = <T>(each: (change: Change) => readonly T[]): readonly T[] => [...new Set(all.flatMap(each))].sort();
  const operations = together((each) => each.operations ?? []);
  const messages = together((each) => each.messages ?? []);
  return {
    ...first,
    ...all.reduce<Effect>(worseEffect, COMPATIBLE),
    bump: greatestBump(all.map(({ bump }) => bump)),
    uses: together(usesOf),
    ...(operations.length > 0 ? { operations } : {}),
    ...(messages.length > 0 ? { messages } : {}),
  };
}

/** The verdict over some changes; the worst come first, then by pointer and rule. */
export function judgementOf(changes: readonly Change[]): Judgement {
  const sorted = [...changes].sort(
    (a, b) =>
      BUMPS.indexOf(b.bump) - BUMPS.indexOf(a.bump) ||
      byText(a.pointer, b.pointer) ||
      byText(a.rule, b.rule) ||
      byText(a.message, b.message),
  );
  return {
    ...changes.reduce<Effect>(worseEffect, COMPATIBLE),
    bump: greatestBump(changes.map(({ bump }) => bump)),
    changes: sorted,
  };
}
