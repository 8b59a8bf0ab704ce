import { groupedBy } from '../../../common/text.ts';
import { type Exchange, isAccepted, sentBody } from '../../http/exchange.ts';
import type { Round } from '../../model/recording/recording.ts';
import type { Combination, Scenario } from '../../model/recording/items.ts';
import { compareMember, compareRoles } from '../../resources/user/comparison.ts';
import { lastShown, seen, stored } from '../../resources/user/state.ts';
import {
  isUpdatable,
  type NamedUser,
  UNTOUCHED_MEMBERS,
  UPDATABLE,
  type UserHistory,
} from '../../resources/user/user.ts';

/** The combinations whose scenarios are all to be sent, and the scenarios that none of them is sent for; the first of two counts. */
export function combinedTraffic(combinations: readonly Combination[], scenarios: readonly Scenario[]) {
  const single = new Set(scenarios);
  const combined = combinations.filter(({ insteadOf }) => {
    const isUsable = insteadOf.every((each) => single.has(each));
    if (isUsable) for (const each of insteadOf) single.delete(each);
    return isUsable;
  });
  return { combined, single: [...single] };
}

/** Whether the responses of one user, in their order, show all that was sent so far, and the rest as it was before. */
function showWhatWasSent(exchanges: readonly Exchange[], history: UserHistory): boolean {
  const [first] = exchanges;
  if (!first) return true;
  const before = history.slice(0, Math.max(history.indexOf(first), 0));
  const expected = new Map<string, unknown>([
    ...UPDATABLE.map((member) => [member, stored(before, member)] as const),
    ...UNTOUCHED_MEMBERS.flatMap((member) => {
      const state = lastShown(before, member);
      return state.kind === 'shown' ? [[member, state.value] as const] : [];
    }),
  ]);
  return exchanges.every((exchange) => {
    if (exchange.response?.status !== 200 || !isAccepted(exchange)) return false;
    for (const [member, value] of Object.entries(sentBody(exchange.request) ?? {}))
      if (isUpdatable(member)) expected.set(member, value);
    return [...expected].every(([member, value]) => {
      const state = seen(exchange, member, history);
      if (state.kind === 'unseen') return member !== 'name' && member !== 'email';
      if (state.kind === 'removed') return false;
      const compare =
        member === 'rootRole' ? compareRoles(value, state.value) : compareMember(member, value, state.value);
      return value === undefined || compare !== 'different';
    });
  });
}

/** Whether a round shows no deviation at all: every response is 200, and shows what was sent and everything else as before. */
export function isFlawless({ updates, after }: Round, history: (subject: NamedUser) => UserHistory): boolean {
  return groupedBy([...updates, ...after], ({ request }) => request.subject).every(([subject, own]) =>
    showWhatWasSent(own, history(subject as NamedUser)),
  );
}
