import { type OperationId, route } from '../../contract/document.ts';
import { isSafe, transportErrorText } from '../http/exchange.ts';
import type { Blocked, Recording } from '../model/recording/recording.ts';
import { transportErrorReason } from '../model/reasons.ts';
import { operations, updating } from '../operations/index.ts';
import { bearerProbe, mayNeedScheme } from '../traffic/bearer-probe.ts';
import type { RequestBuilder } from '../resources/requests.ts';
import type { Operation, RunTraffic, Shown, TrafficContext, Histories } from '../traffic/operation.ts';
import { makeReadTraffic } from '../traffic/plain-traffic.ts';
import { runWriteTraffic } from '../traffic/write-traffic.ts';
import type { RunOptions } from './events.ts';
import type { Prepared } from './prepare.ts';
import { earlierThan, turnOf } from './turns.ts';
import { subjectWords } from '../resources/inputs.ts';
import { updatedResource } from '../resources/index.ts';

const TURNS = operations.map(turnOf);

/** What the traffic of a run has shown. */
export type Collected = Awaited<ReturnType<typeof collect>>;

/** A refusal that may mean a wrong base URL or key does not block an operation if another one shows that both are right. */
function blockedOperations(
  collected: ReadonlyMap<OperationId, Shown>,
  baseUrlAndKeyAreRight: (operation: OperationId) => boolean,
): Partial<Record<OperationId, Blocked>> {
  return Object.fromEntries(
    [...collected].flatMap(([operation, { blocked }]) => {
      const refused = blocked?.reason === 'control-refused' && blocked.exchange?.response !== undefined;
      return blocked && !(refused && baseUrlAndKeyAreRight(operation)) ? [[operation, blocked]] : [];
    }),
  );
}

type OnEvent = NonNullable<RunOptions['onEvent']>;

/** What the traffic of one operation works with; undefined if nothing of it is planned. */
function contextOf(
  { plan, traffic, explores }: Prepared,
  { id }: Operation,
  onEvent: OnEvent,
): TrafficContext | undefined {
  const planned = plan.get(id) ?? (explores && id === updating.id ? { probes: [], scenarios: [] } : undefined);
  const onStage = (text: string): void => onEvent({ type: 'stage', operation: id, text });
  return planned && { ...traffic, ...planned, reads: [], onStage };
}

function operationsBefore({ id }: Operation): readonly Operation[] {
  const turn = TURNS.find((each) => each.id === id);
  const earlier = turn ? earlierThan(turn, TURNS).map((each) => each.id) : [];
  return operations.filter((each) => earlier.includes(each.id));
}

/** How the traffic of an operation that writes is sent: by what it writes. */
function trafficOf({ effect }: Operation, { updated }: Prepared): RunTraffic {
  return effect?.resource === updatedResource.id ? updated.run : runWriteTraffic;
}

/**
 * Sends the traffic of every operation: concurrently, but for those that come after others. What only reads is sent while the
 * first operation that writes waits for nothing to change. Last comes what may be fatal.
 */
async function sendAll(prepared: Prepared, onEvent: OnEvent) {
  const contexts = new Map(operations.map((each) => [each, contextOf(prepared, each, onEvent)]));
  const isPlanned = (operation: Operation): boolean => contexts.get(operation) !== undefined;
  const writer = operations.find(
    (each) => isPlanned(each) && !isSafe(route(each.id)) && !operationsBefore(each).some(isPlanned),
  );
  const reads = new Map(
    [...contexts].flatMap(([each, context]) =>
      context && isSafe(route(each.id)) ? [[each, makeReadTraffic(context, each)] as const] : [],
    ),
  );
  const beside = [...reads].flatMap(([each, read]) => (operationsBefore(each).length === 0 ? [read] : []));
  const begun = new Map<Operation, Promise<Shown>>();
  const send = async (operation: Operation): Promise<Shown> => {
    const read = reads.get(operation);
    const before = read && beside.includes(read) && writer ? [writer] : operationsBefore(operation);
    await Promise.allSettled(before.map(begin));
    const context = contexts.get(operation);
    if (read || !context) return read?.finish() ?? {};
    const reading = operation === writer ? beside : [];
    return trafficOf(operation, prepared)({ ...context, reads: reading }, operation);
  };
  const begin = (operation: Operation): Promise<Shown> => {
    const own = begun.get(operation) ?? send(operation);
    begun.set(operation, own);
    return own;
  };
  await Promise.allSettled(operations.map(begin));
  const collected = new Map<OperationId, Shown>();
  const errors: Error[] = [];
  for (const operation of operations) {
    try {
      const shown = await begin(operation);
      await shown.sendFatal?.();
      collected.set(operation.id, shown);
    } catch (error) {
      // An error of the suite or of the file system.
      errors.push(error as Error);
    }
  }
  return { collected, thrown: errors[0] };
}

/** What shows that another run changed something during this one; values that were there before the first update do not. */
function disturbance(histories: Histories, { fresh }: RequestBuilder): string | undefined {
  const { originals, shownIn } = updatedResource;
  for (const [subject, history] of histories) {
    const before = Object.values(originals(history)).map(fresh.otherRun);
    const shown = [...new Set(history.map(shownIn))];
    const makers = shown.flatMap((each) => Object.values(each ?? {}).map(fresh.otherRun));
    const other = makers.find((maker) => maker !== undefined && !before.includes(maker));
    if (other !== undefined) return `run ${other} changed ${subjectWords(subject)} at the same time`;
  }
  return undefined;
}

/** A target that restarted may have lost what it stored. */
function awayText(ms: number): string {
  return `the target was away for ${(ms / 1000).toFixed(1)} s`;
}

/** Sends the traffic of the run, and gives what it showed. */
export async function collect(prepared: Prepared, { onEvent = () => undefined, settle = 0 }: RunOptions) {
  const { inputs, plan, selected, expected, requests, send, client, stop, histories, updated, explores, traffic } =
    prepared;
  onEvent({ type: 'planned', checks: selected.length, requests: expected });
  const addressed = operations.filter(({ id }) => plan.has(id) || (explores && id === updating.id));
  const probe = bearerProbe(requests, addressed);
  if (probe) onEvent({ type: 'conditional', request: probe, when: 'the admin key is refused each time' });

  const { collected, thrown } = await sendAll(prepared, onEvent);
  // No check judges it: only the hints use it. It is sent if the target refused the admin key each time.
  const before = [...client.exchanges];
  const bearer = probe && mayNeedScheme(before) && !stop.aborted ? await send(probe) : undefined;
  const writesElse = addressed.some(
    ({ id, effect }) => !isSafe(route(id)) && effect !== undefined && effect.resource !== updatedResource.id,
  );
  const lastReadings = await updated.readLast(settle, stop, writesElse);
  const exchanges = client.exchanges.filter((each) => each !== bearer);
  const frozen = new Map([...histories].map(([subject, history]) => [subject, [...history]]));
  const isUpdated = (frozen.values().next().value ?? []).length > 0;
  await client.close();
  const exploration = [...collected.values()].find((each) => each.exploration)?.exploration;
  const [away, givenUp] = [client.awayFor(), client.givenUp()];

  const recording: Recording = {
    inputs,
    exchanges,
    lastReadings,
    restoring: [],
    ...traffic.log,
    ...(exploration && { exploration }),
    blocked: blockedOperations(collected, (operation) => operation !== updating.id && isUpdated),
    stopped: stop.aborted,
    ...(givenUp && {
      givenUp: { reason: transportErrorReason(givenUp.kind), detail: transportErrorText(givenUp) },
    }),
    disturbed: disturbance(frozen, requests) ?? (away > 0 ? awayText(away) : undefined),
  };
  return { recording, thrown, bearer };
}
