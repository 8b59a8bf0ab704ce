import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The exam of the judge of contract changes and its own table, complete: its own
// rules, and with `redocly diff` beside them (some ten minutes).
// A pattern as argument asks only the pairs of the exam whose names match.
// Prints both score sheets; the exit code is 0 if every pair was judged right.
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const [pattern = ''] = process.argv.slice(2);
const files = ['test/contract-gate/exam.test.ts', ...(pattern === '' ? ['test/contract-gate/diff/judge.test.ts'] : [])];
const child = spawn(process.execPath, [vitest, 'run', ...files, '--reporter=dot'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, EXAM: 'complete', EXAM_ONLY: pattern },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
