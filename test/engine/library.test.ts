/** What the library refuses before it sends anything: options are checked like inputs. */
import { expect, it } from 'vitest';
import { run } from '../../conformance/index.ts';

const TARGET = { baseUrl: 'http://127.0.0.1:1', adminKey: 'k', userId: 4 };

it.each<[what: string, inputs: object, options: object, says: string]>([
  ['a misspelled option', {}, { failon: 'should' }, 'Did you mean failOn?'],
  ['an option that does not exist', {}, { colour: 'red' }, 'colour'],
  ['a level that does not exist', {}, { failOn: 'all' }, 'failOn: all is not what this option takes.'],
  ['a text in place of a list', {}, { only: 'update-name' }, 'only: update-name is not what this option takes.'],
  ['a time that is none', {}, { timeout: -1 }, 'timeout: -1 is not what this option takes.'],
  ['a text in place of a function', {}, { onEvent: 'print' }, 'onEvent: print is not what this option takes.'],
  ['a misspelled input', { userID: 5 }, {}, 'userId'],
])('%s is refused by name, with what was meant', async (_what, inputs, options, says) => {
  const message = expect.stringContaining(says) as string;
  await expect(run({ ...TARGET, ...inputs }, options)).rejects.toMatchObject({ name: 'InvalidInputs', message });
});

it('a selection of nothing is refused by name', async () => {
  await expect(run(TARGET, { only: ['nothing-at-all'] })).rejects.toMatchObject({ name: 'InvalidSelection' });
});
