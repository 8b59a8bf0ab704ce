import { expect, it } from 'vitest';
import { shuffle } from '../../../conformance/run/shuffle.ts';

it('the order is another for another seed, and the same for the same', () => {
  const items = Array.from({ length: 50 }, (_each, index) => `check-${index}`);
  const ordered = (seed: number): string[] => shuffle(items, (item) => item, seed);
  expect(ordered(1)).toEqual(ordered(1));
  expect(ordered(1)).not.toEqual(ordered(2));
  expect([...ordered(1)].sort()).toEqual([...items].sort());
});
