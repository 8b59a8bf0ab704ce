import { expect, it } from 'vitest';
import { called, defects } from '../../../proof/catalogue.ts';
import { blemishes, judgeBehaviour } from '../../support/judging.ts';

it('judges the users of the responses that can be read, where others cannot', async () => {
  const { result } = await judgeBehaviour(called(defects, 'user-with-raw-control-characters').behaviour);
  expect(blemishes(result)).toEqual([
    expect.stringMatching(/^json-user failed: .* is not JSON, at character \d+: U\+00\w\w is not escaped\.$/),
    expect.stringMatching(/^update-name-line-breaks inconclusive/),
    expect.stringMatching(/^update-name-nul inconclusive/),
  ]);
  const [{ consequences } = { consequences: [] }] = result.findings;
  expect(consequences).toHaveLength(2);
});
