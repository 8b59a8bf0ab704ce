import { expect, it } from 'vitest';
import { pairsOf } from '../../proof/pairs.ts';

const idsOf = (count: number, seed: number): readonly string[] =>
  pairsOf(count, seed).map(({ defects: [a, b] }) => `${a.id} + ${b.id}`);

it('pairs of defects are the same for the same seed, however many are asked for', () => {
  expect(idsOf(20, 1).slice(0, 5)).toEqual(idsOf(5, 1));
  expect(idsOf(5, 1)).not.toEqual(idsOf(5, 2));
});
