import { expect, expectTypeOf, it } from 'vitest';
import type { UpdateUser } from '../../contract/document.ts';
import { tool } from '../support/process.ts';
import { ROOT } from '../support/repository.ts';

it('what is generated from openapi.yaml is up to date (else run: npm run generate)', async () => {
  const { code, stderr } = await tool('scripts/contract/generate.mjs', ['--check'], { folder: ROOT });
  expect(code, stderr).toBe(0);
});

it('what openapi-typescript makes of the contract has a role as a number or an object, and takes no null', () => {
  expectTypeOf<{ name: string }>().toExtend<UpdateUser>();
  expectTypeOf<{ rootRole: number } | { rootRole: { id: number } }>().toExtend<UpdateUser>();
  expectTypeOf<{ name: null }>().not.toExtend<UpdateUser>();
  expectTypeOf<{ rootRole: string }>().not.toExtend<UpdateUser>();
});
