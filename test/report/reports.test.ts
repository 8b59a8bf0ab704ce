import { describe, expect, it } from 'vitest';
import type { Level } from '../../contract/document.ts';
import type { RequirementResult, Result } from '../../conformance/facts/result.ts';
import { assertCheck, assertVerdict, ConformanceError, skipReason } from '../../conformance/report/assertions.ts';
import { htmlMatrix, htmlReport } from '../../conformance/report/html.ts';
import { junitReport } from '../../conformance/report/junit.ts';
import { judgedTarget, makeMatrix } from '../../conformance/report/matrix.ts';
import { annotations, markdownComparison, markdownMatrix, markdownReport } from '../../conformance/report/markdown.ts';
import { quietReport, terminalComparison, terminalMatrix, terminalReport } from '../../conformance/report/terminal.ts';
import { wordsOf } from '../../conformance/result/titles.ts';
import { brokenCommand, commandsOf, headlineOf, indented, otherFailures } from '../../conformance/report/words.ts';
import { compareResults } from '../../conformance/result/compare.ts';
import { defects } from '../../proof/catalogue.ts';
import { judgeServer } from '../../proof/judge.ts';
import { hasXmllint, junitProblems } from '../support/formats.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { checkOf, exchange, findingOf, resultOf, resultWith, sample } from './sample.ts';
import type { Fault } from '../../conformance/facts/fault.ts';

const passed = resultOf([checkOf('update-name'), checkOf('value-long', { level: 'should' })]);
const unreached = resultOf([checkOf('update-name', { outcome: 'inconclusive', reason: 'no-user' })], [], {
  verdict: 'inconclusive',
  message: 'The target was away for 30 s: ECONNREFUSED.',
  restoration: { outcome: 'none', users: [] },
  hints: [{ id: 'connection-refused', text: 'Nothing listens on 127.0.0.1:4299. Is your server running?' }],
});
const matrix = makeMatrix([
  judgedTarget('server-1', sample, 'server-1/report.html'),
  judgedTarget('server-2', passed),
  {
    ...{ name: 'server-3', baseUrl: 'http://127.0.0.1:4243', verdict: 'interrupted', requirements: [] },
    words: 'The run was stopped first.',
  },
]);
const comparison = compareResults(passed, sample);
const shouldFinding = findingOf('update.values-faithful', { level: 'should', checks: ['value-long'] });

const lines = (text: string): string[] => text.trimEnd().split('\n');
/** The style is no part of what a page says. */
const withoutStyle = (page: string): string =>
  page
    .replace(/<style>.*<\/style>/s, '<style></style>')
    .replaceAll(/sha256-[\w+/=]+/g, 'sha256')
    .replace(/<script>.*<\/script>/s, '<script></script>');

describe('the reports of one result', () => {
  it.each<[file: string, text: string]>([
    ['terminal.txt', terminalReport(sample)],
    ['terminal-verbose.txt', terminalReport(sample, { verbose: true, width: 100 })],
    ['terminal-passed.txt', terminalReport(passed)],
    ['terminal-unreached.txt', terminalReport(unreached)],
    ['quiet.txt', quietReport(sample)],
    ['report.html.txt', withoutStyle(htmlReport(sample))],
    ['report.md.txt', markdownReport(sample)],
    ['annotations.txt', annotations(sample).join('\n')],
    ['junit.xml', junitReport(sample)],
    ['matrix.txt', terminalMatrix(matrix)],
    ['matrix.html.txt', withoutStyle(htmlMatrix(matrix))],
    ['matrix.md.txt', markdownMatrix(matrix)],
    ['comparison.txt', terminalComparison(comparison)],
    ['comparison.md.txt', markdownComparison(comparison)],
  ])('%s', async (file, text) => {
    await expect(text).toMatchFileSnapshot(`golden/${file}`);
  });

  it.runIf(hasXmllint)('JUnit is valid', () => {
    expect(junitProblems(junitReport(sample))).toBe('');
  });
});

it('a terminal is told what it needs to know in a few lines of 80 columns', () => {
  const all = [sample, passed, unreached].flatMap((each) => lines(terminalReport(each)));
  expect(all.filter((line) => line.length > 80)).toEqual([]);
  const detail = 'which is long enough that it does not fit into one line of a terminal';
  const open = Array.from({ length: 18 }, (_each, index) => {
    const outcome = index < 9 ? 'inconclusive' : 'not-applicable';
    return checkOf(`open-${index}`, { level: 'should', outcome, detail: `reason ${index}, ${detail}` });
  });
  const most = resultOf([...passed.checks, ...open], [], { observations: [...sample.observations] });
  expect(lines(terminalReport(most)).length).toBeLessThanOrEqual(16);
  expect(lines(terminalReport(unreached)).length).toBeLessThanOrEqual(12);
  const one = resultOf([...sample.checks], sample.findings.slice(1, 2), { verdict: 'failed' });
  const none = resultOf([...sample.checks], [], { verdict: 'failed' });
  expect(lines(terminalReport(one)).length - lines(terminalReport(none)).length).toBeLessThanOrEqual(13);
});

it('what else failed of responses is told of each kind once, with a request, and without what the title says', () => {
  const failures = [
    ['404', 'PUT /a'],
    ['404', 'PUT /b'],
    ['401', 'GET /c'],
  ].map(([status = '', request = '']) => {
    return { title: `The body of a ${status} response is not JSON`, request, expected: 'JSON', actual: `"${request}"` };
  });
  const title = 'The body of a 404 response is not JSON (also in responses with 401)';
  const finding = findingOf('bodies.json', { kind: 'response', title, failures, checks: [] });
  expect(otherFailures(finding)).toEqual(['The body of a 401 response is not JSON (GET /c)']);
});

it('a note says which requirements nothing showed, since the responses were too wrong for it', () => {
  const open: RequirementResult = { id: 'errors.name', level: 'must', text: '', outcome: 'inconclusive', checks: [] };
  const report = terminalReport(resultOf([checkOf('a')], [], { verdict: 'failed', requirements: [open] }));
  expect(report).toContain('? `errors.name` inconclusive: no response could show it');
});

it('a narrow terminal is told as much as a wide one, in lines that fit', () => {
  const fix = `${'Look the key up among those that you issued, and respond with 401. '.repeat(4)}Last.`;
  const result = resultOf([checkOf('a')], [findingOf('auth.key-valid', { fix })], { verdict: 'failed' });
  const narrow = terminalReport(result, { width: 40 });
  expect(narrow).toContain('Last.');
  const own = lines(narrow).filter((line) => !/^ +(?:'|-|npx|curl)/.test(line));
  expect(own.filter((line) => line.length > 40)).toEqual([]);
});

describe('the first line', () => {
  const open = checkOf('b', { outcome: 'inconclusive' });
  const hints = [{ id: 'key', text: 'The admin key is refused with 401. Is it right?' }];
  const unproven = resultOf([checkOf('a'), open], [], { verdict: 'inconclusive' });
  const stop = 'User 4 owns the admin key.';
  const left: Result['restoration'] = {
    outcome: 'partial',
    users: [{ id: '4', members: [{ member: 'name', outcome: 'not-restored' }] }],
  };
  const selection: Result['selection'] = { only: ['update-*'], skip: [], failOn: 'must' };
  const withBroken = (levels: readonly Level[], own: Partial<RequirementResult> = {}): Result => {
    const requirements = levels.map((level, index): RequirementResult => {
      return { id: `r.${index}`, level, text: 'It holds.', outcome: 'failed', checks: [], ...own };
    });
    const baseline = { file: 'known.json', entries: 27 };
    return resultOf([checkOf('a')], [], { requirements, selection: { only: [], skip: [], failOn: 'must', baseline } });
  };

  it.each<[string, Result, string]>([
    ['a pass of a selection', { ...passed, selection }, 'Everything that was selected conforms to the contract.'],
    ['a broken should', withBroken(['should']), 'No must is broken; 1 should is.'],
    [
      'known failures',
      withBroken(['must', 'must', 'should'], { knownFailure: true }),
      '2 musts are broken, all known (27 entries in known.json); 1 should is, and known.',
    ],
    [
      'a requirement that a response broke once',
      {
        ...withBroken(['must'], {
          outcome: 'inconclusive',
          seenOnce: true,
          detail: 'Once, and not again: A 404 error is empty',
        }),
        verdict: 'inconclusive',
      },
      'Nothing failed, but `r.0` was broken once, and not again: A 404 error is empty.',
    ],
    [
      'a selection that passes beside a broken response',
      { ...withBroken(['must']), verdict: 'failed', selection, findings: [findingOf('errors.body', { checks: [] })] },
      'The selected check passes, but some responses break requirements that hold for every response. 1 of 1 must requirement is broken.',
    ],
    [
      'an open check with a hint',
      { ...unproven, hints },
      'Nothing failed, but 1 check could not be judged. The admin key is refused with 401. Is it right?',
    ],
    [
      'a run that had to stop',
      { ...unproven, checks: [checkOf('a'), { ...open, detail: stop }], hints, message: stop },
      'User 4 owns the admin key. Nothing failed, but 1 check could not be judged.',
    ],
    [
      'a run that judged nothing, and left something',
      { ...resultOf([open], [], { verdict: 'inconclusive' }), hints, message: stop, restoration: left },
      'Not as before: name of user 4. Nothing could be checked. The admin key is refused with 401. Is it right?',
    ],
    ['an error of the suite', { ...passed, verdict: 'error' }, 'The suite failed, not the target. Please report it.'],
  ])('of %s', (_what, result, words) => {
    expect(headlineOf(result).words).toBe(words);
  });
});

describe('the rerun of a finding', () => {
  const command = 'npx admin-api-conformance run http://127.0.0.1:4242 --user-id 4';
  const selection: Result['selection'] = { only: ['update-*', 'auth'], skip: ['concurrent-puts'], failOn: 'must' };

  it.each<[what: string, own: Partial<typeof shouldFinding>, given: string | undefined, rerun: string]>([
    ['fails for a should', {}, command, `${command} --only value-long --fail-on should`],
    ['fails once for a should', {}, `${command} --fail-on should`, `${command} --fail-on should --only value-long`],
    [
      'can be pasted',
      { level: 'must' },
      'admin-api-conformance run http://a',
      'npx admin-api-conformance run http://a --only value-long',
    ],
    [
      'is the same run again if no check has failed for it',
      { level: 'must', checks: [] },
      undefined,
      "npx admin-api-conformance run http://127.0.0.1:4242 --user-id=4 --role-ids=1,2 --only 'update-*,auth' --skip concurrent-puts",
    ],
  ])('%s', (_what, own, given, rerun) => {
    const tool = { name: 'admin-api-conformance', version: '1', command: given };
    expect(commandsOf({ ...shouldFinding, ...own }, resultOf([], [], { tool, selection })).rerun).toBe(rerun);
  });

  it('selects an update beside a list that refuses the key, which would tell nothing alone', async () => {
    const refusing = defects.find(({ id }) => id === 'banners-refuse-admin-key');
    const { result } = await judgeServer(refusing ?? {}, { only: ['banners-accepted', 'update-name'] });
    const reruns = result.findings.map((each) => commandsOf(each, result).rerun);
    expect(reruns).toEqual([expect.stringMatching(/ --only banners-accepted --only update-name$/)]);
  });
});

it('a command is never broken within the bytes of a body', () => {
  const body = `--data-raw "$(printf '{"name":"Conformance abc caf\\351 it'\\''s"}')"`;
  const lines = brokenCommand(`curl -i -X PUT 'http://127.0.0.1/' ${body}`, 40);
  expect(lines.at(-1)?.trim()).toBe(body);
});

it.each([
  ['it did not send', 'an earlier one', ', which it did not send'],
  ['it sent itself', 'sent', ''],
  ['was the old one in another case', 'SENT', ''],
])('a refused request that stored what %s is told so', (_what, came, end) => {
  const path = '/api/admin/user-admin/4';
  const request = { operation: 'updateUser', path, headers: {}, body: '{"email":"sent"}' } as const;
  const member = { user: '4', member: 'email', due: 'old', came, request };
  const fault: Fault = { kind: 'member', change: 'changed-by-refused', ...member };
  expect(wordsOf(fault).title).toBe(
    `PUT /api/admin/user-admin/4 with {"email":"sent"} was refused, and still changed \`email\` from "old" to "${came}"${end}`,
  );
});

describe('a body', () => {
  const padding = 'x'.repeat(60);

  it('has a line for each value', () => {
    expect(indented(`{"a": [1, {}], "b": "\\", ${padding}"}`)).toBe(
      `{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "\\", ${padding}"\n}`,
    );
  });

  it.each([`{"a":4.0,"b":"${padding}"}`, `{"a":"\\u0041${padding}"}`, '['.repeat(4_000), '{"a":"'.repeat(50), padding])(
    'stays as it is if it would lose its spelling, nests too deep, or is no JSON: %.20s',
    (text) => {
      expect(indented(text)).toBe(text);
    },
  );

  it('is cut where it is long, so that there is room for a comment', () => {
    const body = JSON.stringify(Array.from({ length: 500 }, (_each, index) => ({ index })));
    const findings = Array.from({ length: 200 }, (_each, index) =>
      findingOf(`f.${index}`, { exchanges: [exchange('{}', body), exchange('{}', 'x\n'.repeat(2_000))] }),
    );
    const result = resultOf([], findings, { verdict: 'failed' });
    const markdown = markdownReport(result);
    expect(markdown).toContain('more lines');
    expect(markdown).not.toContain('"index": 4');
    expect(markdown.length).toBeLessThan(65_536);
    expect(markdown).toMatch(/and \d+ more: `f\.\d+`/);
    expect(htmlReport(result).split('&quot;index&quot;: 7\n').length).toBe(201);
  });
});

const LONG = '"'.repeat(20_001) + "'".repeat(20_001) + '\\'.repeat(20_001) + ' -'.repeat(20_000);

describe('what a hostile target sends', () => {
  it.each([...HOSTILE_TEXTS, LONG])('is shown as text: %.20s', (text) => {
    const result = resultWith(text);
    const reports = [
      terminalReport(result, { verbose: true }),
      terminalReport(result),
      quietReport(result),
      htmlReport(result),
      markdownReport(result),
      annotations(result).join('\n'),
      junitReport(result),
      terminalMatrix(makeMatrix([judgedTarget(text, result, text)])),
      htmlMatrix(makeMatrix([judgedTarget(text, result)])),
      terminalComparison(compareResults(passed, result)),
    ];
    for (const report of reports) expect(report).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\p{Zl}\u202a-\u202e\u2066-\u2069]/u);
    expect(htmlReport(result).match(/<(script|img)/g)).toEqual(['<script']);
    expect(annotations(result).every((line) => /^::(error|warning) title=[^\n]*$/.test(line))).toBe(true);
    if (hasXmllint) expect(junitProblems(junitReport(result))).toBe('');
  });
});

describe('the assertions of the library', () => {
  it('pass, fail, and skip a test for each check', () => {
    expect(() => assertCheck(sample, 'body-null')).not.toThrow();
    expect(() => assertCheck(sample, 'update-name')).toThrow(ConformanceError);
    expect(() => assertCheck(sample, 'update-name')).toThrow(/Updating only `name` cleared `email`[^]*rerun +npx/);
    expect(() => assertCheck(sample, 'banner-ids')).toThrow('CONFORMANCE_BANNER_IDS is not set');
    expect(() => assertCheck(sample, 'body-array')).not.toThrow();
    expect(() => assertCheck(sample, 'update-nmae')).toThrow('Did you mean update-name?');
    const skipped = ['banner-ids', 'user-username', 'body-array'];
    const reasons: string[] = [];
    for (const id of [...skipped, 'body-null']) assertCheck(sample, id, (reason) => reasons.push(reason));
    expect(reasons).toEqual(skipped.map((id) => skipReason(sample, id)));
    expect(skipReason(sample, 'update-name')).toBeUndefined();
  });

  it('say what prevents a pass', () => {
    expect(() => assertVerdict(passed)).not.toThrow();
    expect(() => assertVerdict(sample)).toThrow(/^FAILED[^]*update-name[^]*errors\.body[^]*baseline: body-text/);
    expect(() => assertVerdict(unreached)).toThrow('Nothing listens on 127.0.0.1:4299.');
  });
});

describe('what is left of a run', () => {
  const withLeft = (member: string) => {
    const members = [{ member, outcome: 'not-restored' as const, detail: 'it was 0, and is 1' }];
    const restoration = { outcome: 'partial' as const, users: [{ id: '4', members }], journal: 'my journal.json' };
    return terminalReport(resultOf([checkOf('a')], [], { verdict: 'inconclusive', restoration }));
  };

  it('is to be restored again if an update can set it', () => {
    expect(withLeft('name')).toContain("✗ To try again:\n    npx admin-api-conformance restore 'my journal.json'");
  });

  it('is to be fixed by hand if none can', () => {
    expect(withLeft('loginAttempts')).toContain("fix it by hand. 'my journal.json' has the old");
    expect(withLeft('loginAttempts')).not.toContain('admin-api-conformance restore');
  });
});
