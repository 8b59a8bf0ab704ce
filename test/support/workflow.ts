import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A step of a job or of a composite action. */
export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Contexts {
  readonly [name: string]: string | Contexts;
}

/** What an expression gives: the first of its alternatives that is there, each a name in a context. */
function evaluated(expression: string, contexts: Contexts): string {
  for (const path of expression.split('||')) {
    const names = path.trim().split('.');
    const value = names.reduce<string | Contexts | undefined>(
      (at, name) => (typeof at === 'object' ? at[name] : undefined),
      contexts,
    );
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** A text with its expressions filled in. */
export function filledIn(text: unknown, contexts: Contexts): string {
  return String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_all, expression: string) => evaluated(expression, contexts));
}

/** How a script ended that a CI service runs; what it started in the background goes on. */
export interface Ran {
  readonly code: number;
  /** stdout and stderr. */
  readonly log: string;
}

/** Runs the scripts of one job, in a folder of its own. */
export type Job = (
  shell: readonly [command: string, ...args: string[]],
  script: string,
  environment: Readonly<Record<string, string | undefined>>,
) => Promise<Ran>;

/** Starts a job within a test. What its scripts left in the background ends with the test. */
export function startJob(folder: string): Job {
  const groups: number[] = [];
  onTestFinished(() => {
    for (const group of groups) {
      try {
        process.kill(-group, 'SIGKILL');
      } catch (error) {
        // Nothing of it was left.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  });
  return async ([command, ...args], script, env) => {
    const path = join(folder, `job-${groups.length}.log`);
    const log = openSync(path, 'w');
    const stdio = ['ignore' as const, log, log];
    const child = spawn(command, [...args, '-c', script], { cwd: folder, env, detached: true, stdio });
    closeSync(log);
    if (child.pid !== undefined) groups.push(child.pid);
    // Not "close": what goes on in the background keeps the files open.
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code: code ?? -1, log: readFileSync(path, 'utf8') };
  };
}

/** How the runner of GitHub Actions starts a script for `shell: bash`. */
const BASH = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] as const;

/** Runs the script of a composite action with these inputs: also its outputs, and what it added to the job's summary. */
export async function runAction(
  { inputs, outputs, runs }: Action,
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
  { job, folder, inherited }: { job: Job; folder: string; inherited: Readonly<Record<string, string | undefined>> },
) {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputs, name));
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join(', ')}.`);
  const [step, ...more] = runs.steps.filter(({ run }) => run !== undefined);
  if (step?.run === undefined || more.length > 0) throw new Error('More than one script: run them in their order.');
  const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']);
  const contexts = {
    inputs: { ...(Object.fromEntries(defaults) as Record<string, string>), ...given },
    env: environment,
  };
  const files = { GITHUB_OUTPUT: join(folder, 'output.txt'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  for (const file of Object.values(files)) rmSync(file, { force: true });
  const texts = Object.entries(step.env ?? {}).map(([name, text]) => [name, filledIn(text, contexts)]);
  const own = Object.fromEntries(texts) as Record<string, string>;
  const ran = await job(BASH, step.run, { ...inherited, GITHUB_ACTIONS: 'true', ...files, ...own });
  const written = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const lines = [...written(files.GITHUB_OUTPUT).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]);
  const after = { steps: { [step.id ?? '']: { outputs: Object.fromEntries(lines) as Record<string, string> } } };
  const named = Object.entries(outputs).map(([name, { value }]) => [name, filledIn(value, after)]);
  const summary = written(files.GITHUB_STEP_SUMMARY);
  return { ...ran, outputs: Object.fromEntries(named) as Record<string, string>, summary };
}
