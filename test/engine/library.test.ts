/** What the library refuses before it sends anything: options are checked like inputs. */
import { expect, it } from 'vitest';
import { run } from '../../conformance/index.ts';

const TARGET = { baseUrl: 'http://127.0.0.1:1', adminKey: 'k', userId: 4 };

it.each<[what: string, options: object, says: string]>([
  ['a misspelled option', { failon: 'should' }, 'Did you mean failOn?'],
  ['an option that does not exist', { colour: 'red' }, 'colour'],
  ['a level that does not exist', { failOn: 'all' }, 'failOn: all is not what this option takes.'],
  ['a text in place of a list', { only: 'update-name' }, 'only: update-name is not what this option takes.'],
  ['a time that is none', { timeout: -1 }, 'timeout: -1 is not what this option takes.'],
  ['a text in place of a function', { onEvent: 'print' }, 'onEvent: print is not what this option takes.'],
])('%s is refused by name, with what was meant', async (_what, options, says) => {
  const refusal = await run(TARGET, options).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: 'InvalidInputs' });
  expect((refusal as Error).message).toContain(says);
});

it('a misspelled input is refused by name, with what was meant', async () => {
  const refusal = await run({ ...TARGET, userID: 5 } as typeof TARGET).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: 'InvalidInputs' });
  expect((refusal as Error).message).toContain('userId');
});

it('a selection of nothing is refused by name', async () => {
  await expect(run(TARGET, { only: ['nothing-at-all'] })).rejects.toMatchObject({ name: 'InvalidSelection' });
});
