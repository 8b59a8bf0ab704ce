import { expect, it } from 'vitest';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { inputsFor, startBehaviour } from '../../../proof/behaviour.ts';
import { defects } from '../../../proof/catalogue.ts';

it('restores member by member where the target stores only the first one of a body', async () => {
  const defect = defects.find(({ id }) => id === 'update-applies-first-member-only');
  const { url, seed, store, close } = await startBehaviour(defect?.behaviour ?? {});
  try {
    const { restoration } = await judgeTarget(inputsFor(url, seed));
    expect(restoration.outcome).toBe('complete');
    expect([...store.users.values()]).toEqual(seed.users);
  } finally {
    await close();
  }
});
