import type { Located } from '../description.ts';
import { COMPATIBLE, type Effect } from '../change.ts';
import type { Rule } from '../rules.ts';
import type { Conjunction, Sender, Shape } from './value-set.ts';

/** One way in which the values that a schema allows changed. */
export interface SchemaDifference {
  readonly rule: Rule;
  readonly at: Located;
  /** Some value that was allowed is no longer, or it is not known that there is none. */
  readonly narrows: boolean;
  /** Some value is allowed that was not, or it is not known that there is none. */
  readonly widens: boolean;
  /** Whom it breaks beyond what follows from narrowing and widening. */
  readonly also: Effect;
  readonly message: string;
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
export type Compare = (base: Conjunction, head: Conjunction, context: Comparison) => SchemaDifference[];

/** The comparison of two schemas, as the parts of it see it. */
export interface Comparison {
  readonly sender: Sender;
  /** Pairs that are being compared further up: there is nothing new to find in them. */
  readonly open: Set<string>;
  /** What the compared value is called in messages. */
  readonly name: string;
  readonly medium: Medium;
  /** Whether the value is always there, so that no default stands for it. */
  readonly given: boolean;
  /** Compares schemas inside these. */
  readonly compare: Compare;
}

/** Compares two alternatives of one type in some respect; `at` is the place to report. */
export type CompareShapes = (base: Shape, head: Shape, at: Located, context: Comparison) => SchemaDifference[];

/** Compares two schemas in some respect; `at` is the place to report. */
export type CompareSchemas = (
  base: Conjunction,
  head: Conjunction,
  at: Located,
  context: Comparison,
) => SchemaDifference[];

type Direction = 'narrows' | 'widens' | 'both' | 'neither';

export function difference(
  rule: Rule,
  at: Located,
  direction: Direction,
  message: string,
  also: Effect = COMPATIBLE,
): SchemaDifference {
  return {
    rule,
    at,
    narrows: direction === 'narrows' || direction === 'both',
    widens: direction === 'widens' || direction === 'both',
    also,
    message,
  };
}

/** The difference of two alternatives or schemas, if some value is gone or has come. */
export function moved(
  rule: Rule,
  at: Located,
  [narrows, widens]: readonly [boolean, boolean],
  message: string,
): SchemaDifference[] {
  return narrows || widens ? [difference(rule, at, toward(narrows, widens), message)] : [];
}

export function toward(narrows: boolean, widens: boolean): Direction {
  if (narrows && widens) return 'both';
  return narrows ? 'narrows' : widens ? 'widens' : 'neither';
}

/**
 * Whom a difference breaks. The sender of a message breaks where fewer values are allowed (it may send one that no longer is),
 * the receiver where more are (it may get one that it does not know).
 */
export function effectOnSides({ narrows, widens, also }: SchemaDifference, sender: Sender): Effect {
  const clients = sender === 'client' ? narrows : widens;
  const implementers = sender === 'client' ? widens : narrows;
  return {
    clients: clients ? 'breaking' : also.clients,
    implementers: implementers ? 'breaking' : also.implementers,
  };
}

/** Whether any of the differences narrows, and whether any widens. */
export function changesOf(differences: readonly SchemaDifference[]): readonly [boolean, boolean] {
  return [differences.some(({ narrows }) => narrows), differences.some(({ widens }) => widens)];
}

/** Some names or values, for a message. */
export function listOf(values: Iterable<string>): string {
  return [...values].join(', ');
}
