import { expect, it } from 'vitest';
import { tool } from '../support/process.ts';
import { ROOT } from '../support/repository.ts';

it('what is generated from openapi.yaml is up to date (else run: npm run generate)', async () => {
  const { code, stderr } = await tool('scripts/contract/generate.mjs', ['--check'], { folder: ROOT });
  expect(code, stderr).toBe(0);
});
