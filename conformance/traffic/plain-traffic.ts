import type { Attempt, AttemptEvidence, Blocked } from '../judging/check.ts';
import { BANNERS } from '../operations/list-banners/checks.ts';
import { isAccepted } from '../http/exchange.ts';
import type { RequestBuilder } from '../target/requests.ts';
import { blockedBy, mayBeOperatorsMistake, type Send } from './user-session.ts';

export interface BannersLaneEvidence {
  readonly attempts: ReadonlyMap<string, AttemptEvidence>;
  readonly inexistent: ReadonlySet<string>;
  readonly blocked?: Blocked;
}

/** The traffic on banners. No attempt depends on another, so all of them begin at once. */
export async function runBannersLane(
  attempts: readonly Attempt[],
  requests: RequestBuilder,
  send: Send,
): Promise<BannersLaneEvidence> {
  const collected = new Map<string, AttemptEvidence>();
  const inexistent = new Set<string>();
  await Promise.all(
    attempts.map(async ({ id, build, times = 1 }) => {
      for (let time = 0; time < times; time += 1) {
        const request = build(requests, time);
        if (!request) {
          inexistent.add(id);
          return;
        }
        const exchange = await send(request);
        collected.set(id, { exchanges: [...(collected.get(id)?.exchanges ?? []), exchange] });
      }
    }),
  );
  const [control] = collected.get(BANNERS.id)?.exchanges ?? [];
  const refused = control && !isAccepted(control) && mayBeOperatorsMistake(control);
  return { attempts: collected, inexistent, ...(refused ? { blocked: blockedBy(control) } : {}) };
}
