/** Gives the users new values between two checks, and forgets what an earlier fault left behind. */
import { type Exchange, isDisturbance } from '../facts/exchange.ts';
import { statusFault } from '../facts/fault.ts';
import { Stopped } from '../facts/outcome.ts';
import type { Updatable } from '../users/differences.ts';
import type { Users } from '../users/users.ts';
import { PLAIN } from './claims.ts';
import type { Session } from './session.ts';

/**
 * Gives the users new values, so that a second search for a fault does not find leftovers of the first.
 *
 * @param lane the id of the only user that is meant, while others are updated
 * @throws Stopped if every update fails from some time on
 */
export async function renew({ users, audit }: Session, lane?: string): Promise<void> {
  const exchanges: Exchange[] = [];
  if (users.areUpdatable)
    for (const id of lane === undefined ? users.ids : [lane])
      for (const members of users.renewals) exchanges.push(await update(users, id, members));
  for (const each of exchanges) users.noteFailed(each, lane !== undefined);
  if (lane !== undefined) return;
  if (exchanges.length > 0 && exchanges.every(isFailure)) await stopIfDown(users);
  if (users.areUpdatable) await users.state();
  // What an earlier fault left behind is no second one.
  audit.conclude(() => false);
}

const update = (users: Users, id: string, members: readonly Updatable[]): Promise<Exchange> =>
  users.target.send(users.update(id, users.newValues(id, members)));

const isFailure = ({ response }: Exchange): boolean => response.status >= 500 && !isDisturbance(response);

/** Ends the run if the plainest update fails as well: every update fails from some time on. */
async function stopIfDown(users: Users): Promise<void> {
  const exchange = await update(users, users.target.inputs.userId, ['name']);
  if (!isFailure(exchange)) return;
  const { status } = exchange.response;
  const count = users.target.log.length;
  throw new Stopped(`After ${count} requests, every update gets ${status}; the run stopped there.`, 'stopped', {
    fault: statusFault(exchange, [200], { how: `that the suite sent after ${count} requests, like every later one,` }),
    requirement: PLAIN.accepted,
    aspect: 'accepted',
    exchanges: [exchange],
  });
}
