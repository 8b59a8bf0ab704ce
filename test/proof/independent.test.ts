import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isOpen } from '../../proof/gates.ts';
import { judgeIndependent, proveIndependent } from '../../proof/independent.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('a server written independently, in Python (skipped only without python3)', () => {
  it('passes as it is, and its users are restored', async () => {
    const { result, isRestored } = await judgeIndependent('itself');
    expect(result.findings).toEqual([]);
    expect(isRestored).toBe(true);
  });

  it('is found faulty where it is', async () => {
    const names = ['auth-missing-accepted', 'auth-banners-open', 'empty-body-refused'];
    const gates = await proveIndependent((name) => names.includes(name));
    expect(gates.filter((gate) => !isOpen(gate))).toEqual([]);
  }, 60_000);
});
