import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import type { Result } from '../../conformance/result/result.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import { createService } from '../../reference-server/service.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
let journals = 0;

/** A target whose process ends now and then, and starts again at the same address with what it had stored. */
async function restartable() {
  const service = createService({});
  let requests = 0;
  let onRequest: (number: number) => void = () => undefined;
  const start = (port = 0) =>
    createReferenceServer({
      port,
      around: () => (request) => {
        requests += 1;
        onRequest(requests);
        return service.handle(request);
      },
    });
  let server = await start();
  const port = Number(new URL(server.url).port);
  let ended = Promise.resolve();
  return {
    url: server.url,
    users: () => structuredClone([...service.store.users]),
    at: (number: number, act: () => void) => {
      onRequest = (each) => {
        if (each === number) act();
      };
    },
    stop: () => (ended = server.close()),
    restart: (ms: number) => {
      ended = server
        .close()
        .then(() => sleep(ms))
        .then(async () => {
          server = await start(port);
        });
    },
    close: () => ended.then(() => server.close()),
  };
}

async function judgeWhile(
  disturb: (target: Awaited<ReturnType<typeof restartable>>) => RunOptions['onEvent'],
  limits: RunOptions['limits'] = {},
): Promise<{ result: Result; said: string[]; isRestored: boolean }> {
  const target = await restartable();
  const before = target.users();
  const said: string[] = [];
  const onEvent = disturb(target);
  try {
    const result = await judgeTarget(inputsFor(target.url), {
      limits,
      journal: folder.at(`journal-${(journals += 1)}.json`),
      onEvent: (event) => {
        if (event.type === 'away') said.push(event.why);
        onEvent?.(event);
      },
    });
    return { result, said, isRestored: JSON.stringify(before) === JSON.stringify(target.users()) };
  } finally {
    await target.close();
  }
}

describe.concurrent('A conforming target that is away for a while', () => {
  it.each([3, 110, 260])('from request %i on: is not failed, and has its users back', async (number) => {
    const { result, said, isRestored } = await judgeWhile((target) => {
      target.at(number, () => {
        target.restart(300);
      });
      return undefined;
    });
    expect(isRestored).toBe(true);
    expect(result.restoration.outcome).toBe('complete');
    expect(result.findings).toEqual([]);
    expect(['passed', 'inconclusive']).toContain(result.verdict);
    if (said.length > 0) expect(said.join()).toContain('ECONNREFUSED');
  });

  it('while the users are restored: has its users back', async () => {
    const { result, said, isRestored } = await judgeWhile((target) => (event) => {
      if (event.type === 'stage' && event.operation === 'restore') target.restart(500);
    });
    expect([isRestored, result.restoration.outcome, said.length > 0]).toEqual([true, 'complete', true]);
    expect(result.findings).toEqual([]);
  });

  it('until the run has given it up: has its users back all the same', async () => {
    const { result, isRestored } = await judgeWhile(
      (target) => {
        target.at(100, () => void target.stop());
        return (event) => {
          if (event.type === 'stage' && event.operation === 'restore') target.restart(0);
        };
      },
      { timeout: 1_000 },
    );
    expect([isRestored, result.restoration.outcome, result.verdict]).toEqual([true, 'complete', 'inconclusive']);
  });
});
