import type { Exchange } from '../http/exchange.ts';
import type { SideEffect, SideEffectEvidence } from '../judging/evidence.ts';
import { type Candidate, findCulprits } from './culprits.ts';
import type { ReadTraffic } from './operation.ts';

/** A candidate whose response is known. */
export interface SideEffectCandidate extends Candidate {
  readonly send: () => Promise<Exchange | undefined>;
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

/** Whether a candidate changes the snapshot each time it is sent, and nothing does when it is not. */
async function confirm(read: ReadTraffic, { send }: SideEffectCandidate): Promise<SideEffect | undefined> {
  let found: SideEffect | undefined;
  let [before] = await read.takeSnapshots(1);
  for (const sent of SENT) {
    // A snapshot in its place takes about as long.
    const [cause] = sent ? [await send()] : await read.takeSnapshots(1);
    const [after] = await read.takeSnapshots(1);
    if (!before || !cause || !after || differs(read, [before, after]) !== sent) return undefined;
    found ??= { cause, before, after };
    before = after;
  }
  return found;
}

/** Those of the candidates that change the snapshot; of each kind, one. */
async function culpritsAmong(
  read: ReadTraffic,
  candidates: readonly SideEffectCandidate[],
  running: () => boolean,
): Promise<readonly SideEffectCandidate[]> {
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
 * @returns undefined if the snapshots are the same
 */
export async function findSideEffects(
  read: ReadTraffic,
  update: SideEffectCandidate | undefined,
  refused: readonly SideEffectCandidate[],
  running: () => boolean,
): Promise<SideEffectEvidence | undefined> {
  const { snapshot } = read.operation;
  if (!snapshot || !running() || !differs(read, read.exchangesOf(snapshot.probe))) return undefined;
  const quiet = await read.takeSnapshots(snapshot.probe.times ?? 1);
  if (differs(read, quiet)) return { quiet, found: [] };
  const found = update ? [await confirm(read, update)] : [];
  if (!found[0]) for (const each of await culpritsAmong(read, refused, running)) found.push(await confirm(read, each));
  return { quiet, found: found.filter((each) => each !== undefined) };
}
