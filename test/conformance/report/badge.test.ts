import { expect, it } from 'vitest';
import { badgeReport } from '../../../conformance/report/badge.ts';
import type { Result } from '../../../conformance/result/result.ts';
import { checkResult, failedCheck, resultOf } from '../../support/results.ts';

const both = [
  checkResult(),
  checkResult({ id: 'b', requirements: ['user.id'] }),
  checkResult({ id: 'c', level: 'should', requirements: ['update.values-faithful'] }),
];

it.each<[string, Result, string, string]>([
  ['passed', resultOf(both), '2/2 must', 'brightgreen'],
  [
    'passed, with a should that counts',
    resultOf(both, { selection: { only: [], skip: [], failOn: 'should' } }),
    '3/3 must and should',
    'brightgreen',
  ],
  [
    'passed, with a check whose request these keys do not have',
    resultOf([...both, checkResult({ id: 'd', outcome: 'not-applicable' })]),
    '2/2 must',
    'brightgreen',
  ],
  [
    'passed, with a requirement that does not apply',
    resultOf([...both, checkResult({ id: 'd', outcome: 'not-applicable', requirements: ['user.name'] })]),
    '2/2 must',
    'brightgreen',
  ],
  [
    'passed, with a known failure',
    resultOf([...both, failedCheck('x', { id: 'd', knownFailure: true, requirements: ['user.name'] })]),
    '2/3 must, 1 known failure',
    'brightgreen',
  ],
  [
    'passed in part',
    resultOf(both, { selection: { only: ['users'], skip: [], failOn: 'must' } }),
    '2/2 must, a part only',
    'brightgreen',
  ],
  [
    'failed',
    resultOf([...both, failedCheck('x', { id: 'd' }), failedCheck('x', { id: 'e', level: 'should' })], {
      verdict: 'failed',
    }),
    'failed 1',
    'red',
  ],
  ['failed by its baseline', resultOf(both, { verdict: 'failed' }), 'baseline out of date', 'red'],
  ['inconclusive', resultOf(both, { verdict: 'inconclusive' }), 'inconclusive', 'yellow'],
  ['interrupted', resultOf(both, { verdict: 'interrupted' }), 'interrupted', 'lightgrey'],
  ['ended with an error of the suite', resultOf(both, { verdict: 'error' }), 'error of the suite', 'lightgrey'],
])('the badge of a run that %s', (_what, result, message, color) => {
  expect(JSON.parse(badgeReport(result))).toEqual({ schemaVersion: 1, label: 'conformance', message, color });
});
