import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings, TARGET_SETTINGS } from '../../cli/settings.ts';
import { atPointer } from '../../common/json.ts';
import { EXIT_CODES, type Result } from '../../conformance/index.ts';
import { cleanEnvironment, type CliResult, execute } from '../support/cli.ts';
import { hasSetsid } from '../support/platform.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read, ROOT } from '../support/repository.ts';
import { environmentFor, freePort, withServer } from '../support/target.ts';

/** A composite action whose first step is a script. */
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env?: Readonly<Record<string, string>>; readonly run?: string }[];
  };
}

const temporary = temporaryFolder();
const action = parse(read('action.yml')) as Action;
const { version } = JSON.parse(read('package.json')) as { version: string };
/** Those of examples/server.mjs. */
const KEYS = { CONFORMANCE_ADMIN_KEY: 'example-admin-key', CONFORMANCE_RESTRICTED_KEY: 'example-restricted-key' };

/** A checkout with the example server in it. */
let folder = temporary;

beforeEach(() => {
  folder = temporary.fresh();
  cpSync(join(ROOT, 'examples/server.mjs'), folder.at('server.mjs'));
});

/** Runs the script of a job. What it leaves in the background ends with it. */
async function runScript(shell: string, script: string, own: Readonly<Record<string, string>>): Promise<CliResult> {
  // The script has a process group of its own, and ends all of it.
  const ending = 'trap \'trap "" TERM; kill 0\' EXIT';
  return execute('setsid', ['--wait', ...shell.split(' '), '-c', `${ending}\n${script}`], {
    cwd: folder.path,
    env: cleanEnvironment({ npm_config_prefer_offline: 'true', ...own }),
  });
}
const readResult = (path: string): Result => folder.json(path) as Result;

describe('action.yml', () => {
  const inputName = (variable = ''): string => variable.replace('CONFORMANCE_', '').toLowerCase().replaceAll('_', '-');
  const steps = action.runs.steps;
  const [{ env = {}, run = '' } = {}] = steps;

  it('runs this version of the package, as its documentation says', () => {
    const named = [
      ...(read('docs/install.md') + read('docs/ci.md')).matchAll(/admin-api-conformance[@:]v?(\d[\w.-]*)/g),
    ];
    expect(new Set(named.map(([, each]) => each))).toEqual(new Set([version]));
    expect(action.inputs.package?.default).toBe(`admin-api-conformance@${version}`);
  });

  it('has an input for each variable of the suite, which the variable of the job replaces', () => {
    for (const name of [...TARGET_SETTINGS, 'config' as const]) {
      const { variable = '' } = settings[name];
      const input = inputName(variable);
      expect(Object.keys(action.inputs)).toContain(input);
      expect(env[variable]).toBe(`\${{ inputs.${input} || env.${variable} }}`);
    }
  });

  it('has its inputs and outputs in the documentation', () => {
    const text = read('docs/install.md');
    for (const name of Object.keys(action.inputs)) expect(text).toMatch(new RegExp(`\\| \`${name}\` |\n {4}${name}: `));
    for (const name of Object.keys(action.outputs)) expect(text).toContain(`| \`${name}\` `);
  });

  it('uses every input', () => {
    const unused = Object.keys(action.inputs).filter((name) => !read('action.yml').includes(`inputs.${name} `));
    expect(unused).toEqual([]);
  });

  const judge = async (own: Readonly<Record<string, string>>) => {
    const output = folder.write('output.txt', '');
    // That the package can be installed is tested in test/scripts/package.test.ts.
    const inputs = { PACKAGE: ROOT, REPORTS: 'conformance', WAIT: '', BASELINE: '', FAIL_ON: '' };
    const github = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output };
    // As the runner starts a script for `shell: bash`.
    const ran = await runScript('bash --noprofile --norc -eo pipefail', run, { ...inputs, ...github, ...own });
    return { ...ran, output: readFileSync(output, 'utf8') };
  };

  it.runIf(hasSetsid)('fails a server with a defect, with all that a job shows of it', async () => {
    const summary = folder.at('summary.md');
    const ran = await withServer({ replace: () => ({ authorize: () => undefined }) }, (server) => {
      const own = { REPORTS: 'some reports', WAIT: '30', FAIL_ON: 'should', GITHUB_STEP_SUMMARY: summary };
      return judge({ ...environmentFor(server), ...own });
    });
    expect(ran.code, ran.stderr).toBe(1);
    const result = 'some reports/result.json';
    const { length } = readResult(result).findings;
    expect(ran.output).toBe(`verdict=failed\nfindings=${length}\nresult=${result}\n`);
    expect(readFileSync(summary, 'utf8')).toContain('FAILED');
    expect(ran.stderr).toContain('::error');
    for (const name of ['junit.xml', 'report.html']) expect(existsSync(folder.at('some reports', name))).toBe(true);
  });

  it.runIf(hasSetsid)('has no verdict where there was no run, even after an earlier one', async () => {
    folder.write('conformance/result.json', '{}');
    // A value is never part of the script.
    const own = { CONFORMANCE_BASE_URL: '$(touch injected)"; touch injected; "' };
    const { code, stderr, output } = await judge(own);
    expect([code, output], stderr).toEqual([2, '']);
    expect(existsSync(folder.at('injected'))).toBe(false);
  });
});

/** What a template for a CI service says: its variables, its script for a shell, and the files that it keeps, as globs. */
interface Template {
  readonly shell: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly script: string;
  readonly kept: readonly string[];
}

function gitlab(): Template {
  const { conformance } = parse(read('examples/ci/gitlab-ci.yml')) as { conformance: unknown };
  const at = (pointer: string): unknown => atPointer(conformance, pointer);
  expect(at('/artifacts/when')).toBe('always');
  return {
    shell: 'sh -e',
    variables: at('/variables') as Record<string, string>,
    script: (at('/script') as string[]).join('\n'),
    kept: [...(at('/artifacts/paths') as string[]).map((path) => `${path}*`), String(at('/artifacts/reports/junit'))],
  };
}

function jenkins(): Template {
  const text = read('examples/ci/Jenkinsfile');
  const variables = [...text.matchAll(/^ +(\w+) = '(.*)'$/gm)].map(([, name, value]) => [name, value]);
  const [, script = ''] = /sh '''\n([^]*?)'''/.exec(text) ?? [];
  return {
    shell: 'sh -xe',
    variables: Object.fromEntries(variables) as Record<string, string>,
    // Groovy joins a line that ends in a backslash with the next.
    script: script.replaceAll('\\\n', ''),
    kept: [...text.matchAll(/^ +(?:junit|archiveArtifacts) '(.*)'$/gm)].map(([, path = '']) => path),
  };
}

/** The files of a path whose last part may be `*`. */
const filesOf = (glob: string): string[] =>
  readdirSync(folder.at(dirname(glob))).filter((name) => ['*', name].includes(basename(glob)));

it.runIf(hasSetsid).each([
  ['gitlab-ci.yml', 'passed', gitlab, {}],
  ['Jenkinsfile', 'failed', jenkins, { FAULT: 'clears-email' }],
] as const)(
  'examples/ci/%s starts a server, waits for it, and shows that it %s',
  async (_name, verdict, template, own) => {
    const { shell, variables, script, kept } = template();
    const environment = { ...variables, ...KEYS, PACKAGE: ROOT, PORT: String(await freePort()), ...own };
    const { code, stdout, stderr } = await runScript(shell, script, environment);
    expect(code, stderr).toBe(EXIT_CODES[verdict]);
    expect(readResult('conformance/result.json').verdict).toBe(verdict);
    expect(kept.length).toBeGreaterThan(0);
    for (const glob of kept) expect(filesOf(glob), glob).not.toEqual([]);
    expect(stdout + stderr).not.toContain(KEYS.CONFORMANCE_ADMIN_KEY);
  },
);

// Their versions are those of the documentation, which the tests of the action compare.
it.each(['github-actions.yml', 'gitlab-ci.yml', 'Jenkinsfile', 'several-servers.yml'])(
  'examples/ci/%s is what the documentation shows',
  (name) => expect(read('docs/ci.md')).toContain(`\n${read(`examples/ci/${name}`)}\`\`\`\n`),
);
