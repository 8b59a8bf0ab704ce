import { groupedBy } from '../../common/text.ts';
import { type Exchange, isAccepted } from '../http/exchange.ts';
import { type Probe, requestOf } from '../model/recording/items.ts';
import type { TrafficContext } from './operation.ts';
import { isOfState } from '../model/recording/view.ts';

/**
 * Does one part of the traffic. What the suite throws there is kept for the checks that use this part; an error of the file
 * system (the journal) is thrown on.
 */
export async function sparingOthers(errors: Map<string, Error>, id: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error) || 'syscall' in error) throw error;
    errors.set(id, error);
  }
}

type ProbeContext = Pick<TrafficContext, 'requests' | 'send' | 'running' | 'log'>;

/** Sends probes, and collects what came of them. */
export type ProbeSender = ReturnType<typeof makeProbeSender>;

export function makeProbeSender({ requests, send, running, log }: ProbeContext) {
  const { notBuildable, errors } = log;
  const collected = new Map<string, readonly Exchange[]>();
  const sentAhead = new Set<Probe>();
  const exchangesOf = ({ id }: Probe): readonly Exchange[] => collected.get(id) ?? [];
  const sendSome = async (probe: Probe, from: number, end: number, again = false): Promise<void> => {
    const { id, phase = 'refuse' } = probe;
    for (let time = from; time < end && running(); time += 1) {
      const request = requestOf(probe, requests, time);
      if (!request) {
        notBuildable.add(id);
        return;
      }
      const exchange = await send({ ...request, item: id, phase, ...(again && { again }) });
      collected.set(id, [...(collected.get(id) ?? []), exchange]);
      // What must be refused is not sent again once it was accepted.
      if (exchange.request.due.class === 'refuse' && isAccepted(exchange)) return;
    }
  };
  /** Sends a probe as often as it says, one after the other. Throws only what every probe would meet, such as a full disk. */
  const sendProbe = (probe: Probe, again = false): Promise<void> =>
    sparingOthers(errors, probe.id, async () => {
      const isBegun = sentAhead.delete(probe);
      if (isBegun && exchangesOf(probe).some(isAccepted)) return;
      await sendSome(probe, isBegun ? 1 : 0, probe.times ?? 1, again);
    });
  /** Sends probes concurrently, but the last that may be fatal after them: a target that ends at it would leave them without a response. */
  const sendAll = async (probes: readonly Probe[]): Promise<void> => {
    const last = probes.findLast(({ phase }) => phase === 'fatal');
    await Promise.all(probes.filter((probe) => probe !== last).map((probe) => sendProbe(probe)));
    if (last) await sendProbe(last);
  };
  /** Sends the first request of a probe that has several, so that the run is shorter; `sendProbe` then sends the others. */
  const sendAhead = (probe: Probe): Promise<void> =>
    sparingOthers(errors, probe.id, async () => {
      if ((probe.times ?? 1) === 1) return;
      sentAhead.add(probe);
      await sendSome(probe, 0, 1);
    });
  const statusOfState = (probe: Probe): number | undefined => exchangesOf(probe).find(isOfState)?.response?.status;
  /** Sends a probe again, in place of what it got with such a status; tells whether it got another one. */
  const sendAlone = async (probe: Probe): Promise<boolean> => {
    const [before, status] = [exchangesOf(probe), statusOfState(probe)];
    const kept = before.filter((exchange) => !isOfState(exchange));
    collected.set(probe.id, kept);
    await sendProbe(probe, true);
    const hasResponse = exchangesOf(probe)
      .slice(kept.length)
      .some(({ response }) => response);
    if (!hasResponse) collected.set(probe.id, before);
    return statusOfState(probe) !== status;
  };
  /**
   * Sends probes again by themselves that got a status of the target's state, if some of those with this status get another one
   * then: the target refuses what comes while it changes the user.
   */
  const sendContendedAlone = async (probes: readonly Probe[]): Promise<void> => {
    const refused = probes.filter((probe) => statusOfState(probe) !== undefined);
    for (const [, some] of groupedBy(refused, (probe) => String(statusOfState(probe)))) {
      const samples = [...new Set([0, some.length >> 1, some.length - 1])].flatMap((index) => some[index] ?? []);
      let isContended = false;
      for (const probe of samples) isContended = (await sendAlone(probe)) || isContended;
      const others = isContended ? some.filter((probe) => !samples.includes(probe)) : [];
      for (const probe of others) await sendAlone(probe);
    }
  };
  return { exchangesOf, sendProbe, sendAll, sendAhead, sendContendedAlone };
}
