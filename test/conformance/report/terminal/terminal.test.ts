import { describe, expect, it } from 'vitest';
import { plain } from '../../../../conformance/report/terminal/paint.ts';
import { resultDocument } from '../../../../conformance/report/documents/result.ts';
import { terminalText } from '../../../../conformance/report/terminal/terminal.ts';
import { quietReport } from '../../../../conformance/report/terminal/quiet.ts';
import type { CheckResult, Result } from '../../../../conformance/result/result.ts';
import { VERDICTS } from '../../../../conformance/result/verdict.ts';
import {
  checkResult,
  everyStanding,
  failedCheck,
  findingOf,
  HOSTILE_TEXTS,
  NO_ROLES,
  unseenCheck,
  hostileResult,
  resultOf,
  UNSEEN,
} from '../../../support/results.ts';

const pretty = (result: Result, width = 100): string => terminalText(resultDocument(result), { paint: plain, width });

/** A run in which checks were inconclusive for these reasons. */
function inconclusive(...details: string[]): string {
  const checks = details.map((detail, index) =>
    unseenCheck(detail, { id: `check-${index}`, reason: 'not-observable' }),
  );
  return pretty(resultOf(checks, { verdict: 'inconclusive' }));
}

describe('the report for a terminal', () => {
  it.each(HOSTILE_TEXTS)('sends no command of the target to the terminal: %#', (text) => {
    const result = hostileResult(text);
    expect(pretty(result)).not.toMatch(UNSEEN);
    expect(terminalText(resultDocument(result), { paint: plain, width: 80, verbose: true })).not.toMatch(UNSEEN);
    expect(quietReport({ ...result, hints: [{ id: 'x', text }] })).not.toMatch(UNSEEN);
  });

  it('has a line for each finding and each reason where it is quiet, with what was received, and what was judged', () => {
    const failed = failedCheck('Bob');
    const unseen = ['a key is missing', 'a user is missing', 'a user is missing'].map((detail, index) =>
      unseenCheck(detail, { id: `check-${index}` }),
    );
    const known = failedCheck('x', { id: 'known', knownFailure: true });
    const result = resultOf([{ ...failed, exchanges: failed.exchanges.slice(0, 1) }, known, ...unseen]);
    expect(quietReport(result).split('\n').slice(1)).toEqual([
      'failed  finding-update-name-stored  must  name is Bob [response: 200 Bob Bob]',
      'inconclusive  missing-input  3 checks: a user is missing, …',
      '',
    ]);
    const part = { ...result, selection: { only: ['x'], skip: [], failOn: 'must' as const } };
    expect(quietReport(part)).toMatch(/^passed \(selection\) {2}http/);
    expect(quietReport(result)).toMatch(/^passed {2}http/);
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

  it('says how to restore users that were not', () => {
    const restoration = { outcome: 'partial', users: [], journal: '/tmp/journal-1.json' } as const;
    const report = pretty({ ...resultOf([checkResult()]), restoration });
    expect(report).toContain('To try again: admin-api-conformance restore /tmp/journal-1.json');
  });

  it('says what was explored, with the seed that repeats it', () => {
    const detail = '5 sequences of 47 requests in all, seed 17';
    const explored = checkResult({ id: 'update-explored', detail });
    expect(pretty(resultOf([explored]))).toContain(`  explored       ${detail}\n`);
    expect(pretty(resultOf([checkResult({ detail })]))).not.toContain('explored');
  });

  it('shows a member that is not there as such, and not as a text in quotes', () => {
    const base = { mode: 'm', message: 'gone', advice: 'Fix it.' };
    const failure = { ...base, expected: 'Ada', actual: '(absent)', pointer: '/name' };
    expect(pretty(resultOf([failedCheck('x', { failure })]))).toContain('actual   (absent) at /name');
  });

  it.each(VERDICTS)('begins with the verdict, in 80 columns: %s', (verdict) => {
    const [line = ''] = pretty(resultOf([checkResult()], { verdict }), 80).split('\n');
    expect(line).toContain(verdict.toUpperCase());
    expect(line.length).toBeLessThanOrEqual(80);
  });

  it('has the findings in the order of the result: those that decide, those that do not, those that are known', () => {
    const checks = everyStanding().filter(({ id }) => id !== 'error');
    const text = pretty(resultOf(checks.toReversed(), { verdict: 'failed' }));
    const shown = [...text.matchAll(/^ {4}rerun .* --only (\S+)$/gm)].map(([, id]) => id);
    expect(shown).toEqual(['failed', 'unscored', 'should', 'known']);
    expect(text.indexOf('Findings that do not fail the run')).toBeLessThan(text.indexOf('Inconclusive checks'));
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
    const [first] = failed.map(findingOf);
    if (!first) throw new Error('there is a finding');
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

  it('has a check that lacks an input among the reasons, also where a finding has it', () => {
    const failed = failedCheck('Bob');
    const unseen = unseenCheck(NO_ROLES, { id: 'later' });
    const findings = [{ ...findingOf(failed), consequences: ['later'] }];
    expect(pretty(resultOf([failed, unseen], { findings }))).toContain('CONFORMANCE_ROLE_IDS (two roles): 1 check');
  });

  it('names a reason once where the reasons differ only in the members and in where they are missing', () => {
    const text = inconclusive(
      'the target does not show `name` in a later response',
      'the target does not show `name` and `email` in the response to the update',
      'the target does not show `rootRole` in a later response',
      'no later response shows what was sent',
    );
    expect(text).toContain(
      '  not-observable 3 checks\n    the target does not show `email`, `name`, `rootRole` where that is needed\n',
    );
    expect(text).toContain('  not-observable 1 check\n    no later response shows what was sent\n');
  });

  it('keeps the place where it is the same, and the words where there is only one reason', () => {
    const [one, two] = ['name', 'rootRole'].map((name) => `the target does not show \`${name}\` in a later response`);
    expect(inconclusive(`${one}`, `${two}`)).toContain(
      'the target does not show `name`, `rootRole` in a later response\n',
    );
    expect(inconclusive('the target shows `a`, but not `b` there')).toContain(
      '    the target shows `a`, but not `b` there\n',
    );
  });
});
