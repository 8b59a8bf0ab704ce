/** The step of the action, run by bash in a clone, with a `gh` that only writes down what it is asked. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const action = parse(readFileSync(file('../action.yml'), 'utf8')) as {
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
  };
};
const [step] = action.runs.steps;

const root = mkdtempSync(join(tmpdir(), 'openapi-judge-action-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Programs in place of those that the step calls: the judge as it is built, and `gh`. */
const PROGRAMS = {
  npx: `#!/bin/sh
while [ "$1" != openapi-judge ]; do shift; done
shift
exec "${process.execPath}" "${file('../dist/main.cjs')}" "$@"
`,
  gh: `#!/bin/sh
[ -z "$GH_FAILS" ] || { echo "gh: $GH_FAILS" >&2; exit 1; }
printf '%s ' "$@" >>"$CALLS"
echo >>"$CALLS"
case "$*" in
  *--paginate*) cat "$COMMENTS" ;;
  *) for each; do case "$each" in body=@*) cat "\${each#body=@}" >"$BODY" ;; esac; done ;;
esac
`,
};

function document(type: string): string {
  const content = { 'application/json': { schema: { type } } };
  const responses = { 200: { description: 'Fine', content } };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { responses } } },
  });
}

/** A clone of a repository in which the document differs from that of the branch main. */
function clone(): string {
  const [origin, here] = [mkdtempSync(join(root, 'origin-')), mkdtempSync(join(root, 'clone-'))];
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd });
  git(origin, 'init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(origin, 'api.json'), document('string'));
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '--message', 'One');
  git(here, 'clone', '--quiet', origin, '.');
  writeFileSync(join(here, 'api.json'), document('integer'));
  return here;
}

const MARKER = '<!-- openapi-judge api.json -->';

/** What the step prints, its exit code, what it asks of `gh`, and the comment that it sends. */
function run(comments: readonly object[], env: Readonly<Record<string, string>> = {}) {
  const cwd = clone();
  const [bin, output] = [join(cwd, 'bin'), join(cwd, 'output')];
  mkdirSync(bin);
  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  const [known, calls, body] = ['comments', 'calls', 'body'].map((name) => join(cwd, name)) as [string, string, string];
  writeFileSync(known, comments.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const inputs = Object.fromEntries(Object.keys(step?.env ?? {}).map((name) => [name, '']));
  const settings = {
    ...{ NEW: 'api.json', BASE: 'main', FAIL_ON: 'error', COMMENT: 'true', GH_TOKEN: 'token' },
    ...{ REPOSITORY: 'someone/shop', PULL: '7', PACKAGE: 'openapi-judge@1' },
    ...{ GITHUB_OUTPUT: output, COMMENTS: known, CALLS: calls, BODY: body, GH_FAILS: '' },
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  };
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
    cwd,
    env: { ...process.env, GITHUB_STEP_SUMMARY: '', ...inputs, ...settings, ...env },
    encoding: 'utf8',
  });
  const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const asked = textOf(calls)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trim());
  return { status, stdout, asked, body: textOf(body), outputs: textOf(output) };
}

// The step runs in bash, on every system; the programs above are for a POSIX one.
describe.skipIf(process.platform === 'win32')('the step of the action', () => {
  const others = [
    { id: 1, body: 'Looks good.\n][' },
    { id: 2, body: `Not ${MARKER}` },
  ];

  it('judges against the branch of the pull request, and posts a comment', () => {
    const { status, stdout, asked, body, outputs } = run(others);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error .*Breaks clients/m);
    expect(outputs).toBe('clients=breaking\n');
    expect(asked).toEqual([
      expect.stringContaining('api --paginate repos/someone/shop/issues/7/comments'),
      expect.stringContaining('api --silent --method POST repos/someone/shop/issues/7/comments --field body=@'),
    ]);
    expect(body).toMatch(new RegExp(`^${MARKER}\n\n## Changes of the API\n\n- Clients: breaking`));
  });

  it('updates its own comment, and fails no job that does not fail otherwise', () => {
    const { status, asked } = run([...others, { id: 33, body: `${MARKER}\n\nOld` }], { FAIL_ON: 'none' });
    expect(status).toBe(0);
    expect(asked.at(-1)).toContain('api --silent --method PATCH repos/someone/shop/issues/comments/33 --field body=@');
  });

  it.each([
    ['without a token', { GH_TOKEN: '' }, 'the input token is empty.'],
    ['where the token may not write', { GH_FAILS: 'HTTP 403' }, 'see above what gh says. The token needs'],
  ])('says what is wrong %s, and keeps its exit code', (_what, env, why) => {
    const { status, stdout, asked } = run(others, env);
    expect(stdout).toContain(`::warning title=openapi-judge::The pull request got no comment: ${why}`);
    expect([status, asked]).toEqual([1, []]);
  });

  it('writes no comment where none is asked for, or where there is no pull request', () => {
    expect(run(others, { COMMENT: 'false' }).asked).toEqual([]);
    expect(run(others, { PULL: '' })).toMatchObject({ asked: [], status: 1 });
  });
});
