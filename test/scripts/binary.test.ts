import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cli, execute, type CliResult, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ROOT } from '../support/repository.ts';

const folder = temporaryFolder();
/** The script that goes into the executable, without anything beside it. */
const script = folder.at('main.mjs');
const bundled = (...args: string[]): Promise<CliResult> => execute(process.execPath, [script, ...args]);

beforeAll(() =>
  execFileSync(process.execPath, [join(ROOT, 'scripts/package/binary.mjs'), '--bundle', script], { stdio: 'ignore' }),
);

// "npm run test:binary" runs the end-to-end tests with the executable itself.
describe('the script of the executable', () => {
  it('needs no file beside it', () => {
    const packages = [...readFileSync(script, 'utf8').matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from);
    expect(packages.filter((from) => from?.startsWith('node:') !== true)).toEqual([]);
  });

  it.each([
    ['--version'],
    ['list', '--format', 'json'],
    ['list', '--defects'],
    ['schema'],
    ['schema', 'config'],
    ['explain', 'framing-chunks'],
  ])('prints what the package prints: %s %s %s', async (...args) => {
    const { stdout } = await succeeds(bundled(...args));
    expect(stdout).toBe((await cli(args)).stdout);
  });

  it('judges, writes each report, and explores', async () => {
    const html = folder.at('report.html');
    await succeeds(bundled('run', '--reference', '--report', `html=${html}`, '--explore=1'));
    expect(readFileSync(html, 'utf8')).toContain('<style>');
  });
});
