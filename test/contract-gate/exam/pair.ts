import type { Document } from './documents.ts';

export type Bump = 'none' | 'patch' | 'minor' | 'major';

/** `open` is for the rare direction in which two careful readers may disagree: it is not asked. */
export type Expected = 'breaking' | 'compatible' | 'open';

/** What the judge has to say, and why. */
export interface Outcome {
  readonly clients: Expected;
  readonly implementers: Expected;
  /** Every bump that the rules allow. Left out where they leave it open. */
  readonly bump?: readonly Bump[];
}

/** Two documents, and the judgement that is right about the step from the first to the second. */
export interface Pair extends Outcome {
  readonly name: string;
  /** A document, or the text of one in YAML. */
  readonly base: Document | string;
  readonly head: Document | string;
  /** The client that fails, the server that no longer conforms, or what makes the two documents mean the same. */
  readonly why: string;
}

/** Both documents mean the same. */
export const SAME: Outcome = { clients: 'compatible', implementers: 'compatible', bump: ['none', 'patch'] };
/** Not a word and not a meaning is other than before. */
export const NOTHING: Outcome = { clients: 'compatible', implementers: 'compatible', bump: ['none'] };
/** Only what people read is other than before. */
export const WORDING: Outcome = { clients: 'compatible', implementers: 'compatible', bump: ['patch'] };
/** A note for readers or generators that binds nobody on the wire, weightier than a typo. */
export const NOTICE: Outcome = { clients: 'compatible', implementers: 'compatible', bump: ['patch', 'minor'] };
/** More than words, but nobody has to do anything. */
export const ADDITION: Outcome = { clients: 'compatible', implementers: 'compatible', bump: ['minor'] };
/** Some client fails; every server conforms as it is. */
export const CLIENTS: Outcome = { clients: 'breaking', implementers: 'compatible', bump: ['major'] };
/** Every client works on; some server has to change. */
export const IMPLEMENTERS: Outcome = { clients: 'compatible', implementers: 'breaking', bump: ['minor'] };
/** Some client fails, and some server has to change. */
export const BOTH: Outcome = { clients: 'breaking', implementers: 'breaking', bump: ['major'] };
/** Some client fails; whether a server has to change is arguable. */
export const CLIENTS_AT_LEAST: Outcome = { clients: 'breaking', implementers: 'open', bump: ['major'] };

export function pair(
  name: string,
  base: Document | string,
  head: Document | string,
  outcome: Outcome,
  why: string,
): Pair {
  return { name, base, head, ...outcome, why };
}
