import { type OperationId, route } from '../../contract/document.ts';
import { isSafe, transportErrorText } from '../http/exchange.ts';
import type { Blocked, Recording, TrafficEvidence } from '../model/recording/recording.ts';
import { transportErrorReason } from '../model/reasons.ts';
import { operations, updating } from '../operations/index.ts';
import { bearerProbe, mayNeedScheme } from '../traffic/bearer-probe.ts';
import type { RequestBuilder } from '../resources/requests.ts';
import type { Operation, ReadTraffic, RunTraffic, TrafficContext, Histories } from '../traffic/operation.ts';
import { makeReadTraffic, runPlainTraffic } from '../traffic/plain-traffic.ts';
import { runWriteTraffic } from '../traffic/write-traffic.ts';
import type { RunOptions } from './events.ts';
import type { Prepared } from './prepare.ts';
import { earlierThan, turnOf } from './turns.ts';
import { subjectWords } from '../resources/inputs.ts';
import { updatedResource } from '../resources/index.ts';

const TURNS = operations.map(turnOf);

const NO_TRAFFIC: TrafficEvidence = {
  notBuildable: new Set(),
  errors: new Map(),
  more: new Set(),
};

/** What the traffic of a run has shown. */
export type Collected = Awaited<ReturnType<typeof collect>>;

/** A refusal that may mean a wrong base URL or key does not block an operation if another one shows that both are right. */
function blockedOperations(
  collected: ReadonlyMap<OperationId, TrafficEvidence>,
  baseUrlAndKeyAreRight: (operation: OperationId) => boolean,
): Partial<Record<OperationId, Blocked>> {
  return Object.fromEntries(
    [...collected].flatMap(([operation, { blocked }]) => {
      const refused = blocked?.exchange?.response !== undefined;
      return blocked && !(refused && baseUrlAndKeyAreRight(operation)) ? [[operation, blocked]] : [];
    }),
  );
}

function merged(collected: ReadonlyMap<OperationId, TrafficEvidence>): Omit<TrafficEvidence, 'blocked'> {
  const all = [...collected.values()];
  const exploration = all.find((each) => each.exploration)?.exploration;
  return {
    notBuildable: new Set(all.flatMap(({ notBuildable }) => [...notBuildable])),
    errors: new Map(all.flatMap(({ errors }) => [...errors])),
    more: new Set(all.flatMap(({ more }) => [...more])),
    ...(exploration ? { exploration } : {}),
  };
}

type OnEvent = NonNullable<RunOptions['onEvent']>;

/** What the traffic of one operation works with; undefined if nothing of it is planned. */
function contextOf(
  { plan, traffic, explores }: Prepared,
  { id }: Operation,
  reads: readonly ReadTraffic[],
  onEvent: OnEvent,
): TrafficContext | undefined {
  const planned = plan.get(id) ?? (explores && id === updating.id ? { probes: [], scenarios: [] } : undefined);
  const onStage = (text: string): void => {
    onEvent({ type: 'stage', operation: id, text });
  };
  return planned && { ...traffic, ...planned, reads, onStage };
}

function operationsBefore({ id }: Operation): readonly Operation[] {
  const turn = TURNS.find((each) => each.id === id);
  const earlier = turn ? earlierThan(turn, TURNS).map((each) => each.id) : [];
  return operations.filter((each) => earlier.includes(each.id));
}

/** How the traffic of an operation is sent: by what it writes. */
function trafficOf({ id, effect }: Operation, { updated }: Prepared): RunTraffic {
  if (isSafe(route(id))) return runPlainTraffic;
  return effect?.resource === updatedResource.id ? updated.run : runWriteTraffic;
}

/**
 * Sends the traffic of every operation: concurrently, but for those that come after others. What only reads is sent while the
 * first operation that writes waits for nothing to change. Last comes what may be fatal.
 */
async function sendAll(prepared: Prepared, onEvent: OnEvent) {
  const planned = operations.filter((each) => contextOf(prepared, each, [], onEvent));
  const writer = planned.find((each) => {
    const before = operationsBefore(each);
    return !isSafe(route(each.id)) && !before.some((other) => planned.includes(other));
  });
  const reads = planned.flatMap((each) => {
    const context = contextOf(prepared, each, [], onEvent);
    const isRead = isSafe(route(each.id)) && operationsBefore(each).length === 0;
    return context && isRead ? [makeReadTraffic(context, each)] : [];
  });
  const begun = new Map<OperationId, ReturnType<RunTraffic>>();
  const send = async (operation: Operation): ReturnType<RunTraffic> => {
    const read = reads.find((each) => each.operation === operation);
    const before = read && writer ? [writer] : operationsBefore(operation);
    await Promise.allSettled(before.map(begin));
    if (read) return read.finish();
    const context = contextOf(prepared, operation, operation === writer ? reads : [], onEvent);
    return context ? trafficOf(operation, prepared)(context, operation) : { evidence: NO_TRAFFIC };
  };
  const begin = (operation: Operation): ReturnType<RunTraffic> => {
    const own = begun.get(operation.id) ?? send(operation);
    begun.set(operation.id, own);
    return own;
  };
  await Promise.allSettled(operations.map(begin));
  const collected = new Map<OperationId, TrafficEvidence>();
  const errors: Error[] = [];
  for (const operation of operations) {
    try {
      const { evidence, sendFatal } = await begin(operation);
      collected.set(operation.id, (await sendFatal?.()) ?? evidence);
    } catch (error) {
      // An error of the suite or of the file system.
      collected.set(operation.id, NO_TRAFFIC);
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
  return `the target accepted no connection for ${(ms / 1000).toFixed(1)} s`;
}

/** Sends the traffic of the run, and gives what it showed. */
export async function collect(prepared: Prepared, { onEvent = () => undefined, settle = 0 }: RunOptions) {
  const { inputs, plan, selected, expected, requests, send, client, stop, histories, updated, explores } = prepared;
  onEvent({ type: 'planned', checks: selected.length, requests: expected });
  const addressed = operations.filter(({ id }) => plan.has(id) || (explores && id === updating.id));
  const probe = bearerProbe(requests, addressed);
  if (probe) onEvent({ type: 'conditional', request: probe, when: 'the admin key is refused each time' });

  const { collected, thrown } = await sendAll(prepared, onEvent);
  // No check judges it: only the hints use it. It is sent if the target refused the admin key each time.
  const before = [...client.exchanges];
  const bearer = probe && mayNeedScheme(before) && !stop.aborted ? await send(probe) : undefined;
  const lastReadings = await updated.readLast(settle, stop);
  const exchanges = client.exchanges.filter((each) => each !== bearer);
  const frozen = new Map([...histories].map(([subject, history]) => [subject, [...history]]));
  const isUpdated = (frozen.values().next().value ?? []).length > 0;
  await client.close();
  const [away, givenUp] = [client.awayFor(), client.givenUp()];

  const recording: Recording = {
    inputs,
    exchanges,
    lastReadings,
    restoring: [],
    ...merged(collected),
    blocked: blockedOperations(collected, (operation) => operation !== updating.id && isUpdated),
    stopped: stop.aborted,
    ...(givenUp && {
      givenUp: { reason: transportErrorReason(givenUp.kind), detail: transportErrorText(givenUp) },
    }),
    disturbed: disturbance(frozen, requests) ?? (away > 0 ? awayText(away) : undefined),
  };
  return { recording, thrown, bearer };
}
