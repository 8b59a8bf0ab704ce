import { describe, expect, it } from 'vitest';
import { inVirtualTime } from '../../../proof/disturbed/virtual-time.ts';
import type { ServiceOptions } from '../../../reference-server/service.ts';
import type { RunEvent } from '../../../conformance/run/events.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { inputsFor } from '../../../proof/servers/behaviour.ts';
import { withTarget } from '../../support/target.ts';

/**
 * Judges a target in front of which something responds with a status, whatever comes.
 *
 * @param isBusy when it does: by the number of the request, and ms after it first did
 * @param forgets whether the target has then lost what it stored
 */
async function judgeBusy(status: number, isBusy: (number: number, since: () => number) => boolean, forgets = false) {
  let [requests, first]: [number, number | undefined] = [0, undefined];
  const since = (): number => Date.now() - (first ??= Date.now());
  const around: NonNullable<ServiceOptions['around']> = (handle, store) => {
    const before = [...store.users];
    return (request) => {
      requests += 1;
      if (!isBusy(requests, since)) return handle(request);
      if (forgets) for (const [id, user] of before) store.users.set(id, user);
      return { status, headers: {}, body: 'Try again' };
    };
  };
  return inVirtualTime(() =>
    withTarget({ around }, async (server) => {
      const before = structuredClone([...server.store.users]);
      let planned = 0;
      const onEvent = (event: RunEvent): void => {
        if (event.type === 'planned') planned = event.requests;
      };
      const options = { journal: false, onEvent, ...server.reach } as const;
      const { verdict } = await judgeTarget(inputsFor(server.url, server.seed), options);
      return {
        verdict,
        requests,
        planned,
        isRestored: JSON.stringify([...server.store.users]) === JSON.stringify(before),
      };
    }),
  );
}

describe.each([502, 503, 504])('%i', (status) => {
  // Where something was seen of the users, they are read once more and restored.
  it.each<[what: string, most: number, isBusy: (number: number) => boolean]>([
    ['only responds so', 40, () => true],
    ['recovers once, and fails again for good', 60, (number) => number !== 2],
    ['fails after two responses', 75, (number) => number > 2],
  ])('A target that %s gets at most %i requests', async (_what, most, isBusy) => {
    const { verdict, requests } = await judgeBusy(status, isBusy);
    expect(verdict).toBe('inconclusive');
    expect(requests).toBeLessThanOrEqual(most);
  });

  it.each([0, 2, 20, 100, 200])(
    'A target that responds so for 6 s from request %i on is not failed, and its users are restored',
    async (from) => {
      const { verdict, isRestored } = await judgeBusy(status, (number, since) => number > from && since() < 6_000);
      expect(verdict).not.toBe('failed');
      expect(isRestored).toBe(true);
    },
  );

  it.each([
    ['in the middle', 100],
    ['at the end', 299],
  ])(
    'A target that responds so for 18 s %s is waited for, not failed, and its users are restored',
    async (_when, from) => {
      const outcome = await judgeBusy(status, (number, since) => number > from && since() < 18_000);
      expect(outcome.verdict).not.toBe('failed');
      expect(outcome.isRestored).toBe(true);
      expect(outcome.requests - outcome.planned).toBeLessThan(100);
    },
  );

  // A restart is shorter behind most proxies, and they say 502 then.
  it(`A target that restarts, and keeps what it stores in memory, is not failed`, async () => {
    const length = status === 503 ? 6_000 : 1_500;
    const { verdict } = await judgeBusy(status, (number, since) => number > 150 && since() < length, true);
    expect(verdict).toBe('inconclusive');
  });
});
