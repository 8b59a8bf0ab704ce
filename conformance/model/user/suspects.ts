import { rememberingEach } from '../../../common/json.ts';
import { groupedBy } from '../../../common/text.ts';
import { type Exchange, isAccepted, isSafe, overlap } from '../../http/exchange.ts';
import { membersChangedBy } from '../../resources/effect.ts';
import { isUpdatable, type NamedUser } from '../../resources/user/members.ts';
import type { Suspect } from '../facts.ts';
import { defectsOf, endOf, shapeOf } from '../recording/view.ts';
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
  return inRoundOf(x, exchanges).some((other) => other !== x && overlap(x, other));
}

function classOfRefused(x: Exchange, subject: NamedUser): string {
  const { due } = x.request;
  // One whose connection was closed may still be carried out.
  if (due.class === 'refuse') return x.transportError?.kind === 'closed' ? 'unanswered' : 'refused';
  if (defectsOf(x.request).length > 0) return 'refused';
  if (x.request.subject !== subject) return 'other-user';
  return due.role === 'reading' ? 'empty' : 'refused-valid';
}

/** How a request may change a member. */
export function classOf(x: Exchange, member: string, state: UserState): string {
  const { subject, view } = state;
  const { due, subject: whose, meant } = x.request;
  if (isSafe(x.request)) return 'read';
  if (!x.response && due.class !== 'refuse') return 'unanswered';
  const isUnusual = due.role === 'unusual' || (due.class === 'either' && due.role === undefined);
  if (isUnusual && whose === subject) return 'unusual';
  if (!isAccepted(x)) return classOfRefused(x, subject);
  if (due.class === 'refuse' || meant.id !== 'valid') return 'wrongly-accepted';
  const writes = writesOf(state, x);
  if (writes) return whose === subject && membersChangedBy(writes, x.request).includes(member) ? 'writer' : 'write';
  const isReading = due.role === 'reading';
  if (whose !== subject) return isReading ? 'other-reading' : 'other-user';
  if (isConcurrent(x, view.exchanges)) return 'concurrent';
  if (isReading) return 'empty';
  if (!has(x, member)) return 'update';
  return isUpdatable(member) ? 'sender' : 'unlisted';
}

/** Finds what was under way between two exchanges; of the members of one response, most ask for the same. */
export function makeBetween(exchanges: readonly Exchange[], subject: NamedUser): UserState['between'] {
  const between = rememberingEach((from: Exchange) =>
    rememberingEach((to: Exchange) =>
      exchanges.filter((x) => {
        const isLaterOfOwn = x.request.subject === subject && x.startedAt > to.startedAt;
        return x !== from && endOf(x) > from.startedAt && x.startedAt <= endOf(to) && !isLaterOfOwn;
      }),
    ),
  );
  return (from, to) => between(from)(to);
}

/** All that may have changed a member since it was known. */
export function suspectsOf(state: UserState, x: Exchange, was: Known, member: string, now: Seen): Suspect[] {
  const lost = state.lost.map((exchange) => ({ exchange, class: 'unanswered' }));
  const between = state.between(was.x, x);
  const suspects = between.map((exchange) => ({ exchange, class: classOf(exchange, member, state) }));
  const late = classOf(was.x, member, state);
  const isLate = !['empty', 'read'].includes(late) && !(late === 'sender' && isLost(now));
  return [...lost, ...(isLate ? [{ exchange: was.x, class: late }] : []), ...suspects];
}

/** What requests have in common that do the same to a member: where one of them left it alone, the others do so, too. */
export function trait({ exchange, class: how }: Suspect): string {
  const { item = '', due } = exchange.request;
  // What is beside an update says nothing of what it does to the other user.
  const role = how === 'other-user' ? undefined : due.role;
  return `${how}|${String(role)}|${['refused', 'unusual'].includes(how) ? item : shapeOf(exchange)}`;
}
