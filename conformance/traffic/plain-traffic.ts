import type { Probe, ProbeEvidence, Blocked } from '../judging/check.ts';
import { BANNERS } from '../operations/list-banners/checks.ts';
import { isAccepted } from '../http/exchange.ts';
import type { RequestBuilder } from '../target/requests.ts';
import { blockedBy, mayBeOperatorsMistake, type Send } from './user-session.ts';

export interface BannersLaneEvidence {
  readonly probes: ReadonlyMap<string, ProbeEvidence>;
  readonly notBuildable: ReadonlySet<string>;
  readonly blocked?: Blocked;
}

/** The traffic on banners. No probe depends on another, so all of them begin at once. */
export async function runBannersLane(
  probes: readonly Probe[],
  requests: RequestBuilder,
  send: Send,
): Promise<BannersLaneEvidence> {
  const collected = new Map<string, ProbeEvidence>();
  const notBuildable = new Set<string>();
  await Promise.all(
    probes.map(async ({ id, build, times = 1 }) => {
      for (let time = 0; time < times; time += 1) {
        const request = build(requests, time);
        if (!request) {
          notBuildable.add(id);
          return;
        }
        const exchange = await send(request);
        collected.set(id, { exchanges: [...(collected.get(id)?.exchanges ?? []), exchange] });
      }
    }),
  );
  const [control] = collected.get(BANNERS.id)?.exchanges ?? [];
  const refused = control && !isAccepted(control) && mayBeOperatorsMistake(control);
  return { probes: collected, notBuildable, ...(refused ? { blocked: blockedBy(control) } : {}) };
}
