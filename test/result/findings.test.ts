import { expect, it } from 'vitest';
import { judgeServer } from '../../proof/judge.ts';
import { answered } from '../../proof/servers/requests.ts';
import { refusedWith } from '../../proof/servers/responses.ts';
import { refusing } from '../../proof/servers/updates.ts';

it('one wrong status for all refusals is one finding, whether the update had to be refused or not', async () => {
  const refusesEmptyName = refusing(({ name }) => name === '');
  const { result } = await judgeServer({ behaviour: { ...refusesEmptyName, ...refusedWith(answered(400), 422) } });
  expect(result.findings).toMatchObject([
    { id: 'status.400-is-422', level: 'must', title: 'Every refusal that should get 400 gets 422' },
  ]);
  expect(result.requirements.find(({ id }) => id === 'update.empty-text')?.outcome).toBe('failed');
});
