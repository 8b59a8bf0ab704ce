import { expect, it } from 'vitest';
import { judgeDisturbed, judgeUnder } from '../../proof/disturbed/main.ts';
import { disturbances } from '../../proof/disturbed/disturbances.ts';
import { kill } from '../../proof/disturbed/kills.ts';
import { called } from '../../proof/server.ts';

const byName = disturbances.map((each) => ({ ...each, id: each.name }));

it('a conforming target is not blamed for a gateway, and a broken one is found', async () => {
  const { told, problems } = await judgeUnder(called(byName, '502-after-5'), 1, 1);
  expect(problems).toEqual([]);
  expect(told).toMatch(/conforming . passed, . inconclusive, 0 failed; with a defect 0 passed, /);
});

it('a target that restarts is judged, and its users are restored', async () => {
  const { result, isRestored } = await judgeDisturbed(called(byName, 'restart'), {}, 1);
  expect(result.verdict).not.toBe('failed');
  expect(isRestored).toBe(true);
});

it('the users of a run that is killed are restored from its journal', async () => {
  expect(await kill('1')).toBeUndefined();
});
