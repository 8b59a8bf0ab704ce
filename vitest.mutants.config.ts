import { defineConfig } from 'vitest/config';

/** For `npm run mutants`: of each module that it mutates, the one test file that has to notice. Without a build. */
export default defineConfig({
  test: {
    include: [
      'test/common/nearest.test.ts',
      'test/conformance/{result/verdict,result/scoring,resources/user/state,resources/request-guard,checks/selection,http/redact,http/credentials}.test.ts',
      'test/conformance/operations/negative-check.test.ts',
      'test/contract/validators.test.ts',
    ],
    testTimeout: 300_000,
  },
});
