import { defineConfig } from 'vitest/config';

/** For `npm run mutants`: of each module that it mutates, the one test file that has to notice. Without a build. */
export default defineConfig({
  test: {
    include: [
      'test/conformance/{verdict,scoring,user-state,request-guard,selection,redact,credentials}.test.ts',
      'test/conformance/checks/{judging,refusal}.test.ts',
      'test/contract/validators.test.ts',
    ],
    testTimeout: 30_000,
  },
});
