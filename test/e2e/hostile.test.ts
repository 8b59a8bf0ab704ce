import { describe, expect, test } from 'vitest';
import { judgeHostile } from '../../proof/hostile/main.ts';
import { HOSTILE, hostileTargets } from '../../proof/hostile/targets.ts';
import { sample } from '../support/sample.ts';

describe('The hostile targets', () => {
  test('are at least eighty, each with a name of its own', () => {
    const names = hostileTargets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(80);
  });

  // The others need time-outs, or are judged in test/transport; `npm run hostile` judges all.
  test.each(sample(HOSTILE.large, 1))('$name ends with a verdict, and in little memory', async (target) => {
    const { verdict, exitCode, peakMb } = await judgeHostile(target);
    expect(['failed', 'inconclusive']).toContain(verdict);
    expect([1, 3]).toContain(exitCode);
    expect(peakMb).toBeLessThan(400);
  });
});
