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

/** One difference between two documents. */
export interface Change extends Effect, Place {
  /** The rule that found it: one of `RULES`, or one of an extension. */
  readonly rule: string;
  readonly bump: Bump;
  readonly message: string;
  /** The operations in which it shows. */
  readonly operations?: readonly string[];
  /** The messages in which it shows. */
  readonly messages?: readonly ('request' | 'response')[];
  /** A person has to review it: words changed whose meaning cannot be computed. */
  readonly review?: true;
  /** How much it matters, if who calls the judge has said it. */
  readonly level?: 'error' | 'warning' | 'info' | 'off';
}

/** What the changes between two documents mean. */
export interface Judgement extends Effect {
  readonly bump: Bump;
  readonly changes: readonly Change[];
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
export type Moves = readonly [narrows: boolean, widens: boolean];

/**
 * Whom it breaks that other values are allowed in a message. Its sender breaks where they are fewer (it may send one that no
 * longer is allowed), its receiver where they are more (it may get one that it does not know).
 */
export function effectOn(sender: Sender, [narrows, widens]: Moves): Effect {
  const [clients, implementers] = sender === 'client' ? [narrows, widens] : [widens, narrows];
  return { clients: clients ? 'breaking' : 'compatible', implementers: implementers ? 'breaking' : 'compatible' };
}

function kindOf(rule: string, rules: Partial<RuleTable> = RULES): string {
  return rules[rule]?.[0] ?? 'nobody';
}

/** How the values move by a rule alone. */
export function movesOf(rule: Rule): Moves {
  return movesBy(kindOf(rule));
}

function movesBy(kind: string): Moves {
  return [kind === 'less' || kind === 'both', kind === 'more' || kind === 'both'];
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
  const worse = (a: Verdict, b: Verdict): Verdict => (a === 'breaking' || b === 'breaking' ? 'breaking' : 'compatible');
  return { clients: worse(one.clients, other.clients), implementers: worse(one.implementers, other.implementers) };
}

/** Whom an effect breaks, in words; empty if nobody. */
export function brokenSides({ clients, implementers }: Effect): string {
  const sides = Object.entries({ clients, implementers }).filter(([, verdict]) => verdict === 'breaking');
  return sides.map(([side]) => side).join(' and ');
}

/** Changes as clients see them: nothing is left of what breaks implementers alone. */
export function forClients(changes: readonly Change[]): readonly Change[] {
  const seen = changes.filter((each) => each.clients === 'breaking' || each.implementers === 'compatible');
  return seen.map((each) => ({ ...each, implementers: 'compatible' }));
}

/** The level of what breaks these sides. */
export function levelOfEffect({ clients, implementers }: Effect): 'error' | 'warning' | 'info' {
  return clients === 'breaking' ? 'error' : implementers === 'breaking' ? 'warning' : 'info';
}

/** The greater of some bumps; `none` of nothing. */
function greatestBump(bumps: readonly Bump[]): Bump {
  return bumps.reduce<Bump>((most, each) => (BUMPS.indexOf(each) > BUMPS.indexOf(most) ? each : most), 'none');
}

/**
 * Makes a change. What breaks clients is major; what breaks implementers alone is minor, since a server of the older version
 * still keeps that one.
 *
 * @param at the place to report: in the newer document, or in the older one for what was removed
 * @param by whom it breaks, or who sends the message, where the table of rules does not say it
 */
export function change(rule: DecidedRule, at: Located | Place, message: string, by?: Effect): Change;
export function change(rule: Rule, at: Located | Place, message: string, by: Effect | Sender): Change;
export function change(rule: Rule, at: Located | Place, message: string, by?: Effect | Sender): Change {
  return changeBy(RULES, rule, at, message, by);
}

/** As `change`, by a table of rules of one's own. */
export function changeBy(
  rules: RuleTable,
  rule: string,
  at: Located | Place,
  message: string,
  by?: Effect | Sender,
): Change {
  const kind = kindOf(rule, rules);
  const effect = typeof by === 'string' ? effectOn(by, movesBy(kind)) : (by ?? EFFECTS.get(kind) ?? COMPATIBLE);
  const document = 'description' in at ? at.description.side : at.document;
  const bump = effect.clients === 'breaking' ? 'major' : kind === 'words' ? 'patch' : 'minor';
  return { rule, pointer: at.pointer, document, ...effect, bump, message };
}

/** What a message says, without the label of where it was found. */
function factOf(message: string): string {
  return message.replace(/^.*?(?=: | is | has | are )/, '');
}

/** One change for what was found several times at one place, as where several operations share a schema. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const same = groupedBy(changes, ({ rule, document, pointer, message }) =>
    JSON.stringify([rule, document, pointer, factOf(message)]),
  );
  return same.flatMap(([, some]) => {
    // Of one fact that is reached on several ways, the shortest label says it.
    const [first, ...more] = some.sort((a, b) => a.message.length - b.message.length);
    if (first === undefined) return [];
    if (more.length === 0) return [first];
    const all = [first, ...more];
    const operations = [...new Set(all.flatMap((each) => each.operations ?? []))].sort();
    const messages = [...new Set(all.flatMap((each) => each.messages ?? []))].sort();
    return [
      {
        ...first,
        ...all.reduce<Effect>(worseEffect, COMPATIBLE),
        bump: greatestBump(all.map(({ bump }) => bump)),
        ...(operations.length > 0 ? { operations } : {}),
        ...(messages.length > 0 ? { messages } : {}),
      },
    ];
  });
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
