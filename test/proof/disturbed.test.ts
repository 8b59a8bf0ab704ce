import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { disturbances, randomBy } from '../../proof/disturbed/disturbances.ts';
import { judgeUnder } from '../../proof/disturbed/main.ts';
import { inVirtualTime } from '../../proof/disturbed/virtual-time.ts';
import { examples } from '../support/sample.ts';

const { seed, numRuns } = examples(2);

it.each(disturbances)(
  'A target is not failed, is restored, and is failed if it is broken, under $name: $does',
  async (disturbance) => {
    const { problems, conforming, broken } = await judgeUnder(disturbance, numRuns * (disturbance.times ?? 1), seed);
    expect(problems).toEqual([]);
    expect(conforming.length).toBe(broken.length);
  },
);

it('randomBy gives the same numbers for the same text, and others for another', () => {
  const [one, same, other] = ['a', 'a', 'b'].map(randomBy);
  const ten = (random = Math.random): number[] => Array.from({ length: 10 }, random);
  const numbers = ten(one);
  expect(ten(same)).toEqual(numbers);
  expect(ten(other)).not.toEqual(numbers);
  expect(numbers.every((each) => each >= 0 && each < 1)).toBe(true);
});

describe('inVirtualTime', () => {
  it('ends timers in their order, each at its time', async () => {
    const ended = await inVirtualTime(async () => {
      const at: [string, number][] = [];
      const note = (what: string) => () => at.push([what, performance.now()]);
      const never = setTimeout(note('never'), 10);
      const beat = setInterval(note('beat'), 40_000);
      setTimeout(note('last'), 100_000);
      clearTimeout(never);
      AbortSignal.timeout(70_000).addEventListener('abort', note('abort'));
      await sleep(50_000).then(note('sleep'));
      await sleep(100_000, undefined, { signal: AbortSignal.timeout(60_000) }).catch(note('ended sleep'));
      clearInterval(beat);
      return at;
    });
    expect(ended).toEqual([
      ['beat', 40_000],
      ['sleep', 50_000],
      ['abort', 70_000],
      ['beat', 80_000],
      ['last', 100_000],
      ['ended sleep', 110_000],
    ]);
  });

  it('leaves the clocks as they were, also after an error', async () => {
    const clocks = (): unknown[] => [setTimeout, clearTimeout, setInterval, clearInterval, sleep];
    const [own, now] = [clocks(), [Date.now(), performance.now()]];
    await expect(inVirtualTime(() => sleep(1e12).then(() => Promise.reject(new Error('no'))))).rejects.toThrow('no');
    expect(clocks()).toEqual(own);
    expect([Date.now(), performance.now()].map((each, index) => each - (now[index] ?? 0) < 1e11)).toEqual([true, true]);
    expect(AbortSignal.timeout(1e6).aborted).toBe(false);
  });
});
