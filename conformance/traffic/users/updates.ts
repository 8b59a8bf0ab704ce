import { setTimeout as sleep } from 'node:timers/promises';
import { namedId, WRITABLE } from '../../resources/inputs.ts';
import { written } from '../../resources/user/state.ts';
import { NAMED_USERS } from '../../resources/user/members.ts';
import type { Updates } from '../operation.ts';
import { restoreUser } from './restore.ts';
import { EMPTY_BODY_PROBE, UserSession, tickAll, type UpdateDues, type WriteClock } from './session.ts';
import { makeStateReader } from './state-reader.ts';
import { runUsersTraffic } from './traffic.ts';

/** How an operation reads, writes and restores users. */
export function userUpdates(dues: UpdateDues): Updates {
  return {
    restore: (sending, what) => restoreUser(sending, what, dues),
    open: ({ histories, mayChange, explore, ...options }) => {
      const clock = Object.fromEntries(WRITABLE.map((subject) => [subject, 0])) as WriteClock;
      const historyOf = (subject: (typeof NAMED_USERS)[number]) => histories.get(subject) ?? [];
      const sessions = NAMED_USERS.filter(
        (subject) => subject === 'user' || namedId(options.requests.inputs, subject) !== undefined,
      ).map((subject) => new UserSession({ ...options, subject, clock, dues, history: () => historyOf(subject) }));
      return {
        run: (context, operation) => runUsersTraffic({ ...context, clock, sessions, mayChange, explore }, operation),
        readLast: async (settle, stop, isAnew) => {
          const readable = sessions.filter((session) => session.blocked === undefined);
          if (stop.aborted || readable.every((session) => session.stateProbes.length === 0)) return [];
          if (settle > 0) await sleep(settle, undefined, { signal: stop }).catch(() => undefined);
          if (settle > 0 || isAnew) tickAll(clock);
          return makeStateReader({ sessions: readable, clock }).readAll(0);
        },
        isReadInParts: () => sessions.some((session) => session.stateProbes.length > 1),
        written: (exchanges) =>
          NAMED_USERS.flatMap((subject) => {
            const touched = written(exchanges, subject);
            const session = sessions.find((each) => each.subject === subject);
            const isReadable = session?.stateProbes[0] === EMPTY_BODY_PROBE;
            return historyOf(subject).length + touched.length > 0 ? [{ subject, touched, isReadable }] : [];
          }),
      };
    },
  };
}
