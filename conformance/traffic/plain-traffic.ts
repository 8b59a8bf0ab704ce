import type { Probe } from '../model/recording/items.ts';
import { blockedBy, mayBeOperatorsMistake } from './blocked.ts';
import type { Operation, ReadTraffic, Send, TrafficContext } from './operation.ts';
import { makeProbeSender } from './probes.ts';

/** Makes the traffic of an operation that changes nothing. The operation is blocked if its control is refused. */
export function makeReadTraffic(context: TrafficContext, operation: Operation): ReadTraffic {
  const { control, snapshot } = operation;
  const behind: Send = (request) => context.send(request, { behind: true });
  const { exchangesOf, sendProbe, sendAll } = makeProbeSender({ ...context, send: behind });
  const snapshotProbe = context.probes.find((probe) => probe === snapshot?.probe);
  const others = context.probes.filter((probe) => probe !== snapshotProbe);
  const ordinary = others.filter(({ phase }) => phase !== 'fatal');
  const takeSnapshots: ReadTraffic['takeSnapshots'] = async (times) => {
    if (!snapshotProbe) return [];
    await sendProbe({ ...snapshotProbe, times });
    return exchangesOf(snapshotProbe).slice(-times);
  };
  let sent: Promise<void> | undefined;
  const sendOthers = (): Promise<void> => (sent ??= sendAll(ordinary));
  const finish: ReadTraffic['finish'] = async () => {
    const left = snapshotProbe ? (snapshotProbe.times ?? 1) - exchangesOf(snapshotProbe).length : 0;
    await Promise.all([sendOthers(), left > 0 && takeSnapshots(left)]);
    const [first] = exchangesOf(control.traffic as Probe);
    const blocked = first && mayBeOperatorsMistake(first) ? blockedBy(first) : undefined;
    return { blocked, sendFatal: () => sendAll(others.filter(({ phase }) => phase === 'fatal')) };
  };
  return { operation, probes: ordinary, sendProbe, exchangesOf, takeSnapshots, sendOthers, finish };
}
