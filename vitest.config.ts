import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // On two cores vitest takes one by default; much of the time is waiting.
    maxWorkers: 2,
    globalSetup: ['test/build-once.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
