import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { REPORT_FORMATS, type ReportFormat } from '../../cli/settings.ts';
import { cli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();
const written = (format: ReportFormat): string => folder.read(`report.${format}`);

/** The refusals of a server that responds with markup and with workflow commands. */
const hostile = () => ({
  refuse: (status: number, message: string) => ({
    status,
    body: { id: '\u202e</pre><script>', name: 'E', message, lines: '\n::error::from the target\n```\n' },
  }),
});

describe('the reports of a run', () => {
  let [stdout, stderr, summary] = ['', '', ''];

  beforeAll(async () => {
    const summaryPath = folder.write('summary.md', 'of an earlier step\n');
    const reports = REPORT_FORMATS.flatMap((format) => ['--report', `${format}=${folder.at(`report.${format}`)}`]);
    await withServer({ replace: hostile }, async (server) => {
      const own = { ...environmentFor(server), GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summaryPath };
      const args = ['run', '--only', 'first-updates,update-name*,auth*,bod*', ...reports];
      const ended = await cli(args, own);
      expect(ended.code).toBe(1);
      ({ stdout, stderr } = ended);
    });
    summary = readFileSync(summaryPath, 'utf8');
  });

  it('go to the summary of the job too, behind what is there', () =>
    expect(summary).toBe(`of an earlier step\n\n${written('markdown')}`));

  it('become annotations on stderr; in stdout no line of the target is taken for one', () => {
    expect(stderr.split('\n').filter((line) => line.startsWith('::error title='))).not.toEqual([]);
    expect(stdout.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([]);
  });

  it.each(REPORT_FORMATS)('are rendered again from the result: %s', async (format) => {
    const again = await succeeds(cli(['render', folder.at('report.json'), '--format', format]));
    const read = (text: string): unknown => (format === 'json' ? JSON.parse(text) : text);
    expect([read(again.stdout), again.stderr]).toEqual([read(written(format)), '']);
  });

  it('has the one for a terminal rendered as run printed it', async () => {
    const path = folder.at('good.json');
    const args = ['run', '--reference', '--only', 'banner*', '--report', `json=${path}`];
    const { stdout: printed } = await succeeds(cli(args));
    expect((await cli(['render', path])).stdout).toBe(printed);
    expect((await cli(['render', path], { FORCE_COLOR: '1' })).stdout).toContain('\u001b[');
  });
});

it('a summary that cannot be written changes nothing but a line on stderr', async () => {
  const own = { GITHUB_STEP_SUMMARY: folder.at('nowhere', 'summary.md') };
  const { stderr } = await succeeds(cli(['run', '--reference', '--only', 'banner*'], own));
  expect(stderr).toContain('the job summary could not be written: ');
});

it('--wait says why a target was not up, and judges it all the same', async () => {
  const args = ['run', 'http://127.0.0.1:1', '--only', 'banner*', '--wait', '1', '--deadline', '2000'];
  const { code, stdout, stderr } = await cli(args, { CONFORMANCE_ADMIN_KEY: 'some-admin-key' });
  expect(stderr).toMatch(/^127\.0\.0\.1:1 was not up within 1 second \(.*\); judging it anyway$/m);
  expect([code, stdout.includes('INCONCLUSIVE')]).toEqual([3, true]);
});
