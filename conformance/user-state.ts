import { isDeepStrictEqual } from 'node:util';
import { schema } from '../contract/document.ts';
import { UPDATABLE, type Updatable } from './check.ts';
import { isAccepted, isRecord, objectBody, sentBody, type Exchange } from './exchange.ts';

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

const notUpdatable = Object.keys(schema('createUserResponseSchema').properties).filter(
  (member) => member !== 'id' && !(UPDATABLE as readonly string[]).includes(member),
);

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

function shows(exchange: Exchange, member: string): boolean {
  return Object.hasOwn(objectBody(exchange) ?? {}, member);
}

/**
 * Whether the absence of a member from an answer means that it is gone. It does where the target showed the member before
 * in answer to a body with the same members; and where it shows members that cannot be sent (so it does not answer with
 * the sent ones alone) and showed this one whenever it was sent. Otherwise it may lawfully be hidden.
 */
function absenceTells(exchange: Exchange, member: string, history: UserHistory): boolean {
  if (!isUpdatable(member)) return false;
  const shape = sentMembers(exchange);
  const earlier = history.slice(0, Math.max(history.indexOf(exchange), 0));
  if (earlier.some((each) => shows(each, member) && sentMembers(each) === shape)) return true;
  const showsMoreThanSent = notUpdatable.some((other) => shows(exchange, other));
  return showsMoreThanSent && earlier.some((each) => sends(each, member) && shows(each, member));
}

/** What an answer says of a member, in the light of what this target showed earlier. */
export function seen(exchange: Exchange, member: string, history: UserHistory): Seen {
  const body = isAccepted(exchange) ? objectBody(exchange) : undefined;
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

/** The updatable members that some update of the suite has sent. */
export function written(history: UserHistory): Updatable[] {
  return UPDATABLE.filter((member) => history.some((each) => sends(each, member)));
}

export type Comparison = 'same' | 'different' | 'unclear';

/**
 * Whether two values name the same role. Roles come as integers or as objects (ruling on `rootRole`); an object with an `id`
 * is compared by it. Two forms that have nothing in common cannot be compared.
 */
export function compareRoles(left: unknown, right: unknown): Comparison {
  if (isDeepStrictEqual(left, right)) return 'same';
  const idOf = (role: unknown): unknown => (isRecord(role) ? role.id : role);
  const [leftId, rightId] = [idOf(left), idOf(right)];
  if (Number.isInteger(leftId) && Number.isInteger(rightId)) return leftId === rightId ? 'same' : 'different';
  const isRole = (role: unknown): boolean => Number.isInteger(role) || isRecord(role) || typeof role === 'string';
  return isRole(left) && isRole(right) ? 'unclear' : 'different';
}

/** Whether two values of a member are the same for the contract. */
export function compareMember(member: string, left: unknown, right: unknown): Comparison {
  if (member === 'rootRole') return compareRoles(left, right);
  if (isDeepStrictEqual(left, right)) return 'same';
  if (member === 'createdAt' && typeof left === 'string' && typeof right === 'string') {
    return Date.parse(left) === Date.parse(right) ? 'same' : 'different';
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
  return state.kind === 'shown' ? state.value : `(${state.kind === 'removed' ? 'absent' : 'not shown'})`;
}
