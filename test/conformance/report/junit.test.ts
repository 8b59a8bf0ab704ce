import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../conformance/report/junit.ts';
import { checkResult, failedCheck, HOSTILE_TEXTS, hostileResult, resultOf } from '../../support/results.ts';
import { hasXmllint, junitProblems, xpath } from '../../support/xmllint.ts';

const VERDICT = "//testsuite[@name='admin-api-conformance.verdict']/testcase";

describe.skipIf(!hasXmllint)('the JUnit report (needs xmllint, of libxml2-utils)', () => {
  it.each(HOSTILE_TEXTS)('is valid whatever the target sent: %#', (text) =>
    expect(junitProblems(junitReport(hostileResult(text)))).toBe(''),
  );

  it('shows what was sent, up to what XML cannot hold', () => {
    const text = ']]>&amp;<b>"\'\ttab\u0000\ud800';
    const xml = junitReport(resultOf([failedCheck(text)], { verdict: 'failed' }));
    expect(xpath(xml, 'string(//testcase/failure[@type="not-stored"]/@message)')).toBe(
      'name is ]]>&amp;<b>"\'\ttab\\u0000\\ud800',
    );
    expect(xpath(xml, 'string(//testcase/failure[@type="not-stored"])')).toContain(']]>&amp;<b>"\'');
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

  it('fails on a should where the run does', () => {
    const selection = { only: [], skip: [], failOn: 'should' } as const;
    const xml = junitReport(resultOf([failedCheck('Bob', { level: 'should' })], { selection, verdict: 'failed' }));
    expect(xpath(xml, 'count(//failure[@type="not-stored"])')).toBe('1');
  });
});

it.skipIf(!hasXmllint)('the schema of JUnit reports is no rubber stamp', () => {
  const xml = junitReport(resultOf([failedCheck('Bob')]));
  expect(junitProblems(xml.replace('<failure message=', '<failure massage='))).toContain('massage');
  expect(junitProblems(xml.replace(/time="0\.0\d+"/, 'time="soon"'))).toContain('soon');
  expect(junitProblems(xml.replace('Bob', 'B\u0000b'))).not.toBe('');
});
