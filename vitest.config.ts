import { defineConfig } from 'vitest/config';
import { slowness } from './test/support/patience.ts';

/** ms. It ends only what hangs: no test passes or fails for it. */
const HANGS = Math.round(900_000 * slowness());

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'openapi-judge/test/**/*.test.ts'],
    // On two cores vitest takes one by default; much of the time is waiting.
    maxWorkers: 2,
    // No test changes a module or the environment, so that a process loads the modules once for all its files.
    isolate: false,
    globalSetup: ['test/build-once.ts'],
    testTimeout: HANGS,
    hookTimeout: HANGS,
    teardownTimeout: HANGS,
  },
});
