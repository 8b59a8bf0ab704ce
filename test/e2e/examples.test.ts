import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { checks, defaultSeed, type Result, type Seed } from '../../conformance/index.ts';
import { cleanEnvironment, execute } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { packInto } from '../support/package.ts';
import { freePort } from '../support/ports.ts';
import { environmentFor, withServer } from '../support/target.ts';
import { read, ROOT } from '../support/repository.ts';

const { path: folder, at: within } = temporaryFolder();
const ALL_RUNNERS = ['vitest', 'jest', 'node-test'] as const;
const EXAMPLES = [...ALL_RUNNERS, 'shell'] as const;
type Example = (typeof EXAMPLES)[number];
const RUNNERS = ALL_RUNNERS;

/** Runs a program to its end; `output` is stdout and stderr, one after the other. */
async function inFolder(
  cwd: string,
  command: string,
  args: readonly string[],
  own: Readonly<Record<string, string>> = {},
) {
  const { code, stdout, stderr } = await execute(command, args, {
    cwd,
    env: cleanEnvironment({ NO_COLOR: '1', ...own }),
  });
  return { code, output: stdout + stderr };
}

const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/;
const at = (example: Example, ...path: string[]): string => within('examples', example, ...path);
let tarball = '';
/** Why an example could not be installed, by its name. */
const uninstalled = new Map<Example, string>();

async function install(example: Example): Promise<void> {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  const { code, output } = await inFolder(at(example), 'npm', ['install', ...flags, tarball]);
  if (code === 0) return;
  const [fault] = NO_REGISTRY.exec(output) ?? [];
  if (fault === undefined) throw new Error(`npm install in examples/${example} failed:\n${output}`);
  uninstalled.set(example, `the registry with the packages of examples/${example} cannot be reached (${fault})`);
}

beforeAll(async () => {
  ({ tarball } = packInto(folder));
  const copied = (source: string): boolean => !/[\\/](node_modules|reports)$/.test(source);
  cpSync(join(ROOT, 'examples'), within('examples'), { recursive: true, filter: copied });
  await Promise.all([...RUNNERS, 'shell' as const].map(install));
});

const skipUninstalled =
  (example: Example) =>
  ({ skip }: TestContext): void =>
    skip(uninstalled.has(example), uninstalled.get(example));

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

  beforeEach(skipUninstalled(runner));

  it('is green, with a test for each check, and skips what does not apply with the reason', async () => {
    const { code, output } = await inFolder(at(runner), 'npm', ['test']);
    expect(code, `Does examples/server.mjs have every operation?\n${output}`).toBe(0);
    const green = marked(output, passed);
    const white = marked(output, skipped);
    expect(checks.filter((check) => !named(green, check) && !named(white, check)).map(({ id }) => id)).toEqual([]);
    expect(green.some((line) => line.includes('the verdict'))).toBe(true);
    expect(marked(output, failed)).toEqual([]);
    expect(white.every((line) => line.includes('not applicable: '))).toBe(true);
  });

  it('is red for a server with a defect, and shows what is wrong, a fix and a curl line', async () => {
    const { code, output } = await inFolder(at(runner), 'npm', ['test'], { FAULT: 'clears-email' });
    expect(code, output).toBe(1);
    const red = marked(output, failed);
    expect(checks.filter((check) => named(red, check)).map(({ id }) => id)).toContain('update-name');
    expect(red.some((line) => line.includes('the verdict'))).toBe(true);
    expect(marked(output, passed).some((line) => line.includes('auth-no-header: '))).toBe(true);
    for (const part of [
      'Updating only `name` cleared `email` (was "conformance.',
      'actual: ""',
      'fix: Change only the members in the body.',
      'request: curl -i -X PUT ',
      'The verdict is failed.',
    ]) {
      expect(output).toContain(part);
    }
    expect(output).not.toContain('example-admin-key');
    expect(marked(output, skipped).some((line) => line.includes('inconclusive (blocked)'))).toBe(true);
  });
});

describe('examples/shell', () => {
  beforeEach(skipUninstalled('shell'));

  async function judge(own: Readonly<Record<string, string>>) {
    rmSync(at('shell', 'reports'), { recursive: true, force: true });
    const port = String(await freePort());
    const outcome = await inFolder(at('shell'), 'npm', ['test'], { PORT: port, ...own });
    await expect(fetch(`http://127.0.0.1:${port}/`), 'The server goes on.').rejects.toThrow();
    const report = (name: string): string => {
      const file = at('shell', 'reports', name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const json = report('result.json');
    const result = json === '' ? undefined : (JSON.parse(json) as Result);
    return { ...outcome, result, junit: report('junit.xml'), markdown: report('summary.md') };
  }

  it.for([
    ['passed', 0, {}, 'conformance: passed'],
    ['failed', 1, { FAULT: 'clears-email' }, 'conformance: failed'],
    ['inconclusive', 3, { CONFORMANCE_USER_ID: '' }, 'conformance: inconclusive'],
  ] as const)(
    'shows that a run is %s: by exit code %i, a line, and reports',
    async ([verdict, expected, own, line]) => {
      const { code, output, result, junit, markdown } = await judge(own);
      expect(code, output).toBe(expected);
      expect(output).toContain(line);
      expect(markdown.split('\n')[0]).toContain(verdict.toUpperCase());
      expect(junit).toContain('<testsuites');
      expect(junit.includes('<failure')).toBe(verdict === 'failed');
      expect(result?.verdict).toBe(verdict);
    },
  );

  it('names a usage error, and writes no report', async () => {
    const { code, output, result } = await judge({ CONFORMANCE_USER_ID: 'four' });
    expect(code, output).toBe(2);
    expect(output).toContain('conformance: usage error');
    expect(result).toBeUndefined();
    expect(output).toContain('four');
  });
});

it.each(EXAMPLES)('each example asks for this version of the package: %s', (example) => {
  const parsed = (path: string): unknown => JSON.parse(read(path));
  const { version, devDependencies: ours } = parsed('package.json') as {
    version: string;
    devDependencies: Record<string, string>;
  };
  const { devDependencies } = parsed(`examples/${example}/package.json`) as { devDependencies: Record<string, string> };
  expect(devDependencies['admin-api-conformance']).toBe(`^${version}`);
  if (example === 'vitest') expect(devDependencies.vitest).toBe(ours.vitest);
});

/** The listings of README.md and docs/library.md, by the comment in their first line. */
function listings(): ReadonlyMap<string, string> {
  const text = ['README.md', 'docs/library.md'].map((path) => read(path)).join('\n');
  const blocks = [...text.matchAll(/^```js\n\/\/ (.*)\n([^]*?)^```$/gm)];
  return new Map(blocks.map(([, name = '', code = '']) => [name, code]));
}

const LISTINGS = [
  ['judge.js', 'node-test', 'judge.js', ['judge.js']],
  ['conformance.test.js, for vitest', 'vitest', 'conformance.test.js', ['node_modules/vitest/vitest.mjs', 'run']],
  ['conformance.test.js, for node:test', 'node-test', 'conformance.test.js', ['--test', 'conformance.test.js']],
  [
    'conformance.test.js, for jest: start it by node --experimental-vm-modules',
    'jest',
    'conformance.test.js',
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  ],
] as const;

describe('the listings of README.md and docs/library.md', () => {
  const seed: Seed = { ...defaultSeed, users: defaultSeed.users.map((user, index) => ({ ...user, id: index + 4 })) };

  it('is tested here, all of it', () =>
    expect([...listings().keys()].sort()).toEqual(['target.js', ...LISTINGS.map(([name]) => name)].sort()));

  it.for(LISTINGS.filter(([, example]) => RUNNERS.includes(example)))(
    'passes a server that conforms, and fails a broken one: %s',
    async ([name, example, file, args], { skip }) => {
      skip(uninstalled.has(example), uninstalled.get(example));
      const blocks = listings();
      const own = within(`readme-${name.replaceAll(/\W/g, '-')}`);
      mkdirSync(own);
      symlinkSync(at(example, 'node_modules'), join(own, 'node_modules'));
      writeFileSync(join(own, 'package.json'), '{ "private": true, "type": "module", "jest": { "transform": {} } }');
      writeFileSync(join(own, 'target.js'), blocks.get('target.js') ?? '');
      writeFileSync(join(own, file), blocks.get(name) ?? '');

      const judge = (options: ReferenceServerOptions) =>
        withServer({ seed, ...options }, (server) => inFolder(own, process.execPath, args, environmentFor(server)));
      const good = await judge({});
      expect(good.code, good.output).toBe(0);
      const { code, output } = await judge({ replace: () => ({ authorize: () => undefined }) });
      expect(code, output).toBe(1);
      expect(output).toContain('The verdict is failed.');
      expect(output).toContain('permission-refused');
    },
  );
});
