import type { Located } from '../documents/description.ts';
import {
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  COMPATIBLE,
  effectOf,
  effectOn,
  movesOf,
  worseEffect,
} from '../change.ts';
import type { Effect, Moves, Sender } from '../change.ts';
import type { Rule } from '../rules.ts';
import type { Inclusion } from './inclusion.ts';
import type { Conjunction, JsonType, Shape } from './values/value-set.ts';

/** One way in which the values that a schema allows changed. */
export interface SchemaDifference {
  /** The same for what is found at the same place on several ways, or for several types. */
  readonly key: string;
  readonly rule: Rule;
  readonly at: Located;
  readonly message: string;
  readonly moves: Moves;
  /** Whether a member has no meaning any more, and whether one has a meaning that had none. */
  readonly known: Moves;
  /** Whom it breaks beyond what follows from these. */
  readonly also: Effect;
}

/** Whom a difference breaks in the messages of a sender. What a client may send, a server has to honour. */
export function effectOfDifference({ moves, known: [lost, gained], also }: SchemaDifference, sender: Sender): Effect {
  const meaning = worseEffect(
    lost ? BREAKS_CLIENTS : COMPATIBLE,
    gained && sender === 'client' ? BREAKS_IMPLEMENTERS : COMPATIBLE,
  );
  return worseEffect(worseEffect(effectOn(sender, moves), meaning), also);
}

/**
 * How a value is written: `text` without quotes, so that `1` is a number and a text, as in a query or a header; a `form` whose fields
 * are written so, each a `field` whose members are JSON.
 */
export type Medium = 'json' | 'xml' | 'text' | 'form' | 'field';

export function isText(medium: Medium): boolean {
  return medium === 'text' || medium === 'field';
}

/** How the members of an object are written. */
export function mediumOfMembers(medium: Medium): Medium {
  return medium === 'form' ? 'field' : medium === 'field' ? 'json' : medium;
}

/** Compares two schemas inside others. */
type Compare = (base: Conjunction, head: Conjunction, context: Comparison) => readonly SchemaDifference[];

/** A value that is compared: a part of a message. */
export interface Part {
  /** What it is called in messages. */
  readonly name: string;
  /** Who sends the message. */
  readonly sender: Sender;
  /** Whether it is sent always, so that no default stands for it. */
  readonly given: boolean;
}

/** The comparison of two schemas, as the parts of it see it. */
export interface Comparison extends Part {
  readonly medium: Medium;
  /** Pairs that are being compared further up: there is nothing new to find in them. */
  readonly open: Set<string>;
  /** Compares schemas inside these. */
  readonly compare: Compare;
  readonly inclusion: Inclusion;
  /** The same of the members that have a meaning. */
  readonly meaning: Inclusion;
}

/** Compares two alternatives of one type in some respect; `at` is the place to report. */
export type CompareShapes = (
  base: Shape,
  head: Shape,
  at: Located,
  context: Comparison,
  type: JsonType,
) => SchemaDifference[];

/** Compares two schemas in some respect; `at` is the place to report. */
export type CompareSchemas = (
  base: Conjunction,
  head: Conjunction,
  at: Located,
  context: Comparison,
) => SchemaDifference[];

/** Neither. */
export const STILL: Moves = [false, false];

/** A difference. How the values move, and whom it breaks beyond that, the rule says where it does not depend on more. */
export function difference(
  rule: Rule,
  at: Located,
  message: string,
  moves: Moves = movesOf(rule),
  known: Moves = STILL,
  also: Effect = moves.includes(true) ? COMPATIBLE : effectOf(rule),
): SchemaDifference {
  return { key: `${rule} ${at.pointer} ${message}`, rule, at, message, moves, known, also };
}

/** The difference of two alternatives or schemas, if some value is gone or has come. */
export function moved(rule: Rule, at: Located, message: string, moves: Moves): SchemaDifference[] {
  return moves.includes(true) ? [difference(rule, at, message, moves)] : [];
}

/** How the values move by several differences, or what is known of members. */
export function movesOfAll(differences: readonly SchemaDifference[], what: 'moves' | 'known' = 'moves'): Moves {
  return [differences.some(({ [what]: each }) => each[0]), differences.some(({ [what]: each }) => each[1])];
}

/** Names or values that a message shows. */
const MOST_LISTED = 20;

/** Some names or values, for a message. */
export function listOf(values: Iterable<string>): string {
  const all = [...values];
  const more = all.length - MOST_LISTED;
  return more > 0 ? `${all.slice(0, MOST_LISTED).join(', ')} and ${more} more` : all.join(', ');
}
