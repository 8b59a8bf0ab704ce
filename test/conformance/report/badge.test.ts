import { expect, it } from 'vitest';
import { badgeReport } from '../../../conformance/report/badge.ts';
import type { CheckResult, Result } from '../../../conformance/result/result.ts';
import { checkResult, failedCheck, resultOf } from '../../support/results.ts';

const both = [
  checkResult(),
  checkResult({ id: 'b', requirements: ['user.id'] }),
  checkResult({ id: 'c', level: 'should', requirements: ['update.values-faithful'] }),
];

const of = (own: Partial<Result>, ...more: readonly CheckResult[]): Result => resultOf([...both, ...more], own);
const notApplicable = (own: Partial<CheckResult> = {}) => checkResult({ id: 'd', outcome: 'not-applicable', ...own });
const ofName = { requirements: ['user.name'] };
const known = failedCheck('x', { id: 'd', knownFailure: true, ...ofName });
const failed = [failedCheck('x', { id: 'd' }), failedCheck('x', { id: 'e', level: 'should' })];
const withShould = { selection: { only: [], skip: [], failOn: 'should' } } as const;
const inPart = { selection: { only: ['users'], skip: [], failOn: 'must' } } as const;

it.each<[string, Result, string, string]>([
  ['passed', of({}), '2/2 must', 'brightgreen'],
  ['passed, with a should that counts', of(withShould), '3/3 must and should', 'brightgreen'],
  ['passed, with a check whose request these keys do not have', of({}, notApplicable()), '2/2 must', 'brightgreen'],
  ['passed, with a requirement that does not apply', of({}, notApplicable(ofName)), '2/2 must', 'brightgreen'],
  ['passed, with a known failure', of({}, known), '2/3 must, 1 known failure', 'brightgreen'],
  ['passed in part', of(inPart), '2/2 must, a part only', 'brightgreen'],
  ['failed', of({ verdict: 'failed' }, ...failed), 'failed 1', 'red'],
  ['failed by its baseline', of({ verdict: 'failed' }), 'baseline out of date', 'red'],
  ['inconclusive', of({ verdict: 'inconclusive' }), 'inconclusive', 'yellow'],
  ['interrupted', of({ verdict: 'interrupted' }), 'interrupted', 'lightgrey'],
  ['ended with an error of the suite', of({ verdict: 'error' }), 'error of the suite', 'lightgrey'],
])('the badge of a run that %s', (_what, result, message, color) =>
  expect(JSON.parse(badgeReport(result))).toEqual({ schemaVersion: 1, label: 'conformance', message, color }),
);
