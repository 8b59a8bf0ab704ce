import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { judgeIndependent, proveIndependent } from '../../proof/independent.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('a server written independently, in Python (skipped only without python3)', () => {
  it('passes as it is, and its users are restored', async () => {
    const { result, isRestored } = await judgeIndependent('itself');
    expect([result.findings, isRestored]).toEqual([[], true]);
  });

  it('is found faulty where it is', async () => {
    const gates = await proveIndependent(['auth-missing-accepted', 'auth-banners-open', 'empty-body-refused']);
    expect(gates.map(({ of, faults }) => [of, faults])).toEqual([
      [2, []],
      [0, []],
      [1, []],
    ]);
  });
});
