import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Result } from '../../conformance/result/result.ts';
import { runProgram } from '../../cli/program.ts';
import { cleanEnvironment, execute, TYPESCRIPT, type CliResult } from './process.ts';
import { ROOT } from './repository.ts';

export * from './process.ts';

const SOURCES = [process.execPath, '--import', TYPESCRIPT, resolve(ROOT, 'cli/main.ts')];

/** The words that start the command under test: from its sources, unless TEST_COMMAND names another as a JSON array. */
export const COMMAND = JSON.parse(process.env.TEST_COMMAND ?? JSON.stringify(SOURCES)) as [string, ...string[]];
const [PROGRAM, ...FIRST] = COMMAND;

/** Runs the command as a user would, in a folder, as a process of its own. */
export function cliProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<CliResult> {
  return execute(PROGRAM, [...FIRST, ...args], { env: cleanEnvironment(environment), cwd: folder });
}

/** Runs a line of bash, in which "$@" stands for the command with these arguments. */
export function inBash(
  line: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return execute('bash', ['-c', line, 'bash', ...COMMAND, ...args], { env: cleanEnvironment(environment) });
}

/** For all that a command writes. */
const ROOM = { highWaterMark: 2 ** 30 };

/** Runs the command in this process. */
async function cliHere(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<CliResult> {
  const streams = { out: new PassThrough(ROOM), err: new PassThrough(ROOM) };
  const code = await runProgram(args, {
    ...(streams as unknown as Record<'out' | 'err', NodeJS.WriteStream>),
    environment: cleanEnvironment(environment),
    onInterrupt: () => () => undefined,
    exit: (early) => {
      throw new Error(`The command ended the process with ${early}.`);
    },
  });
  const written = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString() ?? '';
  return { code, stdout: written(streams.out), stderr: written(streams.err) };
}

/** The commands that run in this process now, and whether its working directory is another one for them. */
let underWay = 0;
let isElsewhere = false;

/**
 * Runs the command to its end, in a folder. To start a process costs more than most commands do, so it runs in this process,
 * unless another command (TEST_COMMAND) or the working directory of a concurrent one asks for a process.
 */
export async function cli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<CliResult> {
  const isOccupied = isElsewhere || (folder !== undefined && underWay > 0);
  if (isOccupied || process.env.TEST_COMMAND !== undefined) return cliProcess(args, environment, folder);
  const before = process.cwd();
  underWay += 1;
  if (folder !== undefined) {
    isElsewhere = true;
    process.chdir(folder);
  }
  try {
    return await cliHere(args, environment);
  } finally {
    underWay -= 1;
    if (folder !== undefined) {
      isElsewhere = false;
      process.chdir(before);
    }
  }
}

/** Runs the suite; its result is what it prints. */
export async function judged(environment: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, stdout, stderr } = await cli(['run', '--format', 'json', ...args], environment);
  return { code, stdout, stderr, result: JSON.parse(stdout) as Result };
}

export interface RunningCli {
  readonly process: ChildProcess;
  readonly ended: Promise<CliResult>;
  /** What came on stdout so far. */
  readonly stdout: () => string;
  /** Resolves with the first line of stderr that matches. */
  readonly line: (pattern: RegExp) => Promise<string>;
}

/** Starts the command, to be stopped on the way. */
export function startCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCli {
  const child = spawn(PROGRAM, [...FIRST, ...args], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = [];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  createInterface({ input: child.stderr }).on('line', (line) => {
    stderr += `${line}\n`;
    lines.push(line);
    for (const { pattern, resolve: found } of waiting) if (pattern.test(line)) found(line);
  });
  const ended = new Promise<CliResult>((done) => {
    child.on('close', (code, signal) => {
      done({ code: code ?? (signal === 'SIGKILL' ? 137 : -1), stdout, stderr });
    });
  });
  return {
    process: child,
    ended,
    stdout: () => stdout,
    line: (pattern) =>
      new Promise((found) => {
        const earlier = lines.find((line) => pattern.test(line));
        if (earlier === undefined) waiting.push({ pattern, resolve: found });
        else found(earlier);
      }),
  };
}
