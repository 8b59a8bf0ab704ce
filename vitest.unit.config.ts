import { defineConfig } from 'vitest/config';

/** The tests that need neither a build nor a socket nor another process: those against which mutants are run. */
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts', 'test/contract/requirements.test.ts', 'test/contract/validators.test.ts'],
    testTimeout: 30_000,
    exclude: ['test/conformance/curl.test.ts', 'test/conformance/targets.test.ts'],
  },
});
