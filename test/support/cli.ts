import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Result } from '../../conformance/facts/result.ts';
import { runProgram } from '../../cli/program.ts';
import { cleanEnvironment, execute, type CliResult } from './process.ts';
import { ROOT } from './repository.ts';

export * from './process.ts';

type Environment = Readonly<Record<string, string>>;

/** The words that start the command that users install. */
const COMMAND = [process.execPath, join(ROOT, 'dist/cli/main.js')] as const;
const [PROGRAM, ...FIRST] = COMMAND;

/** Runs the command as a user would, as a process of its own. */
export function cliProcess(args: readonly string[], environment: Environment = {}): Promise<CliResult> {
  return execute(PROGRAM, [...FIRST, ...args], { env: cleanEnvironment(environment) });
}

/** Runs a line of bash, in which "$@" stands for the command with these arguments. */
export function inBash(line: string, args: readonly string[] = [], environment: Environment = {}): Promise<CliResult> {
  return execute('bash', ['-c', line, 'bash', ...COMMAND, ...args], { env: cleanEnvironment(environment) });
}

/** For all that a command writes. */
const ROOM = { highWaterMark: 2 ** 30 };

/** Runs the command to its end, in a folder: in this process, since most commands take less time than to start one. */
export async function cli(
  args: readonly string[],
  environment: Environment = {},
  folder = process.cwd(),
): Promise<CliResult> {
  const before = process.cwd();
  const streams = { out: new PassThrough(ROOM), err: new PassThrough(ROOM) };
  const written = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString() ?? '';
  process.chdir(folder);
  try {
    const code = await runProgram(args, {
      ...(streams as unknown as Record<'out' | 'err', NodeJS.WriteStream>),
      environment: cleanEnvironment(environment),
      onInterrupt: () => () => undefined,
      exit: (early) => {
        throw new Error(`The command ended the process with ${early}.`);
      },
    });
    return { code, stdout: written(streams.out), stderr: written(streams.err) };
  } finally {
    process.chdir(before);
  }
}

/** Runs the suite; its result is what it prints. */
export async function judged(environment: Environment, ...args: readonly string[]) {
  const ended = await cli(['run', '--format', 'json', ...args], environment);
  return { ...ended, result: JSON.parse(ended.stdout) as Result };
}

export interface RunningCli {
  readonly process: ChildProcess;
  readonly ended: Promise<CliResult>;
  /** What came on stdout so far. */
  readonly stdout: () => string;
  /** Resolves when stderr has what matches. */
  readonly says: (pattern: RegExp) => Promise<void>;
}

/** Starts the command, to be stopped on the way; it ends with the test. */
export function startCli(args: readonly string[], environment: Environment = {}): RunningCli {
  const child = spawn(PROGRAM, [...FIRST, ...args], { env: cleanEnvironment(environment) });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code ?? -1), stdout, stderr }));
  const says = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(stderr)) {
      const isOver = await Promise.race([once(child.stderr, 'data').then(() => false), ended.then(() => true)]);
      if (isOver && !pattern.test(stderr)) throw new Error(`The command ended without ${pattern.source}: ${stderr}`);
    }
  };
  return { process: child, ended, stdout: () => stdout, says };
}
