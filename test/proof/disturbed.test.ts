import { expect, it } from 'vitest';
import { brokenTarget, judgeDisturbed, judgeUnder } from '../../proof/disturbed/main.ts';
import { disturbances, randomBy } from '../../proof/disturbed/disturbances.ts';
import { kill } from '../../proof/disturbed/kills.ts';
import { errorsIn } from '../../proof/judge.ts';

function disturbance(name: string) {
  const found = disturbances.find((each) => each.name === name);
  if (!found) throw new Error(`There is no disturbance ${name}.`);
  return found;
}

it('the same seed gives the same numbers from 0 up to 1', () => {
  const [one, other, third] = [randomBy('a'), randomBy('a'), randomBy('b')];
  const drawn = [one(), one(), one()];
  expect([other(), other(), other()]).toEqual(drawn);
  expect(third()).not.toBe(drawn[0]);
  expect(drawn.every((each) => each >= 0 && each < 1)).toBe(true);
});

it('a conforming target is not blamed for a gateway, and a broken one is found', async () => {
  const { conforming, broken, problems } = await judgeUnder(disturbance('502-after-5'), 1, 1);
  expect(problems).toEqual([]);
  expect([...conforming, ...broken].flatMap(errorsIn)).toEqual([]);
  expect(conforming[0]?.verdict).not.toBe('failed');
  expect(broken[0]?.verdict).not.toBe('passed');
}, 60_000);

it('a target that restarts is judged, and its users are restored', async () => {
  const { result, isRestored } = await judgeDisturbed(disturbance('restart'), {}, '1');
  expect(result.verdict).not.toBe('failed');
  expect(isRestored).toBe(true);
}, 60_000);

it('other numbers choose other broken targets', () => {
  expect(brokenTarget(1).id).not.toBe(brokenTarget(2).id);
});

it('the users of a run that is killed are restored from its journal', async () => {
  expect(await kill('1')).toBeUndefined();
}, 60_000);
