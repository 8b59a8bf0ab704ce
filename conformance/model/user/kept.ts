import { type Exchange, isAccepted } from '../../http/exchange.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { isUpdatable, untouchedCheckOf, slugOf } from '../../resources/user/members.ts';
import type { Suspect } from '../facts.ts';
import {
  has,
  isLost,
  isSetAnew,
  isText,
  isUntouched,
  type Known,
  sparingCheckId,
  storedKey,
  updateCheckId,
  type UserState,
  writesOf,
} from './state.ts';
import { isConcurrent, trait } from './suspects.ts';

/** Notes what it says of one request that a member has its value still. */
function noteSpared(state: UserState, x: Exchange, member: string, { exchange: by, class: how }: Suspect): void {
  const { subject, notes, ifStored, refusals } = state;
  const writes = writesOf(state, by);
  if (writes && how === 'writer') notes.holds([writes.stored.check], x);
  if (writes && how === 'write' && isText(member)) notes.holds([writes.kept.check], x);
  const ofUser = isText(member) && subject === 'user';
  const { request, response } = by;
  if (how === 'update' && isUpdatable(member))
    ifStored.push({ update: by, check: updateCheckId(by, `keeps-${slugOf(member)}`), at: x });
  if (how === 'refused' && ofUser) {
    const group = refusals(request.item ?? '');
    if (group !== undefined && response) notes.holds([`${group}/${member}`], x);
  }
  if (how === 'read' && ofUser && response) notes.holds([`reading-changes-no-user/${member}`], x);
  if (how === 'empty' && isText(member) && request.body === '{}') notes.holds([`update-empty-body/${member}`], x);
  const isOfOther = how === 'other-user' && (request.due.class === 'accept' || has(by, 'id'));
  if (isOfOther && (isText(member) || member === 'rootRole')) {
    const check = sparingCheckId(subject, by);
    if (isAccepted(by)) ifStored.push({ update: by, check, at: x });
    else notes.holds([check], x);
  }
}

function noteStored(state: UserState, x: Exchange, member: string, sentBy: Exchange, isConfirmed: boolean): void {
  const { subject, notes, stored, view } = state;
  const { due } = sentBy.request;
  const key = storedKey(sentBy, member);
  stored.set(key, isConfirmed || stored.get(key) === true);
  if (due.role === 'repetition') {
    notes.holds(
      due.checks.map((each) => `${each}/stored`),
      x,
    );
  } else if (due.role === 'concurrent') {
    const checks = ['update-concurrent-fields', 'update-concurrent-users'];
    if (isConcurrent(sentBy, view.exchanges))
      notes.holds(
        checks.map((each) => `${each}/${subject}.${member}`),
        x,
      );
  } else if (due.class === 'accept') {
    notes.holds([`${updateCheckId(sentBy, 'stored')}/${member}`], x);
    const isRole = member === 'rootRole' || has(x, 'rootRole');
    if (x.request.due.role === undefined && subject === 'user')
      notes.holds([isRole ? 'update-second-keeps-role' : 'update-second-keeps-first'], x);
  }
}

/** Notes that a member has its value still, and what that says of all that may have changed it. */
export function noteKept(
  state: UserState,
  { x, member, was }: { readonly x: Exchange; readonly member: string; readonly was: Known },
  suspects: readonly Suspect[],
): void {
  const { ifStored, cleared, refusals, subject } = state;
  // Two updates within one tick of the clock set the same time, and who empties a text leaves one alone that is empty.
  const tellsNothing = isSetAnew(state, member) || (isText(member) && isLost({ kind: 'shown', value: was.value }));
  for (const each of tellsNothing ? [] : suspects) {
    const own = trait(each);
    // That one of these left a member alone says nothing: it may be carried out at any time, or not at all.
    const isLater = ['unanswered', 'refused-valid'].includes(each.class);
    // Nor does that of what is refused beside updates of the other user.
    const { item = '', subject: whose } = each.exchange.request;
    const isBeside = each.class === 'refused' && whose !== subject && refusals(item) === undefined;
    if (!isLater && !was.producedBy?.has(own) && !isBeside)
      cleared.set(own, (cleared.get(own) ?? new Set()).add(member).add(`${subject} ${member}`));
  }
  if (isUntouched(member))
    for (const { exchange: update, class: how } of suspects)
      if (how === 'update') ifStored.push({ update, check: untouchedCheckOf(member), at: x });
  for (const each of suspects) if (each.exchange !== x) noteSpared(state, x, member, each);
  const { request } = was.x;
  if (isText(member) && request.body === '{}' && request.due.role === 'reading')
    state.notes.holds([`update-empty-body/${member}`], x);
  // A value that was there before tells of no update that it was stored.
  const isNew = was.sentBy?.request.due.role === 'repetition' || compareMember(member, was.old, was.value) !== 'same';
  if (was.sentBy && isNew)
    noteStored(state, x, member, was.sentBy, compareMember(member, was.confirmed, was.value) !== 'same');
}
