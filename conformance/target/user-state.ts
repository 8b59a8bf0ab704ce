import { isDeepStrictEqual } from 'node:util';
import { schema } from '../../contract/document.ts';
import { isRecord } from '../../common/json.ts';
import { UPDATABLE, type Updatable } from '../judging/check.ts';
import { ABSENT, isAccepted, NOT_SHOWN, objectBody, sentBody, type Exchange } from '../http/exchange.ts';

/** One of the two users that the suite may change: that of `userId`, or that of `otherUserId`. */
export type NamedUser = 'user' | 'other-user';

/** An update that reveals the state without changing it: it sends nothing, or values that are stored already. */
export interface UserReading {
  readonly subject: NamedUser;
  readonly exchange: Exchange;
}

/** Every update of one user that was accepted, in the order of sending. The answers are the only window on its state. */
export type UserHistory = readonly Exchange[];

/** What one answer says of a member. `removed`: it is missing where this target would have shown it. */
export type Seen =
  { readonly kind: 'shown'; readonly value: unknown } | { readonly kind: 'removed' } | { readonly kind: 'unseen' };

const UNSEEN: Seen = { kind: 'unseen' };

/** Members that no update touches (ruling: fields that a server may derive are not among them). */
export const UNTOUCHED_MEMBERS = ['username', 'createdAt', 'accountType', 'loginAttempts', 'isAPI', 'scimId'] as const;

function isUpdatable(member: string): member is Updatable {
  return (UPDATABLE as readonly string[]).includes(member);
}

function sentMembers(exchange: Exchange): string {
  return Object.keys(sentBody(exchange.request) ?? {})
    .sort()
    .join();
}

function sends(exchange: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(exchange.request) ?? {}, member);
}

/** The user in an answer; an answer that carries another id than the path says nothing about the addressed user. */
export function shownUser(exchange: Exchange): Record<string, unknown> | undefined {
  const body = isAccepted(exchange) ? objectBody(exchange) : undefined;
  const inPath = Number(exchange.request.path.split('/').at(-1));
  return typeof body?.id === 'number' && body.id !== inPath ? undefined : body;
}

function shows(exchange: Exchange, member: string): boolean {
  return Object.hasOwn(shownUser(exchange) ?? {}, member);
}

/** The members of a user, but for its id, that an update cannot send. */
export const NOT_SENDABLE: readonly string[] = Object.keys(schema('createUserResponseSchema').properties).filter(
  (member) => member !== 'id' && !isUpdatable(member),
);
/** An answer with so many members that cannot be sent shows the user, not a receipt of what was sent. */
const SHOWS_THE_USER = 3;

/**
 * Whether the absence of a member from an answer means that it is gone (ruling of open.shown-members): where the target showed
 * it before in answer to a body with the same members, that did not send it; and where the answer shows the user, while the
 * member is shown when it is sent. Otherwise it may lawfully be hidden.
 */
function absenceTells(exchange: Exchange, member: string, history: UserHistory): boolean {
  if (!isUpdatable(member)) return false;
  const shape = sentMembers(exchange);
  const earlier = history.slice(0, Math.max(history.indexOf(exchange), 0));
  if (earlier.some((each) => shows(each, member) && !sends(each, member) && sentMembers(each) === shape)) return true;
  const showsTheUser = NOT_SENDABLE.filter((other) => shows(exchange, other)).length >= SHOWS_THE_USER;
  return showsTheUser && !sends(exchange, member) && earlier.some((each) => sends(each, member) && shows(each, member));
}

/** What an answer says of a member, in the light of what this target showed earlier. */
export function seen(exchange: Exchange, member: string, history: UserHistory): Seen {
  const body = shownUser(exchange);
  if (!body) return UNSEEN;
  if (Object.hasOwn(body, member)) return { kind: 'shown', value: body[member] };
  return absenceTells(exchange, member, history) ? { kind: 'removed' } : UNSEEN;
}

/** The last value that the target showed of a member before an exchange (by default: in the whole history). */
export function lastShown(history: UserHistory, member: string, before?: Exchange): Seen {
  const end = before ? history.indexOf(before) : -1;
  const earlier = end === -1 ? history : history.slice(0, end);
  const last = earlier.findLast((each) => shows(each, member));
  return last ? { kind: 'shown', value: objectBody(last)?.[member] } : UNSEEN;
}

/** The value of a member that the suite sent last; undefined if it never sent it. */
export function lastSent(history: UserHistory, member: Updatable): unknown {
  const last = history.findLast((each) => sends(each, member));
  return last && sentBody(last.request)?.[member];
}

/**
 * What is known of a member before an exchange: what was shown last, or what was sent since (then it is assumed to be stored).
 */
export function lastKnown(
  history: UserHistory,
  member: string,
  before: Exchange,
): { readonly state: Seen; readonly assumed: boolean } {
  const earlier = history.slice(0, Math.max(history.indexOf(before), 0));
  const last = earlier.findLast((each) => shows(each, member) || sends(each, member));
  if (!last) return { state: UNSEEN, assumed: false };
  const [sent, shown] = [sentBody(last.request)?.[member], objectBody(last)?.[member]];
  const contradicts = sends(last, member) && shows(last, member) && compareMember(member, sent, shown) === 'different';
  if (contradicts) return { state: UNSEEN, assumed: false };
  if (shows(last, member)) return { state: { kind: 'shown', value: objectBody(last)?.[member] }, assumed: false };
  return { state: { kind: 'shown', value: sentBody(last.request)?.[member] }, assumed: true };
}

/** What is stored of an updatable member, as far as the suite knows: what was sent last, or what was shown since. */
export function stored(history: UserHistory, member: Updatable): unknown {
  const last = history.findLast((each) => sends(each, member) || shows(each, member));
  if (!last) return undefined;
  return shows(last, member) ? objectBody(last)?.[member] : sentBody(last.request)?.[member];
}

/**
 * The values that a user had before the suite wrote: of each updatable member, what was shown before the first update that sent it.
 * A member without an entry was not shown in time.
 */
export function originals(history: UserHistory): Partial<Record<Updatable, unknown>> {
  return Object.fromEntries(
    UPDATABLE.flatMap((member) => {
      const firstWrite = history.findIndex((each) => sends(each, member));
      const untouched = firstWrite === -1 ? history : history.slice(0, firstWrite);
      const first = untouched.find((each) => shows(each, member));
      return first ? [[member, objectBody(first)?.[member]]] : [];
    }),
  );
}

/** Whether a request may have been carried out: not if it was refused with 4xx, or never left. */
function mayBeCarriedOut({ response, transportError }: Exchange): boolean {
  if (transportError) return transportError.kind !== 'unreachable' && transportError.kind !== 'throttled';
  return Math.floor((response?.status ?? 0) / 100) !== 4;
}

/**
 * The updatable members of a named user that the suite may have written: sent in an update that was not refused.
 *
 * @param exchanges every exchange of the run
 */
export function written(exchanges: readonly Exchange[], subject: NamedUser): Updatable[] {
  const own = exchanges.filter(({ request }) => request.subject === subject && request.credential.role !== undefined);
  return UPDATABLE.filter((member) => own.some((each) => sends(each, member) && mayBeCarriedOut(each)));
}

export type Comparison = 'same' | 'different' | 'unclear';

/**
 * Whether two values name the same role. Roles come as integers or as objects (ruling on `rootRole`); an object with an `id`
 * is compared by it. Other ids in other forms may still mean the same role: what the members of the object are is not shown.
 */
export function compareRoles(left: unknown, right: unknown): Comparison {
  if (isDeepStrictEqual(left, right)) return 'same';
  const idOf = (role: unknown): unknown => (isRecord(role) ? role.id : role);
  const [leftId, rightId] = [idOf(left), idOf(right)];
  if (Number.isInteger(leftId) && Number.isInteger(rightId)) {
    if (leftId === rightId) return 'same';
    return isRecord(left) === isRecord(right) ? 'different' : 'unclear';
  }
  const isRole = (role: unknown): boolean => Number.isInteger(role) || isRecord(role) || typeof role === 'string';
  return isRole(left) && isRole(right) ? 'unclear' : 'different';
}

/** ms. A date-time may be stored less precisely than it was shown first. */
const COARSEST_CLOCK = 1_000;

/** Whether two values of a member are the same for the contract. */
export function compareMember(member: string, left: unknown, right: unknown): Comparison {
  if (member === 'rootRole') return compareRoles(left, right);
  if (isDeepStrictEqual(left, right)) return 'same';
  if (member === 'createdAt' && typeof left === 'string' && typeof right === 'string') {
    const apart = Math.abs(Date.parse(left) - Date.parse(right));
    if (Number.isNaN(apart)) return 'unclear';
    return apart < COARSEST_CLOCK ? 'same' : 'different';
  }
  return 'different';
}

/** Whether a member that was shown before is still the same. What was never shown cannot be told. */
export function compareSeen(member: string, before: Seen, after: Seen): Comparison {
  if (before.kind !== 'shown' || after.kind === 'unseen') return 'unclear';
  return after.kind === 'removed' ? 'different' : compareMember(member, before.value, after.value);
}

/** A value for a person and for JSON; a member that is gone has none. */
export function seenValue(state: Seen): unknown {
  if (state.kind === 'shown') return state.value;
  return state.kind === 'removed' ? ABSENT : NOT_SHOWN;
}
