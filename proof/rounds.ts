// Judges the conforming variants in which chance or time has a part many times: a verdict must not depend on it.
import { mapBounded } from '../common/pool.ts';
import type { Gate } from './gate.ts';
import { brokenIn, errorsIn, judgeServer, told } from './judge.ts';
import type { Variant } from './server.ts';

/** Runs at once: most of the time of some is waiting. */
const AT_ONCE = 4;

/** What the runs against one variant said that did not pass. */
interface Rounds {
  readonly id: string;
  /** One line for each run in which the variant failed. */
  readonly failed: readonly string[];
  /** One line for each run without a verdict. */
  readonly inconclusive: readonly string[];
}

async function judgeOften(variant: Variant, rounds: number): Promise<Rounds> {
  const runs = await mapBounded(Array.from({ length: rounds }), AT_ONCE, () => judgeServer(variant));
  const results = runs.map(({ result }) => result);
  const hasFailed = (result: (typeof results)[number]): boolean =>
    brokenIn(result).length > 0 || errorsIn(result).length > 0;
  const failed = results.filter(hasFailed);
  const unclear = results.filter((result) => result.verdict !== 'passed' && !hasFailed(result));
  return { id: variant.id, failed: failed.map(told), inconclusive: unclear.map(told) };
}

/**
 * Judges each variant so many times.
 *
 * @returns a gate for each: no run fails; runs without a verdict are told, and count as missed
 */
export async function proveRounds(variants: readonly Variant[], rounds: number): Promise<Gate[]> {
  const gates: Gate[] = [];
  for (const variant of variants) {
    const { id, failed, inconclusive } = await judgeOften(variant, rounds);
    gates.push({ title: `${id}: runs that pass`, of: rounds, known: inconclusive, faults: failed });
  }
  return gates;
}
