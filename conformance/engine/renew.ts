/** Gives the users new values between two checks, and forgets what an earlier fault left behind. */
import { renewUsers } from '../users/renew.ts';
import type { Session } from './session.ts';

/**
 * Gives the users new values, so that a second search for a fault does not find leftovers of the first.
 *
 * @param lane the id of the only user that is meant, while others are updated
 * @throws Stopped if every update fails from some time on
 */
export async function renew({ users, audit }: Session, lane?: string): Promise<void> {
  await renewUsers(users, lane);
  // What an earlier fault left behind is no second one.
  if (lane === undefined) audit.conclude(() => false);
}
