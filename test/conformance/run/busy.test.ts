import { expect, it } from 'vitest';
import { inVirtualTime } from '../../../proof/disturbed/virtual-time.ts';
import type { ServiceOptions } from '../../../reference-server/service.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { inputsFor } from '../../../proof/servers/behaviour.ts';
import { withTarget } from '../../support/target.ts';

/** Judges a target that responds 503, whatever comes, while this holds: by the number of the request, and ms after it first held. */
async function judgeBusy(isBusy: (number: number, since: () => number) => boolean) {
  let [requests, first]: [number, number | undefined] = [0, undefined];
  const since = (): number => Date.now() - (first ??= Date.now());
  const around: NonNullable<ServiceOptions['around']> = (handle) => (request) => {
    requests += 1;
    return isBusy(requests, since) ? { status: 503, headers: {}, body: 'Service Unavailable' } : handle(request);
  };
  return inVirtualTime(() =>
    withTarget({ around }, async (server) => {
      const before = structuredClone([...server.store.users]);
      const { verdict } = await judgeTarget(inputsFor(server.url, server.seed), { journal: false, ...server.reach });
      return { verdict, requests, isRestored: JSON.stringify([...server.store.users]) === JSON.stringify(before) };
    }),
  );
}

// Where something was seen of the users, they are read once more and restored.
it.each<[what: string, most: number, isBusy: (number: number) => boolean]>([
  ['only responds 503', 40, () => true],
  ['recovers once, and fails again for good', 60, (number) => number !== 2],
  ['fails after two responses', 75, (number) => number > 2],
])('A target that %s gets at most %i requests', async (_what, most, isBusy) => {
  const { verdict, requests } = await judgeBusy(isBusy);
  expect(verdict).toBe('inconclusive');
  expect(requests).toBeLessThanOrEqual(most);
});

it.each([0, 2, 20, 100, 200])(
  'A target that responds 503 for 6 s from request %i on is not failed, and its users are restored',
  async (from) => {
    const { verdict, isRestored } = await judgeBusy((number, since) => number > from && since() < 6_000);
    expect(verdict).not.toBe('failed');
    expect(isRestored).toBe(true);
  },
);

it.each([
  ['in the middle', 100],
  ['at the end', 299],
])(
  'A target that responds 503 for 18 s %s is waited for, not failed, and its users are restored',
  async (_when, from) => {
    const outcome = await judgeBusy((number, since) => number > from && since() < 18_000);
    expect(outcome.verdict).not.toBe('failed');
    expect(outcome.isRestored).toBe(true);
    expect(outcome.requests).toBeLessThan(400);
  },
);
