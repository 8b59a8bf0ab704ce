/** What shows only at the end of a run: a value that faded or came later, and a user that does not take its old values back. */
import { inWords, present, startOf } from '../../common/text.ts';
import { type Exchange, isSuccess, sentIn } from '../facts/exchange.ts';
import { type MemberFault, type Problem, statusFault } from '../facts/fault.ts';
import { Stopped } from '../facts/outcome.ts';
import type { Restoration } from '../facts/result.ts';
import { COMPARED_MEMBERS, differences, hasGrown, idIn, isEmpty, isSame, isUpdatable } from '../users/differences.ts';
import type { Users } from '../users/users.ts';
import { PLAIN } from './claims.ts';

/** Of which updates a member was changed that none can set: a single one cannot be named. */
export const OF_UPDATES = 'of a plain member';

/** A member of a user that has another value than it should. */
type Deviation = Pick<MemberFault, 'user' | 'member' | 'due' | 'came'>;

/**
 * The problems that the last reading of a run shows: a value that was stored faded, or came later.
 *
 * @throws Stopped if somebody else changed a user
 */
export async function lateProblems(users: Users): Promise<Problem[]> {
  const before = await users.state();
  users.forget();
  const after = await users.state();
  return [...before].flatMap(([user, was]) => {
    const is = after.get(user);
    const all = differences(was, is, COMPARED_MEMBERS, users.shown.inReadings);
    const members = all.filter((member) => member !== 'loginAttempts' || !hasGrown(was, is ?? {}));
    return members.map((member) => lateProblem(users, { user, member, due: was[member], came: is?.[member] }));
  });
}

function lateProblem(users: Users, deviation: Deviation): Problem {
  const { user, member, came } = deviation;
  const text = JSON.stringify(came);
  const senders = users.target.log.filter(({ request }) => String(request.body ?? '').includes(text));
  if (!isEmpty(came) && senders.length === 0 && !isSame(member, users.originals.get(user)?.[member], came))
    throw new Stopped(
      `Somebody else changed \`${member}\` of user ${user} during the run: it is ${inWords(came)}, which the run never sent.`,
      'other-client',
    );
  const wasRefused = !isEmpty(came) && senders.every(({ response }) => response.status !== 200);
  const exchanges = present([users.lastReadingOf(user)]);
  return {
    fault: { kind: 'member', change: 'changed-later', request: users.readingOf(user), ...deviation },
    requirement: wasRefused ? 'update.refused-changes-nothing' : 'update.sent-fields-change',
    aspect: 'stored',
    exchanges,
  };
}

/** The problems that only the whole run shows: another `createdAt` than before, which nobody else changes either. */
export async function strayProblems(users: Users): Promise<Problem[]> {
  return [...(await users.state())].flatMap(([user, is]) => {
    const was = users.originals.get(user) ?? {};
    const exchanges = present([users.lastReadingOf(user)]);
    return differences(was, is, ['createdAt'], users.shown.inReadings).map((member): Problem => {
      const values = { member, due: was[member], came: is[member] };
      return {
        fault: { kind: 'member', change: 'changed', user, how: OF_UPDATES, request: users.readingOf(user), ...values },
        requirement: PLAIN.others,
        aspect: 'kept',
        exchanges,
      };
    });
  });
}

/** The problems that restoring shows: the target refuses or ignores values that it showed before the run. */
export function restoreProblems(users: Users, { users: restored }: Restoration): Problem[] {
  return restored.flatMap(({ id, members }) =>
    members
      .filter(({ member, outcome }) => outcome === 'not-restored' && isUpdatable(member))
      .flatMap(({ member }) => restoreProblem(users, id, member) ?? []),
  );
}

function restoreProblem(users: Users, user: string, member: string): Problem | undefined {
  const isSender = ({ request }: Exchange): boolean => idIn(request) === user && Object.hasOwn(sentIn(request), member);
  const sent = users.target.log.findLast(isSender);
  if (!sent) return undefined;
  const { request, response } = sent;
  const old = users.originals.get(user)?.[member];
  const how = `with the old \`${member}\` ${startOf(JSON.stringify(old))}`;
  if (!isSuccess(response))
    return {
      fault: statusFault(sent, [200], { how }),
      requirement: PLAIN.accepted,
      aspect: 'accepted',
      exchanges: [sent],
    };
  const [due, came] = [sentIn(request)[member], users.shown.lastOf(user)[member]];
  return {
    fault: { kind: 'member', change: 'not-restored', member, user, due, came, request },
    requirement: PLAIN.stored,
    aspect: 'stored',
    exchanges: present([sent, users.lastReadingOf(user)]),
  };
}
