import { isAccepted } from '../http/exchange.ts';
import type { ProbeEvidence } from '../judging/evidence.ts';
import type { Probe } from '../judging/traffic.ts';
import type { TrafficContext } from './operation.ts';

/** Sends probes, and collects what came of them. */
export interface ProbeSender {
  readonly collected: ReadonlyMap<string, ProbeEvidence>;
  readonly notBuildable: ReadonlySet<string>;
  /** Sends a probe as often as it says, one after the other. */
  readonly sendProbe: (probe: Probe) => Promise<void>;
}

export function makeProbeSender({
  requests,
  send,
  running,
}: Pick<TrafficContext, 'requests' | 'send' | 'running'>): ProbeSender {
  const collected = new Map<string, ProbeEvidence>();
  const notBuildable = new Set<string>();
  const sendProbe = async ({ id, times = 1, build, untilAccepted }: Probe): Promise<void> => {
    for (let time = 0; time < times && running(); time += 1) {
      const request = build(requests, time);
      if (!request) {
        notBuildable.add(id);
        return;
      }
      const exchange = await send(request);
      collected.set(id, { exchanges: [...(collected.get(id)?.exchanges ?? []), exchange] });
      if (untilAccepted && isAccepted(exchange)) return;
    }
  };
  return { collected, notBuildable, sendProbe };
}
