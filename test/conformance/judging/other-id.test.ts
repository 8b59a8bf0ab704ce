import { expect, it } from 'vitest';
import { called, defects } from '../../../proof/catalogue.ts';
import { notObservable, passed, preconditionFailed } from '../../../conformance/judging/outcomes.ts';
import { unlessOtherId } from '../../../conformance/judging/other-id.ts';
import { update } from '../../support/exchanges.ts';
import { judgeBehaviour } from '../../support/judging.ts';

const own = update({}, { id: 4 });
const other = update({}, { id: 5 });

it('says that responses show another id only where nothing was seen, and one of them does', () => {
  const unseen = notObservable('hidden');
  expect(unlessOtherId(unseen, [own, other])).toMatchObject({ restsOn: ['update-answer-id'] });
  expect(unlessOtherId(unseen, [own])).toBe(unseen);
  for (const judgement of [passed([other]), preconditionFailed('refused')])
    expect(unlessOtherId(judgement, [other])).toBe(judgement);
});

it('gives all that is not seen to the finding of the shown id', async () => {
  const { result } = await judgeBehaviour(called(defects, 'answer-id-of-another-user').behaviour);
  const [finding, ...others] = result.findings;
  expect([finding?.checks, others]).toEqual([['update-answer-id'], []]);
  const unseen = result.checks.filter(({ reason }) => reason === 'not-observable');
  expect(unseen.length).toBeGreaterThan(0);
  for (const { detail } of unseen) expect(detail).toMatch(/^the responses of the target show another id;/);
  expect(unseen.map(({ id }) => id).filter((id) => !finding?.consequences.includes(id))).toEqual([]);
});
