import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Judges every case of openapi-judge/test/cases. A pattern as argument asks only the
// cases whose names match. The exit code is 0 if every case was judged right.
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const [pattern = ''] = process.argv.slice(2);
const args = ['run', 'openapi-judge/test/cases.test.ts', '--reporter=dot'];
const child = spawn(process.execPath, [vitest, ...args], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, CASES_ONLY: pattern },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
