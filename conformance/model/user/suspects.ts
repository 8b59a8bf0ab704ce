import { rememberingEach } from '../../../common/json.ts';
import { groupedBy } from '../../../common/text.ts';
import { type Exchange, isAccepted, isSafe, overlap } from '../../http/exchange.ts';
import { membersChangedBy } from '../../resources/effect.ts';
import { isUpdatable, type NamedUser } from '../../resources/user/members.ts';
import type { Suspect } from '../facts.ts';
import { bodyOf, defectsOf, endOf, shapeOf } from '../recording/view.ts';
import { has, isLost, type Known, type UserState, writesOf } from './state.ts';
import type { Seen } from '../../resources/resource.ts';

/** The concurrent updates of a recording, by their rounds. */
const roundsIn = rememberingEach((exchanges: readonly Exchange[]) => {
  const concurrent = exchanges.filter(({ request }) => request.due.role === 'concurrent');
  return new Map(groupedBy(concurrent, ({ request }) => String(request.due.round)));
});

/** The concurrent updates of the round of one of them. */
export function inRoundOf({ request }: Exchange, exchanges: readonly Exchange[]): readonly Exchange[] {
  return roundsIn(exchanges).get(String(request.due.round)) ?? [];
}

/** Whether concurrent updates were really under way at the same time. */
export function isConcurrent(x: Exchange, exchanges: readonly Exchange[]): boolean {
  return (
    x.request.due.role === 'concurrent' && inRoundOf(x, exchanges).some((other) => other !== x && overlap(x, other))
  );
}

function classOfRefused(x: Exchange, subject: NamedUser): string {
  const { due } = x.request;
  if (due.class === 'refuse') return x.response || x.transportError?.kind !== 'closed' ? 'refused' : 'unanswered';
  if (defectsOf(x.request).length > 0) return 'refused';
  if (x.request.subject !== subject) return 'other-user';
  return due.role === 'reading' ? 'empty' : 'refused-valid';
}

/** How a request may change a member. */
function classOf(x: Exchange, member: string, state: UserState): string {
  const { subject, view } = state;
  const { due, subject: whose, meant } = x.request;
  if (isSafe(x.request)) return 'read';
  if (!x.response && due.class !== 'refuse') return 'unanswered';
  const isUnusual = due.role === 'unusual' || (due.class === 'either' && due.role === undefined);
  if (isUnusual && whose === subject) return 'unusual';
  if (!isAccepted(x)) return classOfRefused(x, subject);
  if (due.class === 'refuse' || meant.id !== 'valid') return 'wrongly-accepted';
  const writes = writesOf(state, x);
  if (writes && whose === subject) return membersChangedBy(writes, x.request).includes(member) ? 'writer' : 'write';
  if (writes) return 'other-write';
  const sent = Object.keys(bodyOf(x));
  const isReading = due.role === 'reading' || sent.length === 0;
  if (whose !== subject) return isReading ? 'other-reading' : 'other-user';
  if (isConcurrent(x, view.exchanges)) return 'concurrent';
  if (due.role === 'unlisted' && has(x, member) && !isUpdatable(member)) return 'unlisted';
  if (isReading) return 'empty';
  if (has(x, member)) return isUpdatable(member) ? 'sender' : 'unlisted';
  return sent.some(isUpdatable) ? 'update' : 'empty';
}

/** The index of the first exchange that was sent at a time or later. */
function firstFrom(exchanges: readonly Exchange[], time: number): number {
  let [low, high] = [0, exchanges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((exchanges[middle]?.startedAt ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds what was under way between two exchanges; of the members of one response, most ask for the same. */
export function makeBetween(exchanges: readonly Exchange[], subject: NamedUser): UserState['between'] {
  const longest = Math.max(0, ...exchanges.map(({ duration }) => duration));
  let last: readonly [from: Exchange, to: Exchange, found: readonly Exchange[]] | undefined;
  return (from, to) => {
    if (last?.[0] === from && last[1] === to) return last[2];
    const found: Exchange[] = [];
    for (let at = firstFrom(exchanges, from.startedAt - longest); at < exchanges.length; at += 1) {
      const x = exchanges[at];
      if (!x || x.startedAt > endOf(to)) break;
      const isLaterOfOwn = x.request.subject === subject && x.startedAt > to.startedAt;
      if (x !== from && endOf(x) > from.startedAt && !isLaterOfOwn) found.push(x);
    }
    last = [from, to, found];
    return found;
  };
}

/** All that may have changed a member since it was known. */
export function suspectsOf(state: UserState, x: Exchange, was: Known, member: string, now: Seen): Suspect[] {
  const between = state.between(was.x, x);
  const suspects = between.map((exchange) => ({ exchange, class: classOf(exchange, member, state) }));
  const late = classOf(was.x, member, state);
  const isLate =
    !['refused', 'wrongly-accepted', 'empty', 'read'].includes(late) && !(late === 'sender' && isLost(now));
  const lostBefore = state.lost
    .filter((each) => !between.includes(each))
    .map((exchange) => ({ exchange, class: 'unanswered' }));
  return [...lostBefore, ...(isLate ? [{ exchange: was.x, class: late }] : []), ...suspects];
}

const traitsOf = rememberingEach((exchange: Exchange) => {
  const { item = '', due } = exchange.request;
  const [shape, role] = [shapeOf(exchange), due.role ?? ''];
  const refused = `${item} ${due.class === 'refuse' ? (due.statuses[0] ?? '') : ''}`;
  // How an update is written, and what is beside it, says nothing of what it does to the other user: there, it is like a plain one.
  const ofOther = `other-user||${role === 'unusual' ? 'name' : shape}`;
  const own: Record<string, string> = {};
  return (how: string): string =>
    (own[how] ??=
      how === 'other-user' && ['unusual', 'concurrent'].includes(role)
        ? ofOther
        : `${how}|${role}|${how === 'refused' || how === 'unusual' ? refused : shape}`);
});

/** What requests have in common that do the same to a member: where one of them left it alone, the others do so, too. */
export function trait({ exchange, class: how }: Suspect): string {
  return traitsOf(exchange)(how);
}
