import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shardFrom, shardOf, shardText } from '../../common/shard.ts';

const shardsOf = <T>(items: readonly T[], count: number): T[][] =>
  Array.from({ length: count }, (_each, place) => shardOf(items, { index: place + 1, count }));

describe('the shards of a list', () => {
  it('have every item exactly once, keep its order, and differ in size by one at most', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 50 }), (length, count) => {
        const items = Array.from({ length }, (_each, place) => place);
        const shards = shardsOf(items, count);
        expect(shards.flat().sort((one, other) => one - other)).toEqual(items);
        for (const shard of shards) expect(shard).toEqual(shard.toSorted((one, other) => one - other));
        const sizes = shards.map((shard) => shard.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are the same for the same list, and spread neighbours', () => {
    expect(shardsOf(['a', 'b', 'c', 'd', 'e'], 2)).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
  });
});

describe('a shard as text', () => {
  it('is read as it is written', () => {
    expect(shardFrom('2/5')).toEqual({ index: 2, count: 5 });
    expect(shardText({ index: 2, count: 5 })).toBe('2/5');
  });

  it.each(['', '0/5', '6/5', '1/0', '-1/5', '1', '1/2/3', '01/5', '1.5/2', ' 1/2', '1/1000000', 'a/b'])(
    'is refused: %j',
    (text) => expect(shardFrom(text)).toBeUndefined(),
  );
});
