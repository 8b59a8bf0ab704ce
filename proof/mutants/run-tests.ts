import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import type { Instrumented, Mutant } from './instrument.ts';

/** The tests of the model: each is a pure function of what it makes up, or is skipped since it takes long. */
const TESTS = ['test/conformance/model/', 'test/conformance/result/fixes', 'test/conformance/result/findings'];

/** ms. It ends only what hangs. */
const HANGS = 3_600_000;

/** Those of some mutants that a unit test fails for. */
export async function killedByTests(
  { mutants, plugin }: Instrumented,
  chosen: readonly Mutant[],
): Promise<ReadonlySet<number>> {
  const vitest = await startVitest(
    'test',
    TESTS,
    {
      config: false,
      watch: false,
      reporters: [{}],
      testTimeout: HANGS,
      include: ['test/**/*.test.ts'],
      // One test at a time, and each module is loaded once.
      isolate: false,
      maxWorkers: 1,
      maxConcurrency: 1,
      execArgv: ['--no-warnings'],
      runner: fileURLToPath(new URL('test-runner.ts', import.meta.url)),
      provide: { mutants: mutants.length, chosen: chosen.map(({ id }) => id) },
    },
    { plugins: [plugin] },
  );
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap(({ children }) => [...children.allTests()]);
  await vitest.close();
  return new Set(tests.flatMap((test) => test.meta().killed ?? []));
}
