import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('what is generated from openapi.yaml and from the checks is up to date (else run: npm run generate)', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['--import', './scripts/typescript.mjs', 'scripts/contract/generate.mjs', '--check'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});
