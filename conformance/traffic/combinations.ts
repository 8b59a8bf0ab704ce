import { groupedBy } from '../../common/text.ts';
import { type Exchange, isAccepted, sentBody } from '../http/exchange.ts';
import type { Round } from '../judging/evidence.ts';
import type { Combination, Scenario } from '../judging/traffic.ts';
import { compareMember, compareRoles } from '../target/comparison.ts';
import { lastShown, seen, stored } from '../target/user-state.ts';
import { isUpdatable, type NamedUser, UNTOUCHED_MEMBERS, UPDATABLE, type UserHistory } from '../target/user.ts';

/** The combinations whose scenarios are all to be sent, and that no earlier combination stands for. */
export function usable(combinations: readonly Combination[], scenarios: readonly Scenario[]): readonly Combination[] {
  const left = new Set(scenarios);
  return combinations.filter(({ standsFor }) => {
    const isUsable = standsFor.every(({ scenario }) => left.has(scenario));
    if (isUsable) for (const { scenario } of standsFor) left.delete(scenario);
    return isUsable;
  });
}

/** The rounds of each scenario that a combination stands for. A later update of the same user is the reading after an earlier one. */
export function roundsOfEach({ standsFor }: Combination, { updates, after }: Round): ReadonlyMap<string, Round[]> {
  const [own] = updates;
  const readingAfter = (end: number): Round['after'] => {
    const next = updates[end];
    if (!next || !own) return after;
    return [next, ...after.filter(({ request }) => request.subject !== own.request.subject)];
  };
  return new Map(
    standsFor.map(({ scenario, rounds }) => [
      scenario.id,
      rounds.map(([from, end]) => ({ updates: updates.slice(from, end), after: readingAfter(end) })),
    ]),
  );
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
