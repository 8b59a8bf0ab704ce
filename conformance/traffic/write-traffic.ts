import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange.ts';
import type { Probe } from '../model/recording/items.ts';
import { namedAs } from '../resources/inputs.ts';
import { blockedBy, mayBeOperatorsMistake } from './blocked.ts';
import type { RunTraffic } from './operation.ts';
import { makeProbeSender } from './probes.ts';
import { findCulprits, kindOf } from './side-effects.ts';

/**
 * The traffic of an operation that writes what has no sessions: it is read first, so that it can be restored; then come the
 * requests that must be accepted, one after the other, and all refusals concurrently between two readings. If something
 * changed, the refusals are sent again in ever smaller groups.
 */
export const runWriteTraffic: RunTraffic = async (context, { id: operation, control, effect }) => {
  const { probes, requests, send, running, enter, onStage } = context;
  const sender = makeProbeSender(context);
  const kept = context.kept.filter(({ subject }) => namedAs(subject)?.resource === effect?.resource);
  let lastRead: Exchange | undefined;
  const read = async (): Promise<unknown[]> => {
    const shown: unknown[] = [];
    for (const { id, reading, shownIn } of kept) {
      const request = reading(requests);
      lastRead = request && (await send(request));
      shown.push(lastRead && shownIn(lastRead, id));
    }
    return shown;
  };
  const inPhase = (wanted: Probe['phase']): readonly Probe[] =>
    probes.filter(({ phase = 'refuse' }) => phase === wanted);

  onStage(`reading what ${operation} writes`);
  const isShown = !(await read()).includes(undefined);
  if (!running()) return {};
  if (lastRead?.transportError) return { blocked: blockedBy(lastRead) };
  if (!isShown) {
    const detail = `the target does not show what ${operation} would write, so nothing of it can be restored`;
    return { blocked: { reason: 'not-observable', detail, ...(lastRead && { exchange: lastRead }) } };
  }
  const changed = async (act: () => Promise<unknown>): Promise<readonly unknown[]> => {
    // Values that the refusals might revert.
    for (const probe of inPhase('control')) await sender.sendProbe(probe);
    const before = await read();
    await act();
    const after = await read();
    return before.filter((each, index) => !isDeepStrictEqual(each, after[index]));
  };
  enter('control');
  await changed(() => Promise.resolve());
  const [first]: readonly Exchange[] = sender.exchangesOf(control.traffic as Probe);
  if (first && mayBeOperatorsMistake(first)) {
    await Promise.all(probes.filter(({ due }) => due?.exists !== undefined).map((each) => sender.sendProbe(each)));
    return { blocked: blockedBy(first) };
  }
  enter('refuse');
  const refusals = inPhase('refuse');
  const sendAll = (some: readonly Probe[]): Promise<void> =>
    sender.sendAll(some).then(() => sender.sendContendedAlone(some));
  if ((await changed(() => sendAll(refusals))).length > 0) {
    const again = refusals.map((probe) => ({
      id: probe.id,
      kind: kindOf(sender.exchangesOf(probe)),
      send: () => sender.sendProbe(probe),
    }));
    await findCulprits(again, async (some) =>
      running() ? changed(() => Promise.all(some.map((each) => each.send()))) : [],
    );
  }
  return { sendFatal: () => sendAll([...inPhase('damaging'), ...inPhase('fatal')]) };
};
