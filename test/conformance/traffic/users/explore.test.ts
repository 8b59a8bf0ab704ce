import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../../conformance/result/result.ts';
import { Refused } from '../../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../../../proof/servers/behaviour.ts';
import { judgeBehaviour } from '../../../support/judging.ts';

async function explore(behaviour: Behaviour, explore = { sequences: 60, seed: 7 }) {
  const { result, sent, server } = await judgeBehaviour(behaviour, { only: ['update-explored'], explore });
  const [check = expect.fail('Nothing was explored.')] = result.checks;
  return { check, sent, server };
}

const explored = async (behaviour: Behaviour): Promise<CheckResult> => (await explore(behaviour)).check;

const bodiesOf = ({ curl = '' }: CheckResult): unknown[] =>
  curl.split('\n').map((line) => JSON.parse(/--data-raw '([^']*)'/.exec(line)?.[1] ?? 'null') as unknown);

describe('run --explore', () => {
  it('finds nothing in a conforming server, and restores its users', async () => {
    const { check, server } = await explore({});
    expect([...server.store.users.values()]).toEqual(server.seed.users);
    expect(check).toMatchObject({ outcome: 'passed', exchanges: [{}, {}] });
    expect(check.detail).toMatch(/^60 sequences of \d+ requests in all, seed 7$/);
  });

  it('tries the same sequences for the same seed, and different ones for another seed', async () => {
    const purposes = async (seed: number) => (await explore({}, { sequences: 5, seed })).sent;
    const [once, again, other] = [await purposes(1), await purposes(1), await purposes(2)];
    expect(once.length).toBeGreaterThan(20);
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });

  it('shrinks what it finds to the one update that matters', async () => {
    const check = await explored(
      replacing(
        'applyUpdate',
        (apply) => (store, user, update) =>
          apply(store, user, Object.keys(update).join() === 'email' ? { ...update, name: '' } : update),
      ),
    );
    expect(check).toMatchObject({ outcome: 'failed', failure: { mode: 'not-kept', actual: '', pointer: '/name' } });
    expect(check.failure?.message).toContain('seed 7');
    const bodies = bodiesOf(check);
    expect(bodies.length).toBeLessThanOrEqual(4);
    expect(bodies.at(-1)).toEqual({ email: expect.any(String) as unknown });
  });

  it('finds what only a sequence shows: the second of two roles loses the e-mail', async () => {
    let sentRoleLast = false;
    const check = await explored(
      replacing('applyUpdate', (apply) => (store, user, update) => {
        const isRole = Object.keys(update).join() === 'rootRole';
        const lost = isRole && sentRoleLast;
        sentRoleLast = isRole;
        return apply(store, user, lost ? { ...update, email: 'lost@example.com' } : update);
      }),
    );
    expect(check).toMatchObject({ outcome: 'failed', failure: { mode: 'not-kept', actual: 'lost@example.com' } });
    const shape = (body: unknown): string => Object.keys(body as object).join();
    expect(bodiesOf(check).slice(-2).map(shape)).toEqual(['rootRole', 'rootRole']);
  });

  it('finds an update that changes another user', async () => {
    const check = await explored(
      replacing('applyUpdate', (apply) => (store, user, update) => {
        const other = store.users.get(3 - user.id);
        if (other && Object.keys(update).length === 2) apply(store, other, { name: update.name ?? 'x' });
        return apply(store, user, update);
      }),
    );
    expect(check).toMatchObject({ outcome: 'failed', failure: { mode: 'other-user-changed' } });
  });

  it('finds a valid update that is refused after other updates', async () => {
    let rolesInARow = 0;
    const check = await explored(
      replacing('applyUpdate', (apply) => (store, user, update) => {
        rolesInARow = Object.keys(update).join() === 'rootRole' ? rolesInARow + 1 : 0;
        if (rolesInARow > 1) throw new Refused(400, 'Not now.');
        return apply(store, user, update);
      }),
    );
    expect(check).toMatchObject({ outcome: 'failed', failure: { expected: 200 } });
  });
});
