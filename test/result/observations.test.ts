import { expect, it } from 'vitest';
import { variants } from '../../proof/catalogue.ts';
import { judgeServer } from '../../proof/judge.ts';

it('a target is told which spellings of an id it takes, and not judged for them', async () => {
  const asPydantic = variants.find(({ id }) => id === 'path-id-as-pydantic-reads-it');
  const { verdict, observations } = (await judgeServer(asPydantic ?? {})).result;
  expect(verdict).toBe('passed');
  const seen = observations.find(({ id }) => id === 'open.integer-spelling');
  expect([seen?.observed, seen?.detail?.toSorted()]).toEqual(['some-accepted', ['%201', '+1', '01', '0_1', '1.0']]);
});
