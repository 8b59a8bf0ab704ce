/** What a comparison of schemas finds, and what its parts need to know. */
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
import type { Effect, Moves, Reference, Sender } from '../change.ts';
import type { Rule } from '../rules.ts';
import type { Inclusion } from './inclusion.ts';
import type { Conjunction, JsonType, Shape } from './values/value-set.ts';

/** One way in which the values that a schema allows changed. */
export interface SchemaDifference {
  readonly rule: Rule;
  readonly at: Located;
  /** The way to it from the schema that is compared, such as `.owner[].name`. */
  readonly path: string;
  readonly fact: string;
  readonly moves: Moves;
  /** Whether a member has no meaning any more (that narrows), and whether one has a meaning that had none. */
  readonly meaning: Moves;
  /** Whom it breaks beyond what follows from these. */
  readonly also: Effect;
  readonly reference?: Reference;
  /** Stands for the two schemas, where the fact does not say all that differs. */
  readonly digest?: string;
}

/** Whom a difference breaks in the messages of a sender. What a client may send, a server has to honour. */
export function effectOfDifference({ moves, meaning, also }: SchemaDifference, sender: Sender): Effect {
  const effects = [
    effectOn(sender, moves),
    meaning.narrows ? BREAKS_CLIENTS : COMPATIBLE,
    meaning.widens && sender === 'client' ? BREAKS_IMPLEMENTERS : COMPATIBLE,
  ];
  return effects.reduce(worseEffect, also);
}

/**
 * How a value is written: `text` without quotes, so that `1` is a number and a text, as in a query or a header; a `form` whose fields
 * are written so, each a `field` whose members are JSON.
 */
export type Medium = 'json' | 'xml' | 'text' | 'form' | 'field';

export function isText(medium: Medium): boolean {
  return medium === 'text' || medium === 'field';
}

const MEMBERS: Partial<Record<Medium, Medium>> = { form: 'field', field: 'json' };

/** How the members of an object are written. */
export function mediumOfMembers(medium: Medium): Medium {
  return MEMBERS[medium] ?? medium;
}

/** A value that is compared: a part of a message. */
export interface Part {
  /** What it is called in messages. */
  readonly name: string;
  /** Who sends the message. */
  readonly sender: Sender;
  /** Whether it is sent always, so that no default stands for it. */
  readonly given: boolean;
}

/** Two schemas that are compared, each of parts that hold together; `at` is the place to report. */
export interface SchemaPair {
  readonly base: Conjunction;
  readonly head: Conjunction;
  readonly at: Located;
}

/** Two alternatives of one type that are compared; `at` is the place to report. */
export interface ShapePair {
  readonly base: Shape;
  readonly head: Shape;
  readonly type: JsonType;
  readonly at: Located;
}

/** Compares two schemas inside others. */
type Compare = (base: Conjunction, head: Conjunction, context: Comparison) => readonly SchemaDifference[];

/** The comparison of two schemas, as the parts of it see it. */
export interface Comparison extends Omit<Part, 'name'> {
  readonly medium: Medium;
  /** Pairs that are being compared further up: there is nothing new to find in them. */
  readonly open: Set<string>;
  /** Compares schemas inside these. */
  readonly compare: Compare;
  readonly inclusion: Inclusion;
  /** The same of the members that have a meaning. */
  readonly meaning: Inclusion;
}

/** Compares two alternatives of one type in some respect. */
export type CompareShapes = (pair: ShapePair, context: Comparison) => readonly SchemaDifference[];

/** The fact that a `oneOf` refuses other values since they fit several of its alternatives. */
export const OVERLAP_CHANGES = 'the values that fit more than one alternative of a `oneOf` change';

/** Neither. */
export const STILL: Moves = { narrows: false, widens: false };
export const NARROWS: Moves = { narrows: true, widens: false };
export const WIDENS: Moves = { narrows: false, widens: true };
export const BOTH_WAYS: Moves = { narrows: true, widens: true };

export function isMoving({ narrows, widens }: Moves): boolean {
  return narrows || widens;
}

export function eitherMoves(one: Moves, other: Moves): Moves {
  return { narrows: one.narrows || other.narrows, widens: one.widens || other.widens };
}

/** A difference. How the values move, and whom it breaks beyond that, the rule says where it does not depend on more. */
export function difference(
  rule: Rule,
  at: Located,
  fact: string,
  { moves = movesOf(rule), meaning = STILL, also }: Partial<Pick<SchemaDifference, 'moves' | 'meaning' | 'also'>> = {},
): SchemaDifference {
  return { rule, at, path: '', fact, moves, meaning, also: also ?? (isMoving(moves) ? COMPATIBLE : effectOf(rule)) };
}

/** The difference of two alternatives or schemas, if some value is gone or has come. */
export function moved(rule: Rule, at: Located, fact: string, moves: Moves): readonly SchemaDifference[] {
  return isMoving(moves) ? [difference(rule, at, fact, { moves })] : [];
}

/** Differences as they are reached from further out. */
export function within(step: string, differences: readonly SchemaDifference[]): readonly SchemaDifference[] {
  if (step === '') return differences;
  return differences.map(({ reference, ...each }) => ({
    ...each,
    path: `${step}${each.path}`,
    ...(reference && { reference: { ...reference, where: `${step}${reference.where}` } }),
  }));
}

/** How the values move by several differences, or what is known of members. */
export function movesOfAll(differences: readonly SchemaDifference[], what: 'moves' | 'meaning' = 'moves'): Moves {
  return differences.map((each) => each[what]).reduce(eitherMoves, STILL);
}

/** Some names or values, for a fact. It holds them all: what is shown of it is cut where it is shown. */
export function listOf(values: Iterable<string>): string {
  return [...values].join(', ');
}
