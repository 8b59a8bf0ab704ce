import { isAccepted } from '../http/exchange.ts';
import { blockedBy, mayBeOperatorsMistake } from './blocked.ts';
import type { RunTraffic } from './operation.ts';
import { makeProbeSender } from './probes.ts';
import type { Send } from './send.ts';

/**
 * Sends all probes concurrently: none of them depends on another, and updates, which do, go first. The operation is blocked
 * if its control is refused.
 */
export const runPlainTraffic: RunTraffic = async (context, { control }) => {
  const behind: Send = (request) => context.send(request, { behind: true });
  const { collected, notBuildable, errors, sendProbe } = makeProbeSender({ ...context, send: behind });
  const send = (fatal: boolean): Promise<unknown> =>
    Promise.all(context.probes.filter(({ mayBeFatal = false }) => mayBeFatal === fatal).map(sendProbe));
  await send(false);
  const [first] = collected.get(control.traffic.id)?.exchanges ?? [];
  const refused = first && !isAccepted(first) && mayBeOperatorsMistake(first);
  const blocked = refused ? { blocked: blockedBy(first) } : {};
  const evidence = { probes: collected, notBuildable, errors, scenarios: new Map(), batches: [], ...blocked };
  return { evidence, sendFatal: () => send(true).then(() => evidence) };
};
