import { setTimeout as pause } from 'node:timers/promises';
import { route as routeTo } from '../../contract/document.ts';
import { openClient } from './client.ts';
import { isDisturbance } from '../facts/exchange.ts';
import type { Route } from './route.ts';

/** ms between two looks at a target that is not up yet, and for each look. */
const [BETWEEN, LOOK] = [200, 5_000];

/**
 * Waits until a target, or what is behind its gateway, responds to requests that carry no key and take the way of a run.
 *
 * @param signal ends the waiting
 * @returns why it did not within so many ms; undefined if it did
 */
export async function waitForTarget(
  baseUrl: URL,
  most: number,
  route: Route | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const end = performance.now() + most;
  const client = openClient({ baseUrl, timeout: Math.min(LOOK, most), route, startedAt: performance.now() });
  const headers = { Accept: 'application/json' };
  try {
    for (;;) {
      const { path } = routeTo('listBanners');
      const { response } = await client.send({ operation: 'listBanners', path, headers });
      if (!isDisturbance(response)) return undefined;
      if (signal.aborted || performance.now() >= end) return response.lost?.detail ?? `it responded ${response.status}`;
      await pause(BETWEEN, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await client.close();
  }
}
