import { type Exchange, isDisturbance } from '../facts/exchange.ts';
import type { Updatable } from './differences.ts';
import { Stopped } from '../facts/outcome.ts';
import type { Target } from './target.ts';
import { statusInWords } from '../engine/words.ts';

/**
 * Gives the users new values, so that a second search for a fault does not find leftovers of the first.
 *
 * @param lane the id of the only user that is meant, while others are updated
 */
export async function renewUsers(target: Target, lane?: string): Promise<void> {
  if (!target.isUsable) return;
  const ids = lane === undefined ? target.ids : [lane];
  const exchanges: Exchange[] = [];
  for (const id of ids) exchanges.push(await update(target, id));
  for (const each of exchanges) target.noteFailed(each, lane !== undefined);
  if (lane !== undefined) return;
  if (exchanges.every(isFailure)) await stopIfDown(target);
  await target.state();
  // What an earlier fault left behind is no second one.
  target.audit.conclude(() => false);
}

const update = (target: Target, id: string, members?: readonly Updatable[]): Promise<Exchange> =>
  target.send(target.request('updateUser', id, { text: JSON.stringify(target.newValues(id, members)) }));

const isFailure = ({ response }: Exchange): boolean => response.status >= 500 && !isDisturbance(response);

/** Ends the run if the plainest update fails as well: every update fails from some time on. */
async function stopIfDown(target: Target): Promise<void> {
  const exchange = await update(target, target.inputs.userId, ['name']);
  if (!isFailure(exchange)) return;
  const title = `After ${target.log.length} requests, every update gets ${exchange.response.status}`;
  throw new Stopped(`${title}; the run stopped there.`, 'stopped', {
    ...{ title, expected: '200', actual: statusInWords(exchange.response) },
    ...{ check: '', requirement: 'update.success-is-200', aspect: 'accepted', exchanges: [exchange] },
  });
}
