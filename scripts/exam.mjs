import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The exam of the judge of contract changes, complete: its own rules, and with `redocly diff` beside them (some ten minutes).
// A pattern as argument asks only the pairs whose names match.
// Prints both score sheets; the exit code is 0 if every pair was judged right.
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', 'test/contract-gate/exam.test.ts', '--reporter=dot'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, EXAM: 'complete', EXAM_ONLY: process.argv[2] ?? '' },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
