import { describe, expect, it } from 'vitest';
import { plain } from '../../../../conformance/report/terminal/paint.ts';
import { resultDocument } from '../../../../conformance/report/documents/result.ts';
import { terminalText } from '../../../../conformance/report/terminal/terminal.ts';
import { quietReport } from '../../../../conformance/report/terminal/quiet.ts';
import type { CheckResult, Result } from '../../../../conformance/result/result.ts';
import { VERDICTS } from '../../../../conformance/result/verdict.ts';
import {
  checkResult,
  failedCheck,
  findingOf,
  HOSTILE_TEXTS,
  unseenCheck,
  hostileResult,
  resultOf,
  UNSEEN,
} from '../../../support/results.ts';

const pretty = (result: Result, width = 100): string => terminalText(resultDocument(result), { paint: plain, width });

describe('the report for a terminal', () => {
  it.each(HOSTILE_TEXTS)('sends no command of the target to the terminal: %#', (text) => {
    const result = hostileResult(text);
    expect(pretty(result)).not.toMatch(UNSEEN);
    expect(terminalText(resultDocument(result), { paint: plain, width: 80, verbose: true })).not.toMatch(UNSEEN);
    expect(quietReport({ ...result, hints: [{ id: 'x', text }] })).not.toMatch(UNSEEN);
  });

  it('names fewer requirements of a finding before it cuts off how many checks show it', () => {
    const requirements = ['name-type', 'email-type', 'root-role-type', 'object'].map((what) => `request-body.${what}`);
    const result = resultOf([failedCheck('x', { requirements })]);
    const facts = pretty(result, 72).replaceAll(/\s+/g, ' ');
    expect(facts).toContain('must · seen in 2 requests · 1 failed check expected');
    expect(pretty(result, 100).replaceAll(/\s+/g, ' ')).toContain('must · request-body.name-type and 3 more · seen');
  });

  it('is made also where the address of a request is none', () => {
    const check = failedCheck('x');
    const exchanges = check.exchanges.map((each) => ({ ...each, request: { ...each.request, url: 'nowhere' } }));
    expect(pretty(resultOf([{ ...check, exchanges }]))).toContain('PUT nowhere');
  });

  it.each(VERDICTS)('begins with the verdict, in 80 columns: %s', (verdict) => {
    const [line = ''] = pretty(resultOf([checkResult()], { verdict }), 80).split('\n');
    expect(line).toContain(verdict.toUpperCase());
    expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(['Bob', '\n'.repeat(50), 'a b '.repeat(5_000), 'x'.repeat(20_000)])(
    'shows a finding in twelve lines of the width, and cuts neither fix nor request nor rerun: %#',
    (text) => {
      const failed = failedCheck(text);
      const advice = 'Do it. '.repeat(60).trim();
      const failure = failed.failure && { ...failed.failure, advice };
      for (const exchanges of [failed.exchanges, failed.exchanges.slice(0, 1)]) {
        const report = pretty(resultOf([{ ...failed, failure, exchanges }] as CheckResult[], { verdict: 'failed' }));
        const [, finding = ''] = /\nFindings\n\n([^]*?)\n\n/.exec(report) ?? [];
        const lines = finding.split('\n');
        expect(lines.length).toBeLessThanOrEqual(12);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
        const words = finding.replaceAll(/\s+/g, ' ');
        expect(words).toContain(`fix ${advice}`);
        expect(words).toContain('request PUT /api/admin/user-admin/1 with the admin key');
        expect(finding).toMatch(/\n {4}rerun {4}npx admin-api-conformance run http:\S+ --only update-name-stored$/);
      }
    },
  );

  it('breaks a command that is too long at its arguments, so that it can be pasted', () => {
    const { tool, ...rest } = resultOf([failedCheck('x')], { verdict: 'failed' });
    const command = `'./the suite' run --user-id 4 --other-user-id 5 --email-domain a.example --config c.yaml`;
    const text = pretty({ ...rest, tool: { ...tool, command } }, 80);
    const [, pasted = ''] = /\n {4}rerun {4}([^]*?[^\\])\n/.exec(text) ?? [];
    expect(pasted.split(/ \\\n +/).join(' ')).toBe(`${command} --only update-name-stored`);
    for (const line of pasted.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows the curl lines of a finding, where they have room', () => {
    const failed = failedCheck('Bob');
    const long = `curl ${"'x' ".repeat(200)}`;
    const unbroken = `curl --data-raw '${'['.repeat(8_000)}'`;
    const [short, ...others] = [failed, { ...failed, curl: long }, { ...failed, curl: unbroken }].map((check) =>
      pretty(resultOf([check])),
    );
    expect(short).toContain("\n    curl -i -X PUT 'http");
    for (const other of others) expect(other).not.toContain('curl');
    for (const text of [short, ...others]) expect(text?.match(/^ {4}request/gm)).toHaveLength(2);
  });

  it('fits two screens where one cause has many consequences', () => {
    const failed = Array.from({ length: 30 }, (_each, index) => failedCheck('Bob', { id: `check-${index}` }));
    const ids = Array.from({ length: 40 }, (_each, index) => `later-${index}`);
    const unseen = ids.map((id) => unseenCheck(`${id} rests on it`, { id, reason: 'precondition-failed' }));
    const [first = expect.fail('There is a finding.')] = failed.map(findingOf);
    const findings = [{ ...first, checks: failed.map(({ id }) => id), consequences: ids }];
    const observations = ids.map((id) => ({ id, observed: 'x', text: 'It does.' }));
    const result = resultOf([...failed, ...unseen], { verdict: 'failed', findings, observations });
    const text = pretty(result);
    expect(text.split('\n').length).toBeLessThan(60);
    expect(text).toContain('30 failed checks · 40 consequences');
    expect(text).not.toContain('Inconclusive checks');
    expect(text).toContain('Not shown: 30 failed checks behind the findings and 40 observations.');
    const whole = terminalText(resultDocument(result), { paint: plain, width: 100, verbose: true });
    for (const id of [...failed.map((each) => each.id), ...ids]) expect(whole).toContain(id);
    expect(whole).toContain('Observations\n');
    expect(whole).not.toContain('Not shown');
  });
});
