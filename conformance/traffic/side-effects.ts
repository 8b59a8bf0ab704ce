import { groupedBy } from '../../common/text.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ReadTraffic } from './operation.ts';

/** A request that can be sent again to find out what it changes. */
export interface Candidate {
  readonly id: string;
  /** Of candidates that have this in common, one is found. */
  readonly kind: string;
  readonly send: () => Promise<unknown>;
}

/** What a probe has in common with others: the operation, how it was refused, and whether its id named something. */
export function kindOf([exchange]: readonly Exchange[]): string {
  const { request, response } = exchange ?? {};
  return [request?.operation, response?.status, request?.meant.id].join(' ');
}

/**
 * Finds candidates that change something, by halving: all are sent again, then those of a kind, then half of these, until one is
 * left.
 *
 * @param changesOf sends candidates again concurrently, and gives what changed
 * @returns what each changed when it was sent by itself
 */
export async function findCulprits<T>(
  candidates: readonly Candidate[],
  changesOf: (candidates: readonly Candidate[]) => Promise<readonly T[]>,
): Promise<Map<string, readonly T[]>> {
  const culpritAmong = async (
    some: readonly Candidate[],
    changes: readonly T[],
  ): Promise<readonly [string, readonly T[]] | undefined> => {
    const [first] = some;
    if (!first || changes.length === 0) return undefined;
    if (some.length === 1) return [first.id, changes];
    const middle = Math.ceil(some.length / 2);
    const [half, rest] = [some.slice(0, middle), some.slice(middle)];
    return (await culpritAmong(half, await changesOf(half))) ?? culpritAmong(rest, await changesOf(rest));
  };
  const culprits = new Map<string, readonly T[]>();
  if ((await changesOf(candidates)).length === 0) return culprits;
  for (const [, alike] of groupedBy(candidates, ({ kind }) => kind)) {
    const culprit = await culpritAmong(alike, await changesOf(alike));
    if (culprit) culprits.set(...culprit);
  }
  return culprits;
}

/** When the candidate is sent between two snapshots, and when it is not: without a rhythm that other changes might have. */
const SENT = [true, false, true, true, false, false, true, false];

/** Whether any snapshot shows another state than the one before. */
function differs({ operation: { snapshot } }: ReadTraffic, snapshots: readonly Exchange[]): boolean {
  return snapshots.some((after, index) => {
    const before = snapshots[index - 1];
    return before !== undefined && snapshot?.difference(before, after) !== undefined;
  });
}

/** Sends a candidate between snapshots, and a snapshot in its place, in turns: the recording then tells whether it is the cause. */
async function confirm(read: ReadTraffic, { send }: Candidate): Promise<boolean> {
  let [before] = await read.takeSnapshots(1);
  for (const sent of SENT) {
    // A snapshot in its place takes about as long.
    const [cause] = sent ? [await send()] : await read.takeSnapshots(1);
    const [after] = await read.takeSnapshots(1);
    if (!before || !cause || !after || differs(read, [before, after]) !== sent) return false;
    before = after;
  }
  return true;
}

/** Those of the candidates that change the snapshot; of each kind, one. */
async function culpritsAmong(
  read: ReadTraffic,
  candidates: readonly Candidate[],
  running: () => boolean,
): Promise<readonly Candidate[]> {
  const culprits = await findCulprits(candidates, async (some) => {
    if (some.length === 0 || !running()) return [];
    const before = await read.takeSnapshots(1);
    await Promise.all(some.map(({ send }) => send()));
    const pair = [...before, ...(await read.takeSnapshots(1))];
    return differs(read, pair) ? pair : [];
  });
  return candidates.filter(({ id }) => culprits.has(id));
}

/**
 * Finds out what changes the state that a read shows, if its snapshots differ: reading it, which consecutive snapshots show; an
 * update; or else refused requests. Somebody may change it at the same time, so a request counts only if it does so each time.
 *
 * @param update undefined if none is accepted
 * @returns whether the snapshots differ
 */
export async function findSideEffects(
  read: ReadTraffic,
  update: Candidate | undefined,
  refused: readonly Candidate[],
  running: () => boolean,
): Promise<boolean> {
  const { snapshot } = read.operation;
  if (!snapshot || !running() || !differs(read, read.exchangesOf(snapshot.probe))) return false;
  const quiet = await read.takeSnapshots(snapshot.probe.times ?? 1);
  if (differs(read, quiet) || (update && (await confirm(read, update)))) return true;
  for (const each of await culpritsAmong(read, refused, running)) await confirm(read, each);
  return true;
}
