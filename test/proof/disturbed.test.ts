import { assert, expect, it } from 'vitest';
import { judgeUnder } from '../../proof/disturbed/main.ts';
import { disturbances } from '../../proof/disturbed/disturbances.ts';

it('a conforming target is not blamed for a gateway, and a broken one is found', async () => {
  const gateway = disturbances.find(({ name }) => name === '502-after-5');
  assert(gateway);
  const { told, problems } = await judgeUnder(gateway, 1, 1);
  expect(problems).toEqual([]);
  expect(told).toMatch(/conforming . passed, . inconclusive, 0 failed; with a defect 0 passed, /);
});
