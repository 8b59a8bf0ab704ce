import { isAccepted } from '../http/exchange.ts';
import { blockedBy, mayBeOperatorsMistake } from './blocked.ts';
import type { RunTraffic } from './operation.ts';
import { makeProbeSender } from './probes.ts';
import type { Send } from './send.ts';

/** Sends all probes concurrently: none of them depends on another, and updates, which do, go first. The operation is blocked if its control is refused. */
export const runPlainTraffic: RunTraffic = async (context, { control }) => {
  const send: Send = (request) => context.send(request, { behind: true });
  const { collected, notBuildable, errors, sendProbe } = makeProbeSender({ ...context, send });
  await Promise.all(context.probes.map(sendProbe));
  const [first] = collected.get(control.traffic.id)?.exchanges ?? [];
  const refused = first && !isAccepted(first) && mayBeOperatorsMistake(first);
  const blocked = refused ? { blocked: blockedBy(first) } : {};
  return { probes: collected, notBuildable, errors, scenarios: new Map(), batches: [], ...blocked };
};
