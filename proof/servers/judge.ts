import { isDeepStrictEqual } from 'node:util';
import type { Result } from '../../conformance/result/result.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import type { Defect } from '../defect.ts';
import { inputsFor, withBehaviour, type RunningBehaviour } from './behaviour.ts';

/** A server that can be judged: the reference server, unless it behaves in another way. */
export type Judgeable = Partial<Pick<Defect, 'behaviour' | 'inputs'>>;

/**
 * Starts a server, judges it by the whole suite unless options say otherwise, and ends it.
 *
 * @param options may depend on the server
 * @param sockets whether it listens although nothing that it does needs that
 * @returns the server, too: what it kept can still be seen
 */
export function judgeServer(
  { behaviour = {}, inputs }: Judgeable,
  options: RunOptions | ((server: RunningBehaviour) => RunOptions) = {},
  sockets = false,
): Promise<{ readonly result: Result; readonly server: RunningBehaviour }> {
  const judge = async (server: RunningBehaviour) => {
    const own = typeof options === 'function' ? options(server) : options;
    return {
      result: await judgeTarget(inputsFor(server.url, server.seed, inputs), { ...server.reach, ...own }),
      server,
    };
  };
  return withBehaviour(behaviour, judge, sockets);
}

/** Whether the users that a server keeps are as they were before it was judged. */
export function isRestored({ seed, store }: RunningBehaviour): boolean {
  return isDeepStrictEqual(store.users, new Map(seed.users.map((user) => [user.id, user])));
}
