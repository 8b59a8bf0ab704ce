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
const other = (own: Partial<Defect>): Defect => ({ ...defect, ...own });

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
const misnamed = other({ killedBy: { 'no-such-check': 'accepted' } });

const ofDefects: Readonly<Record<string, Judged>> = {
  'it is killed for the reason that it names': judgeDefect(defect, resultWith({ ...KILLED, [BESIDE]: 'accepted' })),
  'the run does not fail': judgeDefect(defect, resultWith(KILLED, 'passed')),
  'the check passes': judgeDefect(defect, resultWith({})),
  'the check fails for another reason': judgeDefect(defect, resultWith({ [NAME]: 'other' })),
  'it is blamed in one finding': judgeDefect(defect, resultWith(KILLED, 'failed', [BROKEN])),
  'it is blamed in two': judgeDefect(defect, resultWith(KILLED, 'failed', [BROKEN, BROKEN])),
  'it is blamed for what it keeps': judgeDefect(defect, resultWith(KILLED, 'failed', [BROKEN, 'user.id'])),
  'no check of it judges what it breaks': judgeDefect(other({ breaks: ['user.id'] }), resultWith(KILLED)),
  'a check of it does not exist': judgeDefect(misnamed, resultWith(KILLED)),
};

const rowOf = (judged: readonly Judged[]) => checkRows(judged, {}).find(({ id }) => id === NAME);

describe('the kill matrix', () => {
  it('tells which defects need a check alone', () => {
    const row = rowOf([judgedWith('alone', NAME), judgedWith('both', NAME, BESIDE), judgedWith('other', BESIDE)]);
    expect(row).toMatchObject({ killedBy: ['alone', 'both'], aloneOn: ['alone'] });
  });

  it('does not count a failure of a check of another requirement as company', () =>
    expect(rowOf([judgedWith('here', NAME, 'body-email-number')])?.aloneOn).toEqual(['here']));
});

const without = <T extends { readonly id: string }>(all: readonly T[], id: string): T[] =>
  all.filter((each) => each.id !== id);

const complete = checks.map(({ id }) => judgedWith(`needs-${id}`, id));
const neverAlone = complete.map((each) => (each.id === `needs-${NAME}` ? judgedWith(each.id, NAME, BESIDE) : each));
const ofChecks: Readonly<Record<string, readonly string[]>> = {
  'every check is needed': checkGaps(checkRows(complete, {})),
  'nothing kills a check': checkGaps(checkRows(without(complete, `needs-${NAME}`), {})),
  'a check is never needed': checkGaps(checkRows(neverAlone, {})),
  'a redundancy is none': checkGaps(checkRows(complete, { [NAME]: 'why' })),
};

const ofAll = requirements.map(({ id }) => other({ id: `breaks-${id}`, breaks: [id] }));
const about = (id: string) => ({ id: `about-${id}`, title: '', about: [id], behaviour: {} });
const aboutAll = [...requirements, ...openPoints].map(({ id }) => about(id));
const rows = requirementRows(ofAll, aboutAll);
const ofRequirements: Readonly<Record<string, readonly string[]>> = {
  'each is broken by a defect and used by a variant': requirementGaps(rows, {}),
  'no defect breaks one': requirementGaps(requirementRows(without(ofAll, 'breaks-user.id'), aboutAll), {}),
  'one has no variant': requirementGaps(requirementRows(ofAll, without(aboutAll, 'about-user.id')), {}),
  'one that is said to leave no freedom leaves some': requirementGaps(rows, { 'user.id': 'why' }),
  'one that is said to leave no freedom does not exist': requirementGaps(rows, { 'no.such': 'why' }),
};

const catalogues: Catalogues = { defects, variants, stubs, redundantChecks, requirementsWithoutFreedom };
/** What is wrong with other catalogues. What is wrong already is shown by the first test of the catalogues. */
const others = (own: Partial<Catalogues>): string[] => {
  const before = catalogueProblems(catalogues);
  return catalogueProblems({ ...catalogues, ...own }).filter((each) => !before.includes(each));
};
const unnamed = defects.map((each) => {
  return { ...each, killedBy: Object.fromEntries(Object.entries(each.killedBy).filter(([id]) => id !== NAME)) };
});
const ofCatalogues: Readonly<Record<string, readonly string[]>> = {
  'an id is used twice': others({ defects: [...defects, other({ id: stubs[0]?.id ?? '' })] }),
  'no defect names a check': others({ defects: unnamed }),
  'a redundant check does not exist': others({ redundantChecks: { nothing: 'why' } }),
  'a variant uses what leaves no freedom': others({
    requirementsWithoutFreedom: { ...requirementsWithoutFreedom, 'user.id': 'why' },
  }),
  'a defect breaks nothing that exists': unknownNames([other({ breaks: ['no.such'] })], []),
  'a defect is killed by nothing that exists': unknownNames(
    [other({ killedBy: { 'no-such': 'accepted', [NAME]: 'no-mode' } })],
    [],
  ),
  'a variant is about nothing that exists': unknownNames([], [about('no.such')]),
};

it('what the proof says where it does not hold is as it was reviewed', async () => {
  const all = { ...ofChecks, ...ofRequirements, ...ofCatalogues };
  const judged = Object.entries(ofDefects).map(([what, { problems }]) => [`a defect: ${what}`, problems] as const);
  const texts = [...judged, ...Object.entries(all)].map(([what, problems]) =>
    [what, ...problems.map((problem) => `  ${problem}`)].join('\n'),
  );
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/problems.txt');
});

describe('the catalogues', () => {
  it('name a defect for each check, a variant or a reason for each requirement, and nothing that does not exist', () =>
    expect(catalogueProblems(catalogues)).toEqual([]));

  it('are those of which it is recorded what they show', () => {
    const idsOf = (servers: readonly { readonly id: string }[]): string[] => servers.map(({ id }) => id).sort();
    expect(Object.keys(recorded.killedBy).sort(), 'Run npm run prove -- --record.').toEqual(idsOf(defects));
    expect(idsOf(variants)).toEqual(expect.arrayContaining(Object.keys(recorded.inconclusive)));
  });

  it('say something of each variant', () => expect(variants.filter(({ about }) => about.length === 0)).toEqual([]));

  it('use the freedom of every open point that can be observed', () => {
    const observable = openPoints.filter(({ observations }) => observations.length > 0).map(({ id }) => id);
    expect(observable.filter((id) => id in requirementsWithoutFreedom)).toEqual([]);
  });
});
