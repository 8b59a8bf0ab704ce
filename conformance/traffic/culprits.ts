import { groupedBy } from '../../common/text.ts';

/** A request that can be sent again to find out what it changes. */
export interface Candidate {
  readonly id: string;
  /** Of candidates that have this in common, one is found. */
  readonly kind: string;
  readonly send: () => Promise<unknown>;
}

/** Sends candidates again concurrently, and gives what changed. */
export type ChangesOf<T> = (candidates: readonly Candidate[]) => Promise<readonly T[]>;

/**
 * Finds candidates that change something, by halving: all are sent again, then those of a kind, then half of these, until one is
 * left.
 *
 * @returns what each changed when it was sent by itself
 */
export async function findCulprits<T>(
  candidates: readonly Candidate[],
  changesOf: ChangesOf<T>,
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
