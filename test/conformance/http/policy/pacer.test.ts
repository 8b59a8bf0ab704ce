import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../conformance/http/policy/limits.ts';
import { Pacer } from '../../../../conformance/http/policy/pacer.ts';

it('A request that nothing waits for gives way to all others', async () => {
  const pacer = new Pacer({
    limits: { ...DEFAULT_LIMITS, concurrency: 1 },
    signal: new AbortController().signal,
    onSerialize: () => Promise.resolve(),
  });
  const order: string[] = [];
  const go = async (name: string, behind: boolean): Promise<void> => {
    const turn = await pacer.enter(behind);
    order.push(name);
    pacer.leave(turn);
  };
  const first = await pacer.enter();
  const all = [go('probe', true), go('other probe', true), go('update', false), go('next update', false)];
  pacer.leave(first);
  await Promise.all(all);
  expect(order).toEqual(['update', 'next update', 'probe', 'other probe']);
});
