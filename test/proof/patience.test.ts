import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../conformance/http/policy/limits.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { type Behaviour, inputsFor } from '../../proof/servers/behaviour.ts';
import { inVirtualTime } from '../../proof/disturbed/virtual-time.ts';
import type { Judged } from '../../proof/judging.ts';
import { judgePatiently } from '../../proof/patience.ts';
import { isDefectOpen, isVariantOpen } from '../../proof/prove.ts';
import { withRawServer } from '../../proof/wire/raw-server.ts';
import { judgeBehaviour } from '../support/judging.ts';

/** The time-outs of the tries on a silent target. */
async function timeouts(isOpen: (turn: number) => boolean): Promise<number[]> {
  const tried: number[] = [];
  await withRawServer({}, async ({ url }) => {
    const attempt = async ({ limits, ...options }: RunOptions): Promise<number> => {
      const { timeout } = { ...DEFAULT_LIMITS, ...limits };
      await judgeTarget(inputsFor(url, defaultSeed), { ...options, only: ['update-name-stored'], limits: { timeout } });
      return tried.push(timeout);
    };
    await judgePatiently(attempt, { timeout: 5 }, isOpen);
  });
  return tried;
}

describe('a judgement that time left open', () => {
  it('is made again with more patience, so many times', async () => {
    expect(await timeouts((turn) => turn < 4)).toEqual([5, 30, 180, 180]);
    expect(await timeouts((turn) => turn < 2)).toEqual([5, 30]);
  });

  it('is made again where the target was given up because it became slower, as on a busy machine', async () => {
    const open: number[] = [];
    await inVirtualTime(() => {
      const attempt = async (options: RunOptions): Promise<number> => {
        let requests = 0;
        const around: Behaviour['around'] = (handle) => async (request) => {
          requests += 1;
          await sleep(Math.max(1, 12 * (requests - 150)));
          return handle(request);
        };
        const { result } = await judgeBehaviour({ around }, options);
        return open.push(result.checks.filter(({ outcome }) => outcome === 'inconclusive').length);
      };
      return judgePatiently(attempt, {}, () => open.at(-1) !== 0);
    });
    expect(open.length).toBe(2);
    expect(open[0]).toBeGreaterThan(0);
    expect(open[1]).toBe(0);
  });

  it('is not made again where time cannot settle it', async () => {
    expect(await timeouts(() => false)).toEqual([5]);
  });
});

describe('what more time can settle', () => {
  const judged = (own: Partial<Judged>): Judged => ({
    id: 'x',
    verdict: 'inconclusive',
    failed: {},
    inconclusive: { a: 'deadline' },
    problems: ['a was inconclusive'],
    ...own,
  });
  const killedBy = { a: 'lost', b: 'lost' };

  it('is a check of a variant that was inconclusive, never a false failure or an error', () => {
    expect(isVariantOpen(judged({}))).toBe(true);
    expect(isVariantOpen(judged({ problems: [] }))).toBe(false);
    expect(isVariantOpen(judged({ failed: { b: 'lost' } }))).toBe(false);
    expect(isVariantOpen(judged({ verdict: 'error' }))).toBe(false);
  });

  it('is a check that a defect names and that was inconclusive, where the others failed as expected', () => {
    const isOpen = (own: Partial<Judged>): boolean => isDefectOpen({ killedBy }, judged(own));
    expect(isOpen({ failed: { b: 'lost' } })).toBe(true);
    expect(isOpen({ failed: { b: 'mixed' } })).toBe(false);
    expect(isOpen({ failed: {} })).toBe(false);
    expect(isOpen({ failed: { b: 'lost' }, verdict: 'error' })).toBe(false);
  });
});
