import { setTimeout } from 'node:timers/promises';
import { inject, type RunnerTestCase, TestRunner } from 'vitest';
import { countHits, stepsOf, withMutant } from './switch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many mutants there are. */
    readonly mutants: number;
    /** Those to run the tests with. */
    readonly chosen: readonly number[];
  }
  interface TaskMeta {
    /** The mutants that a test fails for. */
    killed?: readonly number[];
  }
}

/** ms. A test that waits longer fails: the change keeps it from its end. */
const WAIT = 10_000;
/** Steps. A test that takes more is not run again for each mutant that it reaches. */
const MOST = 20_000;

/** Mutants that no test has failed for by now. */
const left = new Set(inject('chosen'));

async function tooLate(): Promise<never> {
  await setTimeout(WAIT, undefined, { ref: false });
  throw new Error('The test waits for what does not come.');
}

/** Runs each test once more for each mutant that it reaches and that none failed for before. */
export default class MutantRunner extends TestRunner {
  /** As it is; then to see what it reaches; then with each of these. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const act = TestRunner.getTestFn(test);
    await act();
    const stop = countHits(inject('mutants'));
    await act();
    const hits = stop();
    if (stepsOf(hits) > MOST) return;
    const own: number[] = [];
    for (const id of [...left].filter((each) => hits[each])) {
      try {
        await withMutant(id, hits, () => Promise.race([act(), tooLate()]));
      } catch {
        left.delete(id);
        own.push(id);
      }
    }
    test.meta.killed = own;
  }
}
