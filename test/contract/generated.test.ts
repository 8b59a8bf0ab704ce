import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('what is generated from openapi.yaml is up to date (else run: npm run generate)', () => {
  const script = fileURLToPath(new URL('../../scripts/generate-contract.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});
