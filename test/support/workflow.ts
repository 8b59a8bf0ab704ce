import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { TemporaryFolder } from './folder.ts';

/** How a script ended that a CI service runs; `log` is stdout and stderr. */
export interface Ran {
  readonly code: number;
  readonly log: string;
}

/** Runs a script of a job. What it leaves in the background goes on, and ends with the test. */
export async function runScript(
  [command = '', ...args]: readonly string[],
  script: string,
  folder: TemporaryFolder,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ran> {
  const path = folder.at('job.log');
  const log = openSync(path, 'w');
  const child = spawn(command, [...args, '-c', script], {
    cwd: folder.path,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  onTestFinished(() => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch (error) {
      // Nothing of it was left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  });
  // Not "close": what goes on in the background keeps the file open.
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code: code ?? -1, log: readFileSync(path, 'utf8') };
}

type Texts = Readonly<Record<string, string>>;

/** A composite action whose first step is a script. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly { readonly env?: Texts; readonly run?: string }[] };
}

/** The texts with their expressions filled in: each names values, of which the first one that is there counts. */
function filledIn(texts: Texts, values: Texts): Record<string, string> {
  const valueOf = (names: string): string =>
    names
      .split(' || ')
      .map((name) => values[name])
      .find(Boolean) ?? '';
  const fill = (text: string): string => text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_all, names: string) => valueOf(names));
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
}

/** Runs the script of an action with these inputs in a job with this environment; gives also its outputs. */
export async function runAction(
  { inputs, outputs, runs }: Action,
  given: Texts,
  folder: TemporaryFolder,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const [{ run = '', env = {} } = {}] = runs.steps;
  const values: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) values[`inputs.${name}`] = given[name] ?? input.default ?? '';
  for (const [name, value = ''] of Object.entries(environment)) values[`env.${name}`] = value;
  const output = folder.write('output.txt', '');
  const own = { ...environment, ...filledIn(env, values), GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output };
  // As the runner starts a script for `shell: bash`.
  const ran = await runScript(['bash', '--noprofile', '--norc', '-eo', 'pipefail'], run, folder, own);
  for (const [, name = '', text = ''] of readFileSync(output, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
    values[`steps.run.outputs.${name}`] = text;
  const named = Object.entries(outputs).map(([name, { value }]) => [name, value]);
  return { ...ran, outputs: filledIn(Object.fromEntries(named) as Texts, values) };
}
