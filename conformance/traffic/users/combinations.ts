import { groupedBy } from '../../../common/text.ts';
import { type Exchange, isAccepted, sentBody } from '../../http/exchange.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { lastShown, seen, stored } from '../../resources/user/state.ts';
import { isUpdatable, UNTOUCHED_MEMBERS, UPDATABLE } from '../../resources/user/members.ts';
import type { History } from '../../resources/resource.ts';
import type { Writable } from '../../resources/inputs.ts';
import { defectsOf } from '../../model/recording/view.ts';
import type { Round } from './session.ts';
import { compareRoles } from '../../resources/roles.ts';

/** Whether the responses of one user, in their order, show all that was sent so far, and the rest as it was before. */
function showWhatWasSent(exchanges: readonly Exchange[], history: History): boolean {
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
export function isFlawless({ updates, after }: Round, history: (subject: Writable) => History): boolean {
  const valid = [...updates, ...after].filter(({ request }) => defectsOf(request).length === 0);
  return groupedBy(valid, ({ request }) => request.subject).every(([subject, own]) =>
    showWhatWasSent(own, history(subject as Writable)),
  );
}
