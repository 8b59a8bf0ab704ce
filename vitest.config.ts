import { defineConfig } from 'vitest/config';

/** ms. It ends only what hangs: no test passes or fails for it. */
const HANGS = 3_600_000;

const SITE = 'test/site/site.test.ts';
/** What users and this repository run, as it is built. */
const BUILT = ['test/{e2e,scripts}/**/*.test.ts', 'openapi-judge/test/action.test.ts'];

export default defineConfig({
  test: {
    // On two cores vitest takes one by default; much of the time is waiting.
    maxWorkers: 3,
    // Most concurrent tests wait for pauses and time-outs of a target.
    maxConcurrency: 16,
    // No test changes a module or the environment, so that a process loads the modules once for all its files.
    isolate: false,
    testTimeout: HANGS,
    hookTimeout: HANGS,
    teardownTimeout: HANGS,
    projects: [
      // Loads the sources, and builds nothing.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{test,openapi-judge/test}/**/*.test.ts'],
          exclude: [...BUILT, SITE],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: BUILT,
          globalSetup: ['test/build-once.ts'],
        },
      },
      // Builds the site with packages of its own and opens it in a browser: `npm run check:site`, a gate beside `npm test`.
      { extends: true, test: { name: 'site', include: [SITE] } },
    ],
  },
});
