import { readFileSync, writeFileSync } from 'node:fs';
import { validate } from 'ctrf';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { cli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { harProblems } from '../support/har.ts';
import { checkResult, resultOf } from '../support/results.ts';
import { hasXmllint, junitProblems, xpath } from '../support/xmllint.ts';
import { environmentFor, withServer } from '../support/target.ts';

const FORMATS = ['json', 'junit', 'ctrf', 'html', 'markdown', 'badge', 'har'] as const;

const folder = temporaryFolder();
const reportArgs = FORMATS.flatMap((format) => ['--report', `${format}=${folder.at(`report.${format}`)}`]);
const written = (format: (typeof FORMATS)[number]): string => readFileSync(folder.at(`report.${format}`), 'utf8');

/** A server that loses the name with every other update, echoes keys, and responds with markup. */
const KEYS = { admin: 'S3cret+Admin/Key=="<&', restricted: 'S3cret-Restricted-Key' };
const seed = { ...defaultSeed, keys: KEYS };
const hostile = () => ({
  applyUpdate: (store: { users: Map<number, object> }, user: { id: number }, update: object) => {
    const next = { ...user, name: `<script>alert(1)</script>${KEYS.admin}`, ...update, id: user.id };
    store.users.set(user.id, next);
    return next as never;
  },
  refuse: (status: number, message: string) => ({
    status,
    body: {
      id: '\u202e</pre><script>',
      name: `Echo ${KEYS.restricted}`,
      message,
      seen: KEYS,
      base64: Buffer.from(KEYS.admin).toString('base64'),
      encoded: encodeURIComponent(KEYS.admin),
      lines: '\n::error::from the target\n```\n',
    },
    headers: { 'x-echo': KEYS.admin },
  }),
});

describe('the reports of a run', () => {
  let stdout: string;
  let stderr: string;
  let summary: string;
  let result: Result;
  let failed: number;

  beforeAll(async () => {
    const summaryPath = folder.write('summary.md', 'of an earlier step\n');
    await withServer({ seed, replace: hostile }, async (server) => {
      const environment = {
        ...environmentFor(server),
        GITHUB_ACTIONS: 'true',
        GITHUB_STEP_SUMMARY: summaryPath,
      };
      const ended = await cli(['run', ...reportArgs], environment);
      expect(ended.code).toBe(1);
      ({ stdout, stderr } = ended);
    });
    summary = readFileSync(summaryPath, 'utf8');
    result = JSON.parse(written('json')) as Result;
    failed = result.checks.filter(({ outcome, level }) => outcome === 'failed' && level === 'must').length;
  });

  it('are all written, and say that the run failed', () => {
    expect(failed).toBeGreaterThan(5);
    expect(JSON.parse(written('badge'))).toEqual({
      schemaVersion: 1,
      label: 'conformance',
      message: `failed ${failed}`,
      color: 'red',
    });
    expect(validate(JSON.parse(written('ctrf')))).toMatchObject({ valid: true });
    expect(harProblems(JSON.parse(written('har')))).toEqual([]);
    expect(written('html')).toContain('<strong>FAILED</strong>');
    expect(written('html').match(/<script/g)).toHaveLength(1);
    expect(written('markdown')).toMatch(/^## FAILED: /);
    expect(written('junit')).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /);
  });

  it.skipIf(!hasXmllint)('the JUnit one is valid, and counts what failed (needs xmllint, of libxml2-utils)', () => {
    expect(junitProblems(written('junit'))).toBe('');
    expect(xpath(written('junit'), 'string(/testsuites/@failures)')).toBe(String(failed + 1));
    expect(xpath(written('junit'), 'string(/testsuites/@tests)')).toBe(String(result.checks.length + 1));
  });

  it('hold no key, in no encoding', () => {
    const everything = [...FORMATS.map(written), stdout, stderr, summary].join('\n');
    for (const text of ['S3cret', Buffer.from(KEYS.admin).toString('base64')]) expect(everything).not.toContain(text);
  });

  it('go to the summary of the job too, behind what is there', () =>
    expect(summary).toBe(`of an earlier step\n\n${written('markdown')}`));

  it('become annotations on stderr; in stdout no line of the target is taken for one', () => {
    const commands = stderr.split('\n').filter((line) => line.startsWith('::'));
    const deciding = result.findings.filter(({ level }) => level === 'must');
    expect(commands.filter((line) => line.startsWith('::error title='))).toHaveLength(Math.min(10, deciding.length));
    expect(stdout.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([]);
  });

  it.each(FORMATS)('are rendered again from the result, to the letter: %s', async (format) => {
    const { stdout: again, stderr: talk } = await succeeds(
      cli(['render', folder.at('report.json'), '--format', format]),
    );
    expect(again).toBe(written(format));
    expect(talk).toBe('');
  });

  it('has the one for a terminal rendered as run printed it', async () => {
    await withServer({}, async (server) => {
      const path = folder.at('good.json');
      const { stdout: printed } = await cli(['run', '--report', `json=${path}`], environmentFor(server));
      expect((await cli(['render', path])).stdout).toBe(printed);
      expect((await cli(['render', path, '--format', 'pretty'], { FORCE_COLOR: '1' })).stdout).toContain('\u001b[');
      const output = folder.at('good.txt');
      expect((await cli(['render', path, '--output', output])).stdout).toBe('');
      expect(readFileSync(output, 'utf8')).toBe(printed);
    });
  });
});

describe('on GitHub Actions', () => {
  it('stdout is the result alone, and a good run has no annotation', async () => {
    const path = folder.at('fresh-summary.md');
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path };
    const { stdout, stderr } = await succeeds(cli(['run', '--reference', '--format', 'json'], environment));
    expect((JSON.parse(stdout) as Result).verdict).toBe('passed');
    expect(stderr).not.toContain('::');
    expect(readFileSync(path, 'utf8')).toMatch(/^\n## PASSED: /);
  });

  it('a summary that is full, or cannot be written, changes nothing but a line on stderr', async () => {
    const full = folder.at('full.md');
    writeFileSync(full, 'x'.repeat(1024 * 1024 - 10));
    for (const path of [full, folder.at('nowhere', 'summary.md')]) {
      const { stderr } = await succeeds(cli(['run', '--reference'], { GITHUB_STEP_SUMMARY: path }));
      expect(stderr).toContain('the job summary could not be written: ');
    }
    expect(readFileSync(full, 'utf8')).toHaveLength(1024 * 1024 - 10);
  });
});

const result = resultOf([checkResult()]);

it('render takes a result of an earlier version, with checks that are no more, and of a later one, with members more', async () => {
  const check = checkResult({ id: 'retired-check', requirements: ['retired.requirement'], scored: false });
  const checks = [{ ...check, added: 1 }];
  const other = folder.at('other-version.json');
  writeFileSync(other, JSON.stringify({ ...result, checks, hints: [], tool: { name: 'old', version: '0.0.1' } }));
  for (const format of ['pretty', ...FORMATS]) {
    const { stdout, stderr } = await succeeds(cli(['render', other, '--format', format]));
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
  }
});
