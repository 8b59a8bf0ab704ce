import { describe, expect, it } from 'vitest';
import { shuffle } from '../../conformance/run/shuffle.ts';
import { judgeBehaviour, PATIENT } from '../support/judging.ts';
import { sample } from '../support/sample.ts';
import { called, defects } from '../../proof/catalogue.ts';

const SEEDS = [1, 2, 3, 4];

/** Defects of every kind that do not themselves depend on the order of requests. */
const IDS = [
  'update-open-without-key',
  'update-key-found-by-first-word',
  'restricted-key-may-update-all-at-once',
  'null-as-name-dropped-beside-email',
  'answer-is-stale-for-other-user',
  'missing-user-created-at-second-update',
  'username-as-path-id',
];

async function outcomes(id: string, orderSeed: number): Promise<readonly string[]> {
  const { result } = await judgeBehaviour(called(defects, id).behaviour, { orderSeed, limits: PATIENT });
  return [result.verdict, ...result.checks.map((each) => `${each.id} ${each.outcome} ${each.failure?.mode ?? ''}`)];
}

describe('the order in which the checks send their traffic', () => {
  it('is another for another seed, and the same for the same', () => {
    const items = Array.from({ length: 50 }, (_each, index) => `check-${index}`);
    const ordered = (seed: number): string[] => shuffle(items, (item) => item, seed);
    expect(ordered(1)).toEqual(ordered(1));
    expect(ordered(1)).not.toEqual(ordered(2));
    expect([...ordered(1)].sort()).toEqual([...items].sort());
  });

  it.concurrent.each(sample(IDS, 3))('does not change a verdict nor an outcome: %s', async (id) => {
    const [first, ...others] = await Promise.all(sample(SEEDS, 2).map((seed) => outcomes(id, seed)));
    for (const other of others) expect(other).toEqual(first);
  });
});
