import { shuffle } from '../../conformance/run/shuffle.ts';

/** Whether the long examinations take every example (`npm run test:nightly`) or a sample. */
export const complete = process.env.MODE === 'complete';

/** Which sample: another one for another seed. */
const SEED = Number(process.env.TEST_SEED ?? 1);

/** How a property is examined with random examples: by the seed in `TEST_SEED`, and with twenty times as many in the nightly run. */
export function examples(many: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: SEED, numRuns: complete ? many * 20 : many };
}

/**
 * Some of many examples that resemble each other, by the seed in `TEST_SEED`; every one in the nightly run.
 *
 * @param many how many suffice where all have passed before
 */
export function sample<T>(items: readonly T[], many: number): readonly T[] {
  return complete ? items : shuffle(items, (item) => JSON.stringify(item), SEED).slice(0, many);
}
