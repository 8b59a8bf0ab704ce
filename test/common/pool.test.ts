import { expect, it } from 'vitest';
import { mapBounded } from '../../common/pool.ts';

it('does no more than so many items at a time, and keeps their order', async () => {
  let now = 0;
  let most = 0;
  const done = await mapBounded([3, 1, 2, 0, 5], 2, async (item) => {
    now += 1;
    most = Math.max(most, now);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    now -= 1;
    return item * 10;
  });
  expect(done).toEqual([30, 10, 20, 0, 50]);
  expect(most).toBe(2);
  expect(await mapBounded([], 2, () => Promise.resolve())).toEqual([]);
});
