import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { makeStop } from '../../../common/process/stop.ts';
import { collectGarbage } from '../../../common/process/garbage.ts';

/** Lets go of everything that only weak references hold, again and again. */
async function withoutGarbage(task: () => Promise<unknown>): Promise<void> {
  const collecting = setInterval(collectGarbage, 10);
  try {
    await task();
  } finally {
    clearInterval(collecting);
  }
}

describe('a stop', () => {
  it('comes after its time, whatever is collected as garbage', async () => {
    const { signal, release } = makeStop({ other: new AbortController().signal, after: 100 });
    await withoutGarbage(() => once(signal, 'abort'));
    expect(signal.aborted).toBe(true);
    release();
  });

  it('comes with another signal that nothing else holds', async () => {
    const { signal, release } = makeStop({ other: AbortSignal.timeout(100) });
    await withoutGarbage(() => once(signal, 'abort'));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
    release();
  });

  it('comes by a call', () => {
    const { signal, abort } = makeStop({});
    abort();
    expect(signal.aborted).toBe(true);
  });

  it('comes no more once it was released', () => {
    const other = new AbortController();
    const { signal, release } = makeStop({ other: other.signal });
    release();
    other.abort();
    expect(signal.aborted).toBe(false);
  });
});
