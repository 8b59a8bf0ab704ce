import { expect, it } from 'vitest';
import type { Behaviour } from '../../../proof/behaviour.ts';
import { called, defects } from '../../../proof/catalogue.ts';
import { judgeBehaviour } from '../../support/judging.ts';

it('restores member by member where the target stores only the first one of a body', async () => {
  const { behaviour } = called(defects, 'update-applies-first-member-only');
  const { result, server } = await judgeBehaviour(behaviour);
  expect(result.restoration.outcome).toBe('complete');
  expect([...server.store.users.values()]).toEqual(server.seed.users);
});

it.each([404, 500])(
  'restores users whose first reading got %i, as of a target that cannot read them twice at once',
  async (status) => {
    let requests = 0;
    const around: Behaviour['around'] = (handle) => (request) => {
      requests += request.method === 'PUT' ? 1 : 0;
      return request.method === 'PUT' && requests <= 2 ? { status, body: {} } : handle(request);
    };
    const { result, server } = await judgeBehaviour({ around });
    expect(result.restoration.outcome).toBe('complete');
    expect([...server.store.users.values()]).toEqual(server.seed.users);
  },
);
