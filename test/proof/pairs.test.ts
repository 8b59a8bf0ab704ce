import { expect, it } from 'vitest';
import { defects } from '../../proof/catalogue.ts';
import { pairsOf, provePair, together } from '../../proof/pairs.ts';

const idsOf = (count: number, seed: number): readonly string[] =>
  pairsOf(count, seed).map(({ defects: [a, b] }) => `${a.id} + ${b.id}`);

it('pairs of defects are the same for the same seed, however many are asked for', () => {
  expect(idsOf(20, 1).slice(0, 5)).toEqual(idsOf(5, 1));
  expect(idsOf(5, 1)).not.toEqual(idsOf(5, 2));
});

it('what an unreadable text of a user breaks is not blamed on a path that is taken for its id', async () => {
  const [a, b] = ['path-id-read-by-parse-int', 'invalid-bytes-fail-later'].map((id) =>
    defects.find((each) => each.id === id),
  );
  const behaviour = a && b && together(a.behaviour, b.behaviour);
  if (!behaviour) return expect.fail('The two defects go together.');
  expect(await provePair({ defects: [a, b], behaviour }, 1)).toMatchObject({ foreign: [], passed: [] });
});
