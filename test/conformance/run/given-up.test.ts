import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Result } from '../../../conformance/result/result.ts';
import type { Behaviour } from '../../../proof/servers/behaviour.ts';
import { judgeServer } from '../../../proof/servers/judge.ts';
import { inVirtualTime } from '../../../proof/disturbed/virtual-time.ts';

/** Judges the reference server, each of whose responses takes as long as this says; for a target that handles one request at a time, these add up. */
async function judgeSlow(msOf: (request: number) => number, oneAtATime = false): Promise<Result> {
  let requests = 0;
  let before = Promise.resolve();
  const around: Behaviour['around'] = (handle) => async (request) => {
    requests += 1;
    const own = requests;
    const turn = oneAtATime ? before : Promise.resolve();
    before = turn.then(() => sleep(msOf(own)));
    await before;
    return handle(request);
  };
  return (await inVirtualTime(() => judgeServer({ behaviour: { around } }))).result;
}

const reasonsOf = ({ checks }: Result): string[] => [...new Set(checks.flatMap(({ reason }) => reason ?? []))];

it.each([15, 20, 40, 100, 400])(
  'A target that takes %i ms longer with each request is given up in time, and restored',
  async (ms) => {
    const { checks, verdict, restoration, durationMs } = await judgeSlow((request) => ms * request);
    expect([verdict, restoration.outcome]).toEqual(['inconclusive', 'complete']);
    expect(reasonsOf({ checks } as Result)).toEqual(['target-unreachable']);
    expect(checks.flatMap(({ detail, reason }) => (reason ? [detail] : [])).join()).toContain(
      'each response takes longer',
    );
    expect(durationMs).toBeLessThan(60_000);
  },
);

it('A target that serves one request at a time is not given up because concurrent ones wait for each other', async () => {
  // By chance the requests take longer and longer before many come at once.
  const { verdict, restoration } = await judgeSlow((request) => 600 + Math.min(request, 45) + (request % 3), true);
  expect([verdict, restoration.outcome]).toEqual(['passed', 'complete']);
});
