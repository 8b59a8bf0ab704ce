import { describe, expect, it } from 'vitest';
import type { CheckResult, Finding, RequirementResult, Restoration, Verdict } from '../../conformance/facts/result.ts';
import { decide, type Grounds, itemsOf } from '../../conformance/result/verdict.ts';
import { changeOf, checkOf, findingOf } from '../report/sample.ts';

const passed = checkOf('update-role');
const failed = checkOf('update-name', { outcome: 'failed' });
const openShould = checkOf('banner-ids', { level: 'should', outcome: 'inconclusive', reason: 'missing-input' });
const known = { ...failed, knownFailure: true };
const ofOpen = { checks: [openShould.id] };
const failedShould = checkOf('value-long', { level: 'should', outcome: 'failed' });
const shouldFinding = findingOf('update.values-faithful', { level: 'should', checks: ['value-long'] });

function verdictOf(checks: CheckResult[], findings: Finding[] = [], own: Partial<Grounds> = {}): Verdict {
  return decide({
    checks,
    findings,
    requirements: [],
    failOn: 'must',
    baselineProblems: [],
    restoration: { outcome: 'none', users: [] },
    interrupted: false,
    ...own,
  });
}

/** A requirement that is inconclusive. */
function open(own: Partial<RequirementResult> = {}): Partial<Grounds> {
  const id = 'errors.body';
  return { requirements: [{ id, level: 'must', text: 'It has a body.', outcome: 'inconclusive', checks: [], ...own }] };
}

function restored(outcome: Restoration['users'][number]['members'][number]['outcome']): Partial<Grounds> {
  return { restoration: { outcome: 'partial', users: [{ id: '4', members: [{ member: 'name', outcome }] }] } };
}

describe('the verdict', () => {
  it.each<[string, Verdict, CheckResult[], Finding[], Partial<Grounds>]>([
    ['is passed if every check passed', 'passed', [passed], [], {}],
    ['is inconclusive if nothing applies', 'inconclusive', [{ ...passed, outcome: 'not-applicable' }], [], {}],
    ['is failed if a must is broken', 'failed', [passed, failed], [findingOf('update.success-is-200')], {}],
    ['is failed if a response breaks a must', 'failed', [passed], [findingOf('errors.body', { checks: [] })], {}],
    ['is passed if a should is broken', 'passed', [passed, failedShould], [shouldFinding], {}],
    ['is failed if a should is broken that counts', 'failed', [failedShould], [shouldFinding], { failOn: 'should' }],
    ['is passed if a should is inconclusive', 'passed', [passed, openShould], [], {}],
    ['is inconclusive if a should that counts is', 'inconclusive', [passed, openShould], [], { failOn: 'should' }],
    ['is passed if a failure is known', 'passed', [passed, known], [], {}],
    ['is failed if a baseline entry does not hold', 'failed', [passed], [], { baselineProblems: ['It is fixed.'] }],
    ['is error if the suite failed', 'error', [{ ...passed, outcome: 'error' }], [], { interrupted: true }],
    ['is interrupted before it is failed', 'interrupted', [failed], [], { interrupted: true }],
    ['is inconclusive if nothing shows a must', 'inconclusive', [passed], [], open()],
    ['is inconclusive if nothing shows a must beside an open should', 'inconclusive', [passed, openShould], [], open()],
    ['is passed if a known failure keeps a must from being shown', 'passed', [passed, known], [], open()],
    ['is inconclusive if it was broken once, too', 'inconclusive', [passed, known], [], open({ seenOnce: true })],
    [
      'is passed if a must is open because of a check that is no must',
      'passed',
      [passed, openShould],
      [],
      open(ofOpen),
    ],
    [
      'is inconclusive if a must was broken once in a check that passed in the end',
      'inconclusive',
      [passed],
      [],
      open({ checks: [passed.id], seenOnce: true, seenIn: passed.id }),
    ],
    ['is inconclusive if a value was not restored', 'inconclusive', [passed], [], restored('not-restored')],
    ['is passed if a value was never shown', 'passed', [passed], [], restored('never-shown')],
    [
      'is inconclusive if what comes now and then was not seen again',
      'inconclusive',
      [passed],
      [],
      { again: [changeOf('update-role', { became: 'not-seen-again' })] },
    ],
  ])('%s', (_what, expected, checks, findings, own) => {
    expect(verdictOf(checks, findings, own)).toBe(expected);
  });

  it('takes the level of a failed check from what it broke', () => {
    const finding = findingOf('update.unsent-fields-keep', { checks: ['value-long'] });
    expect(itemsOf({ checks: [failedShould], findings: [shouldFinding, finding], requirements: [] })[0]?.level).toBe(
      'must',
    );
    expect(verdictOf([passed, failedShould], [shouldFinding, finding])).toBe('failed');
  });
});
