import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checks, defaultSeed, type Seed } from '../../conformance/index.ts';
import { cleanEnvironment, type CliResult, execute, runNpm } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isPosix } from '../support/platform.ts';
import { packInto, read, ROOT } from '../support/repository.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { environmentFor, freePort, withServer } from '../support/target.ts';
import { blocksIn } from '../support/markdown.ts';

const temporary = temporaryFolder();
type Environment = Readonly<Record<string, string>>;
const RUNNERS = ['vitest', 'jest', 'node-test'] as const;
type Example = (typeof RUNNERS)[number] | 'shell';

/** The exit code, and stdout and stderr, one after the other. */
async function endOf(running: Promise<CliResult>) {
  const { code, stdout, stderr } = await running;
  return { code, output: stdout + stderr };
}

/** Runs a line of words in a folder. */
function runIn(cwd: string, line: string, own: Environment = {}) {
  const [program = '', ...args] = line.split(' ');
  const command = program === 'node' ? process.execPath : program;
  return endOf(execute(command, args, { cwd, env: cleanEnvironment({ NO_COLOR: '1', ...own }) }));
}

/** Runs what `npm test` runs in an example. */
function testOf(example: Example, own: Environment = {}) {
  const { scripts } = JSON.parse(read(`examples/${example}/package.json`)) as { scripts: { test: string } };
  return runIn(at(example), scripts.test.replace(/^vitest /, `${VITEST} `), own);
}

/** What `npx vitest` starts. */
const VITEST = 'node node_modules/vitest/vitest.mjs';

const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/;
const at = (example: Example, ...path: string[]): string => temporary.at('examples', example, ...path);
/** Why the packages of the examples could not be installed. */
let uninstalled: string | undefined;

beforeAll(async () => {
  const { tarball } = packInto(temporary.path);
  const copied = (source: string): boolean => !/[\\/](node_modules|reports)$/.test(source);
  cpSync(join(ROOT, 'examples'), temporary.at('examples'), { recursive: true, filter: copied });
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  const installing = runNpm('npm', ['install', ...flags, tarball], { cwd: at('jest') });
  const { code, output } = await endOf(installing);
  if (code !== 0) [uninstalled] = NO_REGISTRY.exec(output) ?? [];
  if (code !== 0 && uninstalled === undefined) throw new Error(`npm install in examples/jest failed:\n${output}`);
  // The others need the same packages, and vitest, which is here already.
  const installed = at('jest', 'node_modules');
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(installed, 'vitest'), 'junction');
  const links = ['vitest', 'node-test', 'shell'] as const;
  for (const example of links) symlinkSync(installed, at(example, 'node_modules'), 'junction');
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
    const { code, output } = await testOf(runner);
    expect(code, `Does examples/server.mjs have every operation?\n${output}`).toBe(0);
    const green = marked(output, passed);
    const white = marked(output, skipped);
    expect(checks.filter((check) => !named(green, check) && !named(white, check)).map(({ id }) => id)).toEqual([]);
    expect(green.some((line) => line.includes('the verdict'))).toBe(true);
    expect(marked(output, failed)).toEqual([]);
    expect(white.every((line) => line.includes('not applicable: '))).toBe(true);
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
    const { code, output } = await testOf('shell', { PORT: port, ...own });
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
const listings = new Map(
  blocksIn('docs/library.md', 'js').flatMap((block): [string, string][] => {
    const [, name, code] = /^\/\/ (.*)\n([^]*)$/.exec(block) ?? [];
    return name !== undefined && code !== undefined ? [[name, code]] : [];
  }),
);

/** Clears the e-mail address that an update does not send, as examples/server.mjs does with FAULT=clears-email. */
const clearsEmail: NonNullable<ReferenceServerOptions['replace']> = (rules) => ({
  applyUpdate: (store, user, update) => rules.applyUpdate(store, { ...user, email: '' }, update),
});

/** What a failure shows. */
const SHOWN = [
  'Updating only `name` cleared `email` (was "',
  'actual: ""',
  'Change only the members in the body.',
  'curl -i -X PUT ',
];

const LISTINGS = [
  ['judge.js', 'node-test', 'node judge.js'],
  ['conformance.test.js, for vitest', 'vitest', `${VITEST} run --reporter=verbose`],
  ['conformance.test.js, for node:test', 'node-test', 'node --test --test-reporter=spec conformance.test.js'],
  [
    'conformance.test.js, for jest: start it by node --experimental-vm-modules',
    'jest',
    'node --experimental-vm-modules node_modules/jest/bin/jest.js --verbose',
  ],
] as const;

describe('the programs of docs/library.md', () => {
  const seed: Seed = { ...defaultSeed, users: defaultSeed.users.map((user, index) => ({ ...user, id: index + 4 })) };

  it('are tested here, all of them', () =>
    expect([...listings.keys()].sort()).toEqual(['target.js', ...LISTINGS.map(([name]) => name)].sort()));

  it.each(LISTINGS)(
    'fail a broken server, and say what is wrong, a fix and a curl line: %s',
    async (name, example, command) => {
      const own = temporary.fresh();
      symlinkSync(at(example, 'node_modules'), own.at('node_modules'), 'junction');
      own.write('package.json', '{ "private": true, "type": "module", "jest": { "transform": {} } }');
      own.write('target.js', listings.get('target.js') ?? '');
      own.write(name.includes('test') ? 'conformance.test.js' : 'judge.js', listings.get(name) ?? '');
      await withServer({ seed, replace: clearsEmail }, async (server) => {
        const { code, output } = await runIn(own.path, command, environmentFor(server));
        expect(code, output).toBe(1);
        expect(output).toContain('FAILED  http:');
        expect(output).not.toContain(server.seed.keys.admin);
        if (name === 'judge.js') return;
        for (const part of SHOWN) expect(output).toContain(part);
        const { passed, failed, skipped } = MARKS[example];
        const red = marked(output, failed);
        expect(checks.filter((check) => named(red, check)).map(({ id }) => id)).toContain('update-name');
        expect(red.some((line) => line.includes('the verdict'))).toBe(true);
        expect(marked(output, passed).some((line) => line.includes('auth-no-header: '))).toBe(true);
        expect(marked(output, skipped).some((line) => line.includes('inconclusive (blocked)'))).toBe(true);
      });
    },
  );
});
