import { describe, expect, it } from 'vitest';
import type { Defect } from '../../proof/defect.ts';
import { judgeDefect, type Judged } from '../../proof/judging.ts';
import { checkRows, gaps, repeatedIds, requirementRows, unknownNames } from '../../proof/kill-matrix.ts';
import type { Result } from '../../conformance/result/result.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import { openPoints, requirements } from '../../contract/document.ts';

const NAME = 'body-name-number';
const BESIDE = 'body-name-invalid-beside-email';

function judgedWith(id: string, ...failed: string[]): Judged {
  const modes = Object.fromEntries(failed.map((check) => [check, 'accepted']));
  return { id, verdict: 'failed', failed: modes, inconclusive: {}, problems: [] };
}

const defect: Defect = {
  id: 'number-as-name',
  title: 'A number is a name.',
  breaks: ['request-body.name-type'],
  killedBy: { [NAME]: 'accepted' },
  behaviour: {},
};

/** A result with these checks failed, each with a mode; all others passed. */
function resultWith(failed: Readonly<Record<string, string>>, verdict: Result['verdict'] = 'failed'): Result {
  const own = checks.map(({ id }) =>
    id in failed ? { id, outcome: 'failed', failure: { mode: failed[id] } } : { id, outcome: 'passed' },
  );
  return { verdict, checks: own } as unknown as Result;
}

describe('a defect', () => {
  it('is killed if the checks that it names fail for the reasons that it names', () => {
    expect(judgeDefect(defect, resultWith({ [NAME]: 'accepted', [BESIDE]: 'accepted' })).problems).toEqual([]);
  });

  it.each([
    ['the run does not fail', resultWith({ [NAME]: 'accepted' }, 'passed'), /the verdict is passed/],
    ['the check passes', resultWith({}), /body-name-number is passed, not failed/],
    [
      'the check fails for another reason',
      resultWith({ [NAME]: 'wrong-status' }),
      /failed as wrong-status, not as accepted/,
    ],
  ])('is not killed where %s', (_why, result, problem) => {
    expect(judgeDefect(defect, result).problems.join('\n')).toMatch(problem);
  });

  it('is not killed if no check that it names judges what it breaks, or there is no such check', () => {
    const result = resultWith({ [NAME]: 'accepted' });
    expect(judgeDefect({ ...defect, breaks: ['user.id'] }, result).problems).toEqual([
      'it breaks user.id, which no check that it names judges',
    ]);
    const problems = judgeDefect({ ...defect, killedBy: { 'no-such-check': 'accepted' } }, result).problems;
    expect(problems).toContain('there is no check no-such-check');
  });
});

describe('the kill matrix', () => {
  const rowOf = (judged: readonly Judged[]) => checkRows(judged, {}).find(({ id }) => id === NAME);

  it('tells which defects need a check alone', () => {
    const row = rowOf([judgedWith('alone', NAME), judgedWith('both', NAME, BESIDE), judgedWith('other', BESIDE)]);
    expect(row).toMatchObject({ killedBy: ['alone', 'both'], aloneOn: ['alone'] });
  });

  it('does not count a failure of a check of another requirement as company', () => {
    expect(rowOf([judgedWith('here', NAME, 'body-email-number')])?.aloneOn).toEqual(['here']);
  });

  const complete = checks.map(({ id }) => judgedWith(`needs-${id}`, id));
  const ofAll: readonly Defect[] = requirements.map(({ id }) => ({ ...defect, id: `breaks-${id}`, breaks: [id] }));
  const variants = [...requirements, ...openPoints].map(({ id }) => ({
    id: `about-${id}`,
    title: '',
    about: [id],
    behaviour: {},
  }));
  const rows = requirementRows(ofAll, variants);

  it('has no gap where every check is needed and every requirement is used', () => {
    expect(gaps(checkRows(complete, {}), rows, {}, {})).toEqual([]);
  });

  it.each([
    [
      'a check that nothing kills',
      complete.slice(1),
      rows,
      {},
      {},
      /^no defect kills the check auth-update-no-header$/,
    ],
    [
      'a check that is never needed',
      complete.map((each) => (each.id === `needs-${NAME}` ? judgedWith(each.id, NAME, BESIDE) : each)),
      rows,
      {},
      {},
      /^the check body-name-number fails only where another/,
    ],
    ['a redundancy that is none', complete, rows, { [NAME]: 'why' }, {}, /is explained as redundant, but needs-/],
    ['a redundancy of no check', complete, rows, { nothing: 'why' }, {}, /redundancy of nothing is explained/],
    [
      'a requirement that no defect breaks',
      complete,
      requirementRows(ofAll.slice(1), variants),
      {},
      {},
      /^no defect breaks/,
    ],
    [
      'a requirement without a variant',
      complete,
      requirementRows(ofAll, variants.slice(1)),
      {},
      {},
      /^no variant uses/,
    ],
    ['a freedom that is there', complete, rows, {}, { 'user.id': 'why' }, /user\.id is said to leave no freedom/],
  ])('finds %s', (_what, judged, table, redundancies, untouchable, problem) => {
    const found = gaps(checkRows(judged, redundancies), table, redundancies, untouchable);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(problem);
  });

  it('finds ids that are given twice, and names of requirements that do not exist', () => {
    expect(repeatedIds([{ id: 'a' }, { id: 'b' }], [{ id: 'a' }])).toEqual(['a']);
    expect(unknownNames([{ ...defect, breaks: ['no.such'] }], [])).toEqual([
      'number-as-name breaks no.such, and there is no such requirement',
    ]);
    expect(unknownNames([], [{ id: 'v', title: '', about: ['no.such'], behaviour: {} }])).toHaveLength(1);
  });
});
