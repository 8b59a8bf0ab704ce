import { describe, expect, it } from 'vitest';
import type { Defect } from '../../proof/defect.ts';
import { judgeDefect, type Judged } from '../../proof/judging.ts';
import { defects, variants } from '../../proof/catalogue.ts';
import {
  catalogueProblems,
  checkGaps,
  checkRows,
  requirementGaps,
  requirementRows,
  unknownNames,
  type Catalogues,
} from '../../proof/kill-matrix.ts';
import { recorded } from '../../proof/recorded/recorded.ts';
import { redundantChecks, requirementsWithoutFreedom } from '../../proof/reasons.ts';
import { stubs } from '../../proof/servers/stubs.ts';
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
function resultWith(
  failed: Readonly<Record<string, string>>,
  verdict: Result['verdict'] = 'failed',
  broken: readonly string[] = [],
): Result {
  const own = checks.map(({ id }) =>
    id in failed ? { id, outcome: 'failed', failure: { mode: failed[id] } } : { id, outcome: 'passed' },
  );
  const requirements = broken.map((id) => ({ id, outcome: 'failed' }));
  const findings = broken.map((id) => ({ id, level: 'must', scored: true }));
  return { verdict, checks: own, requirements, findings } as unknown as Result;
}

const KILLED = { [NAME]: 'accepted' };
const BROKEN = 'request-body.name-type';

it.each<[what: string, result: Result, problems: RegExp[], own?: Partial<Defect>]>([
  ['is killed if its checks fail for the reasons that it names', resultWith({ ...KILLED, [BESIDE]: 'accepted' }), []],
  ['lives where the run does not fail', resultWith(KILLED, 'passed'), [/the verdict is passed/]],
  ['lives where the check passes', resultWith({}), [/body-name-number is passed, not failed/]],
  ['lives for another reason', resultWith({ [NAME]: 'other' }), [/failed as other, not as accepted/]],
  ['is blamed in one finding for what it breaks', resultWith(KILLED, 'failed', [BROKEN]), []],
  ['is not blamed in two', resultWith(KILLED, 'failed', [BROKEN, BROKEN]), [/2 must findings/]],
  [
    'is not blamed for a requirement that it keeps',
    resultWith(KILLED, 'failed', [BROKEN, 'user.id']),
    [/user.id is reported broken/, /2 must findings/],
  ],
  [
    'needs a check that judges what it breaks',
    resultWith(KILLED),
    [/^it breaks user.id, which no check that is recorded for it judges$/],
    { breaks: ['user.id'] },
  ],
  [
    'needs a check that there is',
    resultWith(KILLED),
    [/^there is no check no-such-check$/, /which no check that is recorded for it judges$/],
    { killedBy: { 'no-such-check': 'accepted' } },
  ],
])('a defect %s', (_what, result, problems, own = {}) => {
  const judged = judgeDefect({ ...defect, ...own }, result);
  expect(judged.problems).toEqual(problems.map((each) => expect.stringMatching(each) as string));
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
  it('has no gap where every check is needed', () => {
    expect(checkGaps(checkRows(complete, {}))).toEqual([]);
  });

  it.each([
    ['a check that nothing kills', complete.slice(1), {}, /^no defect kills the check auth-update-no-header$/],
    [
      'a check that is never needed',
      complete.map((each) => (each.id === `needs-${NAME}` ? judgedWith(each.id, NAME, BESIDE) : each)),
      {},
      /^the check body-name-number fails only where another/,
    ],
    ['a redundancy that is none', complete, { [NAME]: 'why' }, /is explained as redundant, but needs-/],
  ])('finds %s', (_what, judged, redundancies, problem) => {
    const found = checkGaps(checkRows(judged, redundancies));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(problem);
  });
});

describe('the requirements', () => {
  const ofAll: readonly Defect[] = requirements.map(({ id }) => ({ ...defect, id: `breaks-${id}`, breaks: [id] }));
  const aboutAll = [...requirements, ...openPoints].map(({ id }) => ({
    id: `about-${id}`,
    title: '',
    about: [id],
    behaviour: {},
  }));
  const rows = requirementRows(ofAll, aboutAll);

  it('have no gap where each is broken by a defect and used by a variant', () => {
    expect(requirementGaps(rows, {})).toEqual([]);
  });

  it.each([
    ['that no defect breaks', requirementRows(ofAll.slice(1), aboutAll), {}, /^no defect breaks/],
    ['without a variant', requirementRows(ofAll, aboutAll.slice(1)), {}, /^no variant uses/],
    ['with a freedom that is there', rows, { 'user.id': 'why' }, /user\.id is said to leave no freedom, but a variant/],
    ['that does not exist', rows, { 'no.such': 'why' }, /no\.such is said to leave no freedom, but there is no such/],
  ])('show one %s', (_what, table, untouchable, problem) => {
    const found = requirementGaps(table, untouchable);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(problem);
  });
});

describe('the catalogues', () => {
  const catalogues: Catalogues = { defects, variants, stubs, redundantChecks, requirementsWithoutFreedom };

  it('name a defect for each check, a variant or a reason for each requirement, and nothing that does not exist', () => {
    expect(catalogueProblems(catalogues)).toEqual([]);
  });

  it('are those of which it is recorded what they show', () => {
    const idsOf = (servers: readonly { readonly id: string }[]): string[] => servers.map(({ id }) => id).sort();
    expect(Object.keys(recorded.killedBy).sort()).toEqual(idsOf(defects));
    expect(idsOf(variants)).toEqual(expect.arrayContaining(Object.keys(recorded.inconclusive)));
  });

  it('say something of each variant', () => {
    expect(variants.filter(({ about }) => about.length === 0)).toEqual([]);
  });

  it('use the freedom of every open point that can be observed', () => {
    const observable = openPoints.filter(({ observations }) => observations.length > 0).map(({ id }) => id);
    expect(observable.filter((id) => id in requirementsWithoutFreedom)).toEqual([]);
  });

  const withDefect = (other: Partial<Defect>): Catalogues => ({
    ...catalogues,
    defects: [...defects, { ...defect, ...other }],
  });

  it.each([
    ['an id that is used twice', withDefect({ id: stubs[0]?.id ?? '' }), `the id ${stubs[0]?.id ?? ''} is used twice`],
    [
      'a check that no defect names',
      {
        ...catalogues,
        defects: defects.map((each) => ({
          ...each,
          killedBy: Object.fromEntries(Object.entries(each.killedBy).filter(([id]) => id !== NAME)),
        })),
      },
      `it is recorded of no defect that the check ${NAME} kills it: write one, and npm run prove -- --record --check ${NAME}`,
    ],
    [
      'the redundancy of no check',
      { ...catalogues, redundantChecks: { nothing: 'why' } },
      'the redundancy of nothing is explained, but there is no such check',
    ],
    [
      'a requirement without a variant',
      { ...catalogues, requirementsWithoutFreedom: { ...requirementsWithoutFreedom, 'user.id': 'why' } },
      'user.id is said to leave no freedom, but a variant uses it',
    ],
  ])('show %s', (_what, wrong, problem) => {
    // What is wrong already is shown by the first test.
    const before = catalogueProblems(catalogues);
    expect(catalogueProblems(wrong).filter((each) => !before.includes(each))).toEqual([problem]);
  });

  it('show a name of nothing', () => {
    expect(unknownNames([{ ...defect, breaks: ['no.such'] }], [])).toEqual([
      'number-as-name breaks no.such, and there is no such requirement',
    ]);
    expect(unknownNames([{ ...defect, killedBy: { 'no-such': 'accepted', [NAME]: 'no-mode' } }], [])).toEqual([
      'number-as-name is killed by no-such, and there is no such check',
      `number-as-name is killed by ${NAME} as no-mode, and the check has no such mode`,
    ]);
    expect(unknownNames([], [{ id: 'v', title: '', about: ['no.such'], behaviour: {} }])).toHaveLength(1);
  });
});
