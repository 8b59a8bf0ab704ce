import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../conformance/report/junit.ts';
import {
  checkResult,
  everyStanding,
  failedCheck,
  findingOf,
  HOSTILE_TEXTS,
  hostileResult,
  resultOf,
  unseenCheck,
} from '../../support/results.ts';
import { hasXmllint, junitProblems, xpath } from '../../support/xmllint.ts';

const VERDICT = "//testsuite[@name='admin-api-conformance.verdict']/testcase";

describe.skipIf(!hasXmllint)('the JUnit report (needs xmllint, of libxml2-utils)', () => {
  it.each(HOSTILE_TEXTS)('is valid whatever the target sent: %#', (text) => {
    expect(junitProblems(junitReport(hostileResult(text)))).toBe('');
  });

  it('shows what was sent, up to what XML cannot hold', () => {
    const text = ']]>&amp;<b>"\'\ttab\u0000\ud800';
    const xml = junitReport(resultOf([failedCheck(text)], { verdict: 'failed' }));
    expect(xpath(xml, 'string(//testcase/failure[@type="not-stored"]/@message)')).toBe(
      'name is ]]>&amp;<b>"\'\ttab\\u0000\\ud800',
    );
    expect(xpath(xml, 'string(//testcase/failure[@type="not-stored"])')).toContain(']]>&amp;<b>"\'');
  });

  it('has a failure with requirement, expected, actual, fix and curl line', () => {
    const xml = junitReport(resultOf([failedCheck('Bob')], { verdict: 'failed' }));
    const text = xpath(xml, 'string(//testcase/failure[@type="not-stored"])');
    expect(text).toContain('expected {"name":"Ada","list":[1,2]}');
    expect(text).toContain('actual   {"name":"Bob","list":[1,3]} at /name');
    expect(text).toContain('fix      Store what `name` is sent as.');
    expect(text).toContain('update.sent-fields-change\n      What `update.sent-fields-change` says.');
    expect(text).toContain('curl -i -X PUT');
  });

  it('names a case by id and title, in a class by its area, with its time in seconds', () => {
    const xml = junitReport(resultOf([checkResult()]));
    expect(xpath(xml, 'string(//testcase[@classname="admin-api-conformance.update"]/@name)')).toBe(
      'update-name-stored: The name that was sent is stored',
    );
    expect(xpath(xml, 'string(//testcase[@classname="admin-api-conformance.update"]/@time)')).toBe('0.012');
    expect(xpath(xml, 'string(/testsuites/@time)')).toBe('1.234');
    expect(xpath(xml, 'string(//testsuite[1]/@timestamp)')).toBe('2026-11-21T07:44:00');
  });

  it('names the finding in the text of a failure, and in the message of what is inconclusive because of it', () => {
    const failed = failedCheck('Bob');
    const unseen = unseenCheck('late', { id: 'later', reason: 'precondition-failed' });
    const findings = [{ ...findingOf(failed), consequences: ['later'] }];
    const xml = junitReport(resultOf([failed, unseen], { findings, verdict: 'failed' }));
    expect(xpath(xml, 'string(//testcase/failure[@type="not-stored"])')).toContain(
      'finding: finding-update-name-stored: name is Bob',
    );
    expect(xpath(xml, "string(//testcase[starts-with(@name,'later:')]/skipped/@message)")).toBe(
      'inconclusive, precondition-failed: late: finding finding-update-name-stored: name is Bob',
    );
  });

  it('has times that add up to no more than that of the run', () => {
    const checks = ['a', 'b', 'c'].map((id) => checkResult({ id, durationMs: 1000 }));
    const xml = junitReport(resultOf(checks));
    const sum = Number(xpath(xml, 'sum(//testsuite/@time)'));
    expect(sum).toBeLessThanOrEqual(1.234);
    expect(sum).toBeGreaterThan(1.2);
  });

  it('is green for a run that passed, and only then', () => {
    const passed = junitReport(resultOf([checkResult()]));
    expect(xpath(passed, 'count(//failure | //error)')).toBe('0');
    expect(xpath(passed, `count(${VERDICT})`)).toBe('1');
    for (const verdict of ['failed', 'inconclusive', 'interrupted', 'error'] as const) {
      const xml = junitReport(resultOf([checkResult()], { verdict }));
      expect(junitProblems(xml)).toBe('');
      expect(xpath(xml, `count(${VERDICT}/failure | ${VERDICT}/error)`)).toBe('1');
      expect(xpath(xml, `count(${VERDICT}/error)`)).toBe(verdict === 'failed' ? '0' : '1');
      expect(xpath(xml, 'number(/testsuites/@failures) + number(/testsuites/@errors)')).toBe('1');
    }
  });

  it('skips with the reason what was inconclusive, does not apply, is a known failure, or does not fail the run', () => {
    const xml = junitReport(resultOf(everyStanding().filter(({ id }) => !['failed', 'error'].includes(id))));
    expect(junitProblems(xml)).toBe('');
    const message = (id: string): string =>
      xpath(xml, `string(//testcase[starts-with(@name,'${id}:')]/skipped/@message)`);
    expect(message('unseen')).toBe('inconclusive, deadline: late');
    expect(message('unseen-known')).toBe('known failure: inconclusive, deadline: late');
    expect(message('inapplicable')).toBe('not applicable, no banner');
    expect(message('known')).toBe('known failure: name is Bob');
    expect(message('should')).toBe('failed, but a failed `should` does not fail this run: name is Bob');
    expect(message('unscored')).toBe(
      'failed, but this check is newer than the scored set of this contract version: name is Bob',
    );
    expect(xpath(xml, 'count(//failure | //error)')).toBe('0');
    expect(xpath(xml, "string(//testsuite[@name='admin-api-conformance.update']/@skipped)")).toBe('6');
    expect(xpath(xml, "string(//testcase[starts-with(@name,'should:')]/system-out)")).toContain('expected ');
  });

  it('fails on a should where the run does', () => {
    const selection = { only: [], skip: [], failOn: 'should' } as const;
    const xml = junitReport(resultOf([failedCheck('Bob', { level: 'should' })], { selection, verdict: 'failed' }));
    expect(xpath(xml, 'count(//failure[@type="not-stored"])')).toBe('1');
  });

  it('has a case for each baseline entry that no longer holds, and an error for an error of the suite', () => {
    const { summary } = resultOf([]);
    const xml = junitReport(
      resultOf([checkResult({ outcome: 'error', detail: 'it broke' })], {
        verdict: 'error',
        summary: { ...summary, baselineProblems: [{ id: 'x', kind: 'stale', message: 'x is now passed.' }] },
      }),
    );
    expect(junitProblems(xml)).toBe('');
    expect(xpath(xml, 'string(//testcase[@name="baseline: x"]/failure/@type)')).toBe('stale');
    expect(xpath(xml, 'string(//testcase[starts-with(@name,"update-")]/error/@message)')).toBe(
      'an error of the suite, not a failure of the target: it broke',
    );
  });

  it('has properties that say what was judged', () => {
    const xml = junitReport(resultOf([checkResult()]));
    const property = (name: string): string => xpath(xml, `string(//property[@name='${name}']/@value)`);
    expect(property('verdict')).toBe('passed');
    expect(property('contract')).toBe('Administrative API 1.1.0');
    expect(property('contract.digest')).toBe('a'.repeat(64));
    expect(property('target')).toBe('http://127.0.0.1:4242');
    expect(property('tool')).toBe('admin-api-conformance 0.1.0');
  });
});

it.skipIf(!hasXmllint)('the schema of JUnit reports is no rubber stamp', () => {
  const xml = junitReport(resultOf([failedCheck('Bob')]));
  expect(junitProblems(xml.replace('<failure message=', '<failure massage='))).toContain('massage');
  expect(junitProblems(xml.replace(/time="0\.0\d+"/, 'time="soon"'))).toContain('soon');
  expect(junitProblems(xml.replace('Bob', 'B\u0000b'))).not.toBe('');
});
