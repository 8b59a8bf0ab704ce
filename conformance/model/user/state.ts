import { ABSENT, type Exchange, isAccepted, objectBody } from '../../http/exchange.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { type NamedUser, UNTOUCHED_MEMBERS, UPDATABLE, type Updatable, slugOf } from '../../resources/user/members.ts';
import type { Writes } from '../../resources/effect.ts';
import { seenValue } from '../../resources/user/state.ts';
import type { Notes, Suspect } from '../facts.ts';
import { bodyOf, shapeOf, type View } from '../recording/view.ts';
import type { Rows } from '../responses.ts';
import { type History, type Seen, TIME_FORMS } from '../../resources/resource.ts';

/** What is known of a member: its value, and the exchange that showed it last, or sent it. */
export interface Known {
  readonly value: unknown;
  readonly x: Exchange;
  /** The update that sent it, if nothing was seen of it since. */
  readonly sentBy?: Exchange | undefined;
  /** The value before. */
  readonly old?: unknown;
  /** The value before that the response to another request than its sender showed: an update may only be echoed. */
  readonly confirmed?: unknown;
  /** What an unusual update may have stored, if its own response does not show it. */
  readonly pending?: readonly unknown[] | undefined;
  /** The other values that concurrent updates sent: any of them may be stored. */
  readonly rivals?: readonly unknown[];
  /** The traits of those that may have changed it to this value. */
  readonly producedBy?: ReadonlySet<string> | undefined;
}

/** The value that others than its sender showed, before an update sends another one. */
export const confirmedOf = (was: Known | undefined): unknown => (was?.sentBy ? was.confirmed : was?.value);

/** What an operation writes of a user, if it is not the update. */
export function writesOf({ operationOf }: Rows, { request }: Exchange): Writes | undefined {
  return operationOf(request.operation)?.effect?.writes;
}

/** Whether the responses of an operation show the user. */
export function showsUser({ operationOf }: Rows, { request }: Exchange): boolean {
  return operationOf(request.operation)?.shows.resource === 'user';
}

/** What the passes over both users share. */
export interface Shared extends Rows {
  readonly view: View;
  readonly notes: Notes;
  readonly damage: ReadonlyMap<Exchange, Exchange>;
  /** The members that requests with a trait are seen to leave alone: of some user, and behind its subject, of that one. */
  readonly cleared: Map<string, Set<string>>;
  /** Whether a value is a text that is made of nothing that the run sent. */
  readonly isForeign: (value: unknown) => boolean;
  /** What updates of a shape are seen to have stored, and whether it differs from all that others had shown. */
  readonly stored: Map<string, boolean>;
}

/** A member that has another value than before. */
export interface Changed {
  readonly x: Exchange;
  readonly member: string;
  readonly was: Known;
  readonly now: Seen;
}

/** What a pass over one user knows. */
export interface UserState extends Shared {
  readonly subject: NamedUser;
  /** The accepted updates of the user. */
  readonly history: History;
  readonly known: Map<string, Known>;
  /** Accepted unusual updates of which no response shows what they stored. */
  readonly undecided: Map<Exchange, string>;
  /** Updates without a response: they may be carried out at any time. */
  readonly lost: Exchange[];
  /** What holds if an update was stored. */
  readonly ifStored: { readonly update: Exchange; readonly check: string; readonly at: Exchange }[];
  /** The forms in which each member is shown over the run. */
  readonly forms: ReadonlyMap<string, ReadonlySet<string>>;
  /** What was under way between two exchanges. */
  readonly between: (from: Exchange, to: Exchange) => readonly Exchange[];
  /** Changes, and what may have made them; judged when it is known what leaves which member alone. */
  readonly changes: (readonly [change: Changed, suspects: readonly Suspect[]])[];
}

export const MEMBERS: readonly string[] = [...UPDATABLE, ...UNTOUCHED_MEMBERS];

/** Whether a request sends a member. */
export const has = (exchange: Exchange, member: string): boolean => Object.hasOwn(bodyOf(exchange), member);
export const isUntouched = (member: string): boolean => UNTOUCHED_MEMBERS.includes(member);
/** Whether a member is a text that can be sent. */
export const isText = (member: string): boolean => member === 'name' || member === 'email';

/** The check of one aspect of an update: what it stores, shows, keeps or does at all. */
export function updateCheckId(exchange: Exchange, what: string): string {
  const slugs = UPDATABLE.filter((member: Updatable) => has(exchange, member)).map(slugOf);
  if (exchange.request.subject === 'other-user') {
    if (what === 'keeps-role' || what === 'stored' || what === 'shown') return `update-other-user-${what}`;
  }
  return `update-${slugs.join('-')}-${what}`;
}

/** The check that an update of another user leaves this one alone. */
export function sparingCheckId(subject: NamedUser, by: Exchange): string {
  if (subject === 'user') return 'update-other-user-spares-user';
  return has(by, 'id') ? 'update-body-id-spares-other-user' : 'update-spares-other-user';
}

/** What an update stores, by its shape. */
export function storedKey(update: Exchange, member: string): string {
  return `${update.request.subject}|${shapeOf(update)}|${member}`;
}

/** The requests to a user. */
export function requestsTo(subject: NamedUser, exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ request }) => request.subject === subject && request.meant.id === 'valid');
}

/** Those that were accepted, and show the user. */
export function historyOf(subject: NamedUser, exchanges: readonly Exchange[], rows: Rows): History {
  return requestsTo(subject, exchanges).filter((each) => isAccepted(each) && showsUser(rows, each));
}

/** A value as text, and a time in any zone as the instant that it stands for. */
function formOf(value: unknown): string {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? JSON.stringify(value) : String(instant);
}

/** The forms in which a history shows each member. */
export function formsIn(history: History): UserState['forms'] {
  const bodies = history.map((each) => objectBody(each) ?? {});
  // Each value once: the form of a long one takes as much memory.
  const valuesOf = (member: string): ReadonlySet<unknown> =>
    new Set(bodies.flatMap((body) => (Object.hasOwn(body, member) ? [body[member]] : [])));
  return new Map(MEMBERS.map((member) => [member, new Set([...valuesOf(member)].map(formOf))]));
}

/** Whether a member that no update can send is a time that is set anew all the time. */
export function isSetAnew({ forms }: UserState, member: string): boolean {
  return isUntouched(member) && (forms.get(member)?.size ?? 0) > TIME_FORMS;
}

/** Whether a member has another value than before. What one response leaves out, another one may show as null or empty. */
export function differs(state: UserState, member: string, was: Known, now: Seen): boolean {
  const [before, after] = [was.value, seenValue(now)];
  const values = [before, after];
  const isEmpty = values.includes(ABSENT) && values.every((each) => [ABSENT, null, ''].includes(each as null));
  if (isEmpty) return false;
  return isSetAnew(state, member)
    ? formOf(before) !== formOf(after)
    : compareMember(member, before, after) === 'different';
}

/** Whether nothing is left of a value. */
export function isLost(state: Seen): boolean {
  if (state.kind !== 'shown') return true;
  return [null, '', 0].includes(state.value as null);
}
