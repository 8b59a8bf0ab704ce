import { expect, it } from 'vitest';
import { OUR_EXTENSIONS } from '../../../contract/gate/requirements-diff.ts';
import { brokenSides, describeText, judgementOf, ownChanges } from '../../../openapi-judge/src/index.ts';
import { casesBeside, read } from '../../support/repository.ts';

interface Edit {
  readonly change: string;
  readonly from: string;
  readonly to: string;
  readonly rule: string;
  readonly breaks?: string;
  readonly back?: string;
}

const edits = casesBeside(import.meta.url) as readonly Edit[];
const contract = read('openapi.yaml');

function judged(before: string, after: string) {
  const [base, head] = [describeText('base', before, 'base.yaml'), describeText('head', after, 'head.yaml')];
  return judgementOf(ownChanges(base, head, OUR_EXTENSIONS));
}

it('the contract and itself do not differ', () =>
  expect(judged(contract, contract)).toMatchObject({ bump: 'none', changes: [] }));

it.each(edits)('the gate judges $change', ({ from, to, rule, breaks = '', back = '' }) => {
  expect(contract).toContain(from);
  const edited = contract.replace(from, () => to);
  const judgement = judged(contract, edited);
  expect(judgement.changes.map((each) => each.rule)).toContain(rule);
  expect([brokenSides(judgement), brokenSides(judged(edited, contract))]).toEqual([breaks, back]);
});
