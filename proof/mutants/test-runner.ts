import { setTimeout } from 'node:timers/promises';
import { inject, type RunnerTestCase, TestRunner } from 'vitest';
import { countHits, withMutant } from './switch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many mutants there are. */
    readonly mutants: number;
  }
  interface TaskMeta {
    /** The mutants that a test fails for. */
    killed?: readonly number[];
  }
}

/** ms. A test that waits longer fails: the change keeps it from its end. */
const WAIT = 10_000;
/** µs of CPU. A test that takes longer is not run again for each mutant that it reaches. */
const LONGEST = 20_000;

/** Mutants that a test failed for, by now. */
const killed = new Set<number>();

async function tooLate(): Promise<never> {
  await setTimeout(WAIT, undefined, { ref: false });
  throw new Error('The test waits for what does not come.');
}

/** Runs each test once more for each mutant that it reaches and that none failed for before. */
export default class MutantRunner extends TestRunner {
  /** As it is, to see what it reaches, and to see how long it takes; then with each of these. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const act = TestRunner.getTestFn(test);
    await act();
    const stop = countHits(inject('mutants'));
    await act();
    const hits = stop();
    const since = process.cpuUsage();
    await act();
    if (process.cpuUsage(since).user > LONGEST) return;
    const own: number[] = [];
    for (const [id, usually] of hits.entries()) {
      if (usually === 0 || killed.has(id)) continue;
      try {
        await withMutant(id, hits, () => Promise.race([act(), tooLate()]));
      } catch {
        killed.add(id);
        own.push(id);
      }
    }
    test.meta.killed = own;
  }
}
