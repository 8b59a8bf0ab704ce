import { rememberingEach } from '../../../common/json.ts';
import {
  ABSENT,
  type Exchange,
  isAccepted,
  mayBeCarriedOut,
  membersSent,
  NOT_SHOWN,
  objectBody,
  sends,
  sentIn,
} from '../../http/exchange.ts';
import { compareMember } from './comparison.ts';
import { pathId } from '../requests.ts';
import { isUpdatable, LASTING_MEMBERS, type NamedUser, NOT_SENDABLE, UPDATABLE, type Updatable } from './members.ts';
import type { History, Comparison, Seen, Originals } from '../resource.ts';

const UNSEEN: Seen = { kind: 'unseen' };

/** Whether a response shows another id than the path. */
export function showsOtherId(exchange: Exchange): boolean {
  const id = isAccepted(exchange) ? objectBody(exchange)?.id : undefined;
  return typeof id === 'number' && id !== Number(pathId(exchange.request));
}

/**
 * The user in a response; a response with another id than the path says nothing about the addressed user. Each response is read
 * once, however often a history is searched.
 */
export const shownUser = rememberingEach((exchange: Exchange): Readonly<Record<string, unknown>> | undefined => {
  return isAccepted(exchange) && !showsOtherId(exchange) ? objectBody(exchange) : undefined;
});

function shows(exchange: Exchange, member: string): boolean {
  return Object.hasOwn(shownUser(exchange) ?? {}, member);
}

/** A response with at least so many members that cannot be sent shows the user, and does not just repeat what was sent. */
const SHOWS_THE_USER = 3;

/**
 * Whether a member that is absent from a response is gone (ruling of open.shown-members): the target showed it before in the
 * response to a body with the same members, which did not send it; or the response shows the user, and the member is shown
 * when it is sent. In all other cases a conforming target may hide it, and `rootRole` in any case.
 */
function absenceTells(exchange: Exchange, member: string, history: History): boolean {
  if (!isUpdatable(member) || member === 'rootRole') return false;
  const shape = membersSent(exchange);
  const { operation } = exchange.request;
  const before = history.slice(0, Math.max(history.indexOf(exchange), 0));
  const earlier = before.filter(({ request }) => request.operation === operation);
  if (earlier.some((each) => shows(each, member) && !sends(each, member) && membersSent(each) === shape)) return true;
  const showsTheUser = NOT_SENDABLE.filter((other) => shows(exchange, other)).length >= SHOWS_THE_USER;
  return showsTheUser && !sends(exchange, member) && earlier.some((each) => sends(each, member) && shows(each, member));
}

/** What a response says of a member, given what this target showed earlier. */
export function seen(exchange: Exchange, member: string, history: History): Seen {
  const body = shownUser(exchange);
  if (!body) return UNSEEN;
  if (Object.hasOwn(body, member)) return { kind: 'shown', value: body[member] };
  return absenceTells(exchange, member, history) ? { kind: 'removed' } : UNSEEN;
}

/** The last value that the target showed of a member. */
export function lastShown(history: History, member: string): Seen {
  const last = history.findLast((each) => shows(each, member));
  return last ? { kind: 'shown', value: objectBody(last)?.[member] } : UNSEEN;
}

/** The value of a member that the suite sent last; undefined if it never sent it. */
export function lastSent(history: History, member: Updatable): unknown {
  const last = history.findLast((each) => sends(each, member));
  return last && sentIn(last, member);
}

/** The values of a member that the suite sent last: several, if updates sent it concurrently. */
export function lastSentOf(history: History, member: Updatable): readonly unknown[] {
  const senders = history.filter((each) => sends(each, member));
  const { role, round } = senders.at(-1)?.request.due ?? {};
  const last =
    role === 'concurrent'
      ? senders.filter(({ request: { due } }) => due.role === role && due.round === round)
      : senders.slice(-1);
  return last.map((each) => sentIn(each, member));
}

/** What is stored of an updatable member, as far as the suite knows: what was sent last, or what was shown since. */
export function stored(history: History, member: Updatable): unknown {
  const last = history.findLast((each) => sends(each, member) || shows(each, member));
  if (!last) return undefined;
  return shows(last, member) ? objectBody(last)?.[member] : sentIn(last, member);
}

/**
 * The values that a user had before the suite wrote: of each member that a run may leave changed, what was shown before the first
 * update that sent it. A member without an entry was not shown in time.
 *
 * @param writtenBy the members that a request may write beside those that it sends
 */
export function originals(
  history: History,
  writtenBy: (exchange: Exchange) => readonly string[] = () => [],
): Originals {
  return Object.fromEntries(
    [...UPDATABLE, ...LASTING_MEMBERS].flatMap((member) => {
      const firstWrite = history.findIndex((each) => sends(each, member) || writtenBy(each).includes(member));
      const untouched = firstWrite === -1 ? history : history.slice(0, firstWrite);
      const first = untouched.find((each) => shows(each, member));
      return first ? [[member, objectBody(first)?.[member]]] : [];
    }),
  );
}

/** Whether a request may have written: not if it was refused with 4xx, or never left. */
function mayHaveWritten(exchange: Exchange): boolean {
  return mayBeCarriedOut(exchange) && Math.floor((exchange.response?.status ?? 0) / 100) !== 4;
}

/**
 * The updatable members of a named user that the suite may have written: sent in an update that was not refused. A target
 * that responds 503 to every request of a run is not in service, and does not write.
 *
 * @param exchanges every exchange of the run
 */
export function written(exchanges: readonly Exchange[], subject: NamedUser): Updatable[] {
  if (exchanges.every((each) => (each.response ? each.response.status === 503 : !mayHaveWritten(each)))) return [];
  const own = exchanges.filter(({ request }) => request.subject === subject && request.credential.role !== undefined);
  return UPDATABLE.filter((member) => own.some((each) => sends(each, member) && mayHaveWritten(each)));
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
