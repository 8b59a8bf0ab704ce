import { expect, it } from 'vitest';
import { called, defects } from '../../../proof/catalogue.ts';
import { judgeBehaviour } from '../../support/judging.ts';

it('restores member by member where the target stores only the first one of a body', async () => {
  const { behaviour } = called(defects, 'update-applies-first-member-only');
  const { result, server } = await judgeBehaviour(behaviour);
  expect(result.restoration.outcome).toBe('complete');
  expect([...server.store.users.values()]).toEqual(server.seed.users);
});
