import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checks, defaultSeed, type Seed } from '../../conformance/index.ts';
import { cleanEnvironment, type CliResult, execute, runNpm } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isPosix } from '../support/platform.ts';
import { packInto, read, ROOT } from '../support/repository.ts';
import { environmentFor, freePort, withServer } from '../support/target.ts';

const temporary = temporaryFolder();
type Environment = Readonly<Record<string, string>>;
const RUNNERS = ['vitest', 'jest', 'node-test'] as const;
const EXAMPLES = [...RUNNERS, 'shell'] as const;
type Example = (typeof EXAMPLES)[number];

interface Ended {
  readonly code: number;
  /** Stdout and stderr, one after the other. */
  readonly output: string;
}

async function endOf(running: Promise<CliResult>): Promise<Ended> {
  const { code, stdout, stderr } = await running;
  return { code, output: stdout + stderr };
}

/** Runs npm in a folder. */
function npmIn(cwd: string, args: readonly string[], own: Environment = {}): Promise<Ended> {
  return endOf(runNpm('npm', args, { cwd, env: cleanEnvironment({ NO_COLOR: '1', ...own }) }));
}

/** Runs Node in a folder. */
function nodeIn(cwd: string, args: readonly string[], own: Environment = {}): Promise<Ended> {
  return endOf(execute(process.execPath, args, { cwd, env: cleanEnvironment({ NO_COLOR: '1', ...own }) }));
}

const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/;
const at = (example: Example, ...path: string[]): string => temporary.at('examples', example, ...path);
/** Why the packages of the examples could not be installed. */
let uninstalled: string | undefined;

beforeAll(async () => {
  const { tarball } = packInto(temporary.path);
  const copied = (source: string): boolean => !/[\\/](node_modules|reports)$/.test(source);
  cpSync(join(ROOT, 'examples'), temporary.at('examples'), { recursive: true, filter: copied });
  // They share their packages: one installation takes a third of the time of four.
  temporary.write('examples/package.json', JSON.stringify({ private: true, workspaces: EXAMPLES }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  const { code, output } = await npmIn(temporary.at('examples'), ['install', ...flags, tarball]);
  if (code !== 0) [uninstalled] = NO_REGISTRY.exec(output) ?? [];
  if (code !== 0 && uninstalled === undefined) throw new Error(`npm install in examples/ failed:\n${output}`);
  for (const example of EXAMPLES) symlinkSync('../node_modules', at(example, 'node_modules'), 'junction');
});
beforeEach(({ skip }) => skip(uninstalled !== undefined, `the registry cannot be reached (${uninstalled})`));

/** The lines that report tests with these marks. */
function marked(output: string, marks: RegExp): string[] {
  return output.split('\n').filter((line) => marks.test(line));
}

const MARKS = {
  vitest: { passed: /^\s*✓ /, failed: /^\s*× /, skipped: /^\s*↓ / },
  jest: { passed: /^\s*✓ /, failed: /^\s*✕ /, skipped: /^\s*○ skipped / },
  'node-test': { passed: /^\s*✔ /, failed: /^\s*✖ /, skipped: /^\s*﹣ / },
} as const;

function named(lines: readonly string[], { id, title }: { readonly id: string; readonly title: string }): boolean {
  return lines.some((line) => line.includes(`${id}: ${title}`));
}

describe.each(RUNNERS)('examples/%s', (runner) => {
  const { passed, failed, skipped } = MARKS[runner];

  it('is green, with a test for each check, and skips what does not apply with the reason', async () => {
    const { code, output } = await npmIn(at(runner), ['test']);
    expect(code, `Does examples/server.mjs have every operation?\n${output}`).toBe(0);
    const green = marked(output, passed);
    const white = marked(output, skipped);
    expect(checks.filter((check) => !named(green, check) && !named(white, check)).map(({ id }) => id)).toEqual([]);
    expect(green.some((line) => line.includes('the verdict'))).toBe(true);
    expect(marked(output, failed)).toEqual([]);
    expect(white.every((line) => line.includes('not applicable: '))).toBe(true);
  });

  it('is red for a server with a defect, and shows what is wrong, a fix and a curl line', async () => {
    const { code, output } = await npmIn(at(runner), ['test'], { FAULT: 'clears-email' });
    expect(code, output).toBe(1);
    const red = marked(output, failed);
    expect(checks.filter((check) => named(red, check)).map(({ id }) => id)).toContain('update-name');
    expect(red.some((line) => line.includes('the verdict'))).toBe(true);
    expect(marked(output, passed).some((line) => line.includes('auth-no-header: '))).toBe(true);
    for (const part of [
      'Updating only `name` cleared `email` (was "conformance.',
      'actual: ""',
      'Change only the members in the body.',
      'curl -i -X PUT ',
      'FAILED  http:',
    ]) {
      expect(output).toContain(part);
    }
    expect(output).not.toContain('example-admin-key');
    expect(marked(output, skipped).some((line) => line.includes('inconclusive (blocked)'))).toBe(true);
  });
});

describe.runIf(isPosix)('examples/shell', () => {
  it.for([
    ['passed', 0, {}],
    ['failed', 1, { FAULT: 'clears-email' }],
    ['usage error', 2, { CONFORMANCE_USER_ID: 'four' }],
    ['inconclusive', 3, { CONFORMANCE_USER_ID: '' }],
  ] as const)('shows how a run ended by exit code, a line and reports: %s', async ([how, expected, own]) => {
    rmSync(at('shell', 'reports'), { recursive: true, force: true });
    const port = String(await freePort());
    const { code, output } = await npmIn(at('shell'), ['test'], { PORT: port, ...own });
    expect(code, output).toBe(expected);
    expect(output).toContain(`conformance: ${how}`);
    await expect(fetch(`http://127.0.0.1:${port}/`), 'The server goes on.').rejects.toThrow();
    const reports = ['result.json', 'junit.xml', 'summary.md'].map((name) => at('shell', 'reports', name));
    expect(reports.filter((path) => existsSync(path))).toEqual(how === 'usage error' ? [] : reports);
    if (how !== 'usage error')
      expect(JSON.parse(readFileSync(reports[0] ?? '', 'utf8'))).toMatchObject({ verdict: how });
  });
});

/** The programs of docs/library.md, by the comment in their first line. */
const blocks = read('docs/library.md').matchAll(/^```js\n\/\/ (.*)\n([^]*?)^```$/gm);
const listings = new Map([...blocks].map(([, name = '', code = '']) => [name, code]));

const LISTINGS = [
  ['judge.js', 'node-test', ['judge.js']],
  ['conformance.test.js, for vitest', 'vitest', ['node_modules/vitest/vitest.mjs', 'run']],
  ['conformance.test.js, for node:test', 'node-test', ['--test', 'conformance.test.js']],
  [
    'conformance.test.js, for jest: start it by node --experimental-vm-modules',
    'jest',
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  ],
] as const;

describe('the programs of docs/library.md', () => {
  const seed: Seed = { ...defaultSeed, users: defaultSeed.users.map((user, index) => ({ ...user, id: index + 4 })) };

  it('are tested here, all of them', () =>
    expect([...listings.keys()].sort()).toEqual(['target.js', ...LISTINGS.map(([name]) => name)].sort()));

  it.each(LISTINGS)('fail a broken server, and say why: %s', async (name, example, args) => {
    const own = temporary.fresh();
    symlinkSync(at(example, 'node_modules'), own.at('node_modules'), 'junction');
    own.write('package.json', '{ "private": true, "type": "module", "jest": { "transform": {} } }');
    own.write('target.js', listings.get('target.js') ?? '');
    own.write(name.includes('test') ? 'conformance.test.js' : 'judge.js', listings.get(name) ?? '');
    await withServer({ seed, replace: () => ({ authorize: () => undefined }) }, async (server) => {
      const { code, output } = await nodeIn(own.path, args, environmentFor(server));
      expect(code, output).toBe(1);
      expect(output).toContain('FAILED  http:');
      expect(output).toContain('permission-refused');
    });
  });
});
