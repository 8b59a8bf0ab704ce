import { setTimeout as pause } from 'node:timers/promises';
import { route as routeTo } from '../../contract/document.ts';
import { type Client, openClient } from './client.ts';
import type { Route } from './route.ts';

/** ms between two looks at a target that is not up yet, and for each look. */
const [BETWEEN, LOOK] = [200, 5_000];

/** Why a target is not up, in words; a proxy responds with 502 and 503 while the service behind it starts. */
async function whyNotUp({ send }: Client): Promise<string | undefined> {
  const { path } = routeTo('listBanners');
  const { response } = await send({ operation: 'listBanners', path, headers: { Accept: 'application/json' } });
  const { status, lost } = response;
  if (lost) return ['unreachable', 'closed', 'timeout'].includes(lost.kind) ? lost.detail : undefined;
  return status === 502 || status === 503 ? `it responded ${status}` : undefined;
}

/**
 * Waits until a target responds, with anything but 502 and 503, to requests that carry no key and take the way of a run.
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
  try {
    for (;;) {
      const why = await whyNotUp(client);
      if (why === undefined || signal.aborted || performance.now() >= end) return why;
      await pause(BETWEEN, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await client.close();
  }
}
