import type { Exchange } from '../http/exchange.ts';

/** The name of a resource. */
export type ResourceId = 'user' | 'banner';

/** What a comparison of two values gives; `unclear` where the contract does not say what counts as equal. */
export type Comparison = 'same' | 'different' | 'unclear';

/** What one response says of a member. `removed`: it is missing where this target would have shown it. */
export type Seen =
  { readonly kind: 'shown'; readonly value: unknown } | { readonly kind: 'removed' } | { readonly kind: 'unseen' };

/** A time may be stored less exactly than it was shown first, so it may come in two forms. One that is set anew comes in many. */
export const TIME_FORMS = 2;

/** The accepted updates of one that was named, in the order of sending. */
export type History = readonly Exchange[];

/** The values of members before the suite wrote them. */
export type Originals = Readonly<Record<string, unknown>>;

/** A kind of thing that the target keeps. */
export interface Resource {
  readonly id: ResourceId;
  /** The members that a run may have to restore, and that a journal may have. */
  readonly members: readonly string[];
  /** The members that its updates can send, if these alone show it. */
  readonly updatable: readonly string[];
}

/** A resource whose state is seen in the responses to updates alone. */
export interface UpdatedResource extends Resource {
  /** The members that no update touches. */
  readonly untouched: readonly string[];
  /** Whether two values of a member are the same for the contract. */
  readonly compare: (member: string, left: unknown, right: unknown) => Comparison;
  /** What a response shows of the one in the path; undefined if it shows none, or another one. */
  readonly shownIn: (exchange: Exchange) => Readonly<Record<string, unknown>> | undefined;
  /** What a response says of a member, given what the target showed earlier. */
  readonly seen: (exchange: Exchange, member: string, history: History) => Seen;
  /**
   * The values that one had before the suite wrote, as far as they were shown in time.
   *
   * @param writtenBy the members that a request may write beside those that it sends
   */
  readonly originals: (history: History, writtenBy?: (exchange: Exchange) => readonly string[]) => Originals;
  /**
   * What is stored of one, as far as it is known and a request may need it.
   *
   * @param isClean whether a value that stands in a path shows no secret
   */
  readonly stored: (history: History, isClean: (value: unknown) => boolean) => Record<string, unknown>;
}
