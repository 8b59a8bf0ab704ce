import type { Exchange } from '../http/exchange.ts';
import { Down } from './outcome.ts';
import { isDisturbance, type Target } from './target.ts';

/**
 * Gives the users new values, so that a second search for a fault does not find leftovers of the first.
 *
 * @param ids of the users; default all. What responses break here counts only if all are renewed, and then not at all
 */
export async function renewUsers(target: Target, ids: readonly string[] = target.ids): Promise<void> {
  if (!target.isUsable) return;
  const found = target.audit.found;
  const { fresh, inputs } = target;
  const renew = async (id: string): Promise<Exchange> => {
    const role = inputs.roleIds && { rootRole: target.newRole(id) };
    return target.send(target.readingOf(id, JSON.stringify({ name: fresh.name(), email: fresh.email(), ...role })));
  };
  const exchanges = await Promise.all(ids.map(renew));
  for (const each of exchanges) target.noteFailed(each);
  if (ids.length < target.ids.length) return;
  if (exchanges.every(isFailure)) await stopIfDown(target);
  await target.state();
  target.audit.dropAfter(found);
}

const isFailure = ({ response }: Exchange): boolean => response.status >= 500 && !isDisturbance(response);

/** @throws Down if the plainest update fails as well */
async function stopIfDown(target: Target): Promise<void> {
  const body = JSON.stringify({ name: target.fresh.name() });
  const exchange = await target.send(target.readingOf(target.inputs.userId, body));
  if (isFailure(exchange)) throw new Down(exchange, target.requests);
}
