import { describe, expect, it } from 'vitest';
import { pairsOf } from '../../proof/pairs.ts';

const idsOf = (count: number, seed: number): readonly string[] =>
  pairsOf(count, seed).map(({ defects: [a, b] }) => `${a.id} + ${b.id}`);

describe('pairs of defects', () => {
  it('are the same for the same seed, however many are asked for', () => {
    expect(idsOf(20, 1).slice(0, 5)).toEqual(idsOf(5, 1));
    expect(idsOf(5, 1)).not.toEqual(idsOf(5, 2));
  });

  it('have nothing in common by which a report could take one for the other', () => {
    for (const { defects } of pairsOf(40, 1)) {
      const [a, b] = defects;
      expect(a.breaks.filter((requirement) => b.breaks.includes(requirement))).toEqual([]);
      expect(Object.keys(a.killedBy)).not.toEqual(Object.keys(b.killedBy));
    }
  });

  it('are servers that do both', () => {
    const [pair] = pairsOf(1, 1);
    const [a, b] = pair?.defects ?? [];
    const keys = [a, b].flatMap((each) => Object.keys(each?.behaviour ?? {}));
    expect(Object.keys(pair?.behaviour ?? {})).toEqual(expect.arrayContaining(keys));
  });
});
