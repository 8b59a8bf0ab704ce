import { assert, expect, it } from 'vitest';
import { judgeUnder } from '../../proof/disturbed/main.ts';
import { judgePair } from '../../proof/disturbed/two-runs.ts';
import { disturbances } from '../../proof/disturbed/disturbances.ts';

it('a conforming target is not blamed for a gateway, and a broken one is found', async () => {
  const gateway = disturbances.find(({ name }) => name === '502-after-5');
  assert(gateway);
  const { told, problems } = await judgeUnder(gateway, 1, 1);
  expect(problems).toEqual([]);
  expect(told).toMatch(/conforming . passed, . inconclusive, 0 failed; with a defect 0 passed, /);
});

// Without the name or the address of its run, the second run took the role that the first one had set for an old one.
it.each(['16', '19', '245', '273', '287'])(
  'two runs at once leave no value that neither tells of: pair %s',
  async (seed) => {
    expect((await judgePair(seed)).problems).toEqual([]);
  },
);
