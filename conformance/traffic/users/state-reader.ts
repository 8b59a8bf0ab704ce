import type { Exchange } from '../../http/exchange.ts';
import { compareSeen, seen } from '../../resources/user/state.ts';
import { NAMED_USERS, UNTOUCHED_MEMBERS, UPDATABLE } from '../../resources/user/members.ts';
import { type StateProbe, type UserSession, tickAll, type UsersContext } from './session.ts';
import type { History } from '../../resources/resource.ts';
import type { Writable } from '../../resources/inputs.ts';

/** A member of a user that changed although the request between two readings must not touch it. */
export interface Change {
  readonly subject: Writable;
  readonly member: string;
}

/** The members that a refused request must not change. */
const COMPARED_MEMBERS: readonly string[] = [...UPDATABLE, ...UNTOUCHED_MEMBERS];

/** What differs between two readings of a user. */
function changesBetween(subject: Writable, earlier: Exchange, exchange: Exchange, history: History): Change[] {
  return COMPARED_MEMBERS.flatMap((member) => {
    const before = seen(earlier, member, history);
    const after = seen(exchange, member, history);
    if (compareSeen(member, before, after) !== 'different') return [];
    return [{ subject, member }];
  });
}

/** The index-th way to read a user; the last one of a user that can be read in fewer ways. */
function stateProbeAt(session: UserSession, index: number): StateProbe | undefined {
  return session.stateProbes[index] ?? session.stateProbes.at(-1);
}

/** Reads the users that the operator named. */
export type StateReader = ReturnType<typeof makeStateReader>;

export function makeStateReader({ sessions, clock }: Pick<UsersContext, 'sessions' | 'clock'>) {
  const among = (subjects: readonly Writable[]): UserSession[] =>
    sessions.filter(({ subject }) => subjects.includes(subject));
  const readingBy =
    (way: 'read' | 'readSinceOwn') =>
    (index: number, subjects: readonly Writable[] = NAMED_USERS): Promise<Exchange[]> =>
      Promise.all(
        among(subjects).flatMap((session) => {
          const probe = stateProbeAt(session, index);
          return probe ? [session[way](probe)] : [];
        }),
      );
  const [readAll, readOwn] = [readingBy('read'), readingBy('readSinceOwn')];
  return {
    /** Reads each user, or each of some. */
    readAll,
    /** Gives these users values that are known. A user that will not be addressed is read after that, to compare with. */
    settleAll: async (
      index: number,
      addressed: readonly Writable[],
      subjects: readonly Writable[] = NAMED_USERS,
    ): Promise<void> => {
      await readOwn(index, subjects);
      for (const session of among(subjects)) {
        const probe = stateProbeAt(session, index);
        const wrote = probe && (await session.settle(probe));
        if (wrote && !addressed.includes(session.subject)) await session.read(probe);
      }
    },
    /**
     * Does something that must change nothing between two readings, and gives what changed all the same. Both ends are readings:
     * a target on which reading itself changes something is not blamed for this.
     *
     * @param afterAll whether the first reading of a user must be later than the last update of any user, not only of this one
     * @param beside done while the users are read again
     */
    watched: async (
      index: number,
      act: () => Promise<unknown>,
      afterAll = true,
      beside?: () => Promise<unknown>,
    ): Promise<readonly Change[]> => {
      const before = await (afterAll ? readAll(index) : readOwn(index));
      tickAll(clock);
      await act();
      const [after] = await Promise.all([readAll(index), beside?.()]);
      return sessions.flatMap(({ subject, history }) => {
        const [earlier, later] = [before, after].map((all) => all.find(({ request }) => request.subject === subject));
        return earlier && later ? changesBetween(subject, earlier, later, history()) : [];
      });
    },
  };
}
