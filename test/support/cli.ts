import { spawn, spawnSync, type ChildProcess, type ExecFileException, type ExecFileOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import { execute as executeAny } from '../../common/process/process.ts';
import { runProgram } from '../../cli/program.ts';
import { ROOT } from './repository.ts';
import { complete } from './sample.ts';

/** What lets Node.js load TypeScript. */
export const TYPESCRIPT = pathToFileURL(resolve(ROOT, 'scripts/typescript.mjs')).href;
const BUILT = [process.execPath, resolve(ROOT, 'dist/cli/main.js')];

/** The words that start the command under test: as it is built, unless TEST_COMMAND names another as a JSON array. */
export const COMMAND = JSON.parse(process.env.TEST_COMMAND ?? JSON.stringify(BUILT)) as [string, ...string[]];
const [PROGRAM, ...FIRST] = COMMAND;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of this process without what would change the tool's behaviour, or is of the test runner. */
export function cleanEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(CONFORMANCE_|GITHUB_|NO_COLOR|FORCE_COLOR|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|npm_)/.test(name),
  );
  return { ...Object.fromEntries(rest), ...own };
}

/** Runs a program to its end, however it ends. */
export async function execute(
  command: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<CliResult> {
  const { error, ...written } = await executeAny([command, ...args], { env: cleanEnvironment(), ...options });
  return { code: error ? Number((error as ExecFileException).code) : 0, ...written };
}

/** Runs a tool of this repository, or a script of it that reads the sources, as its package.json does. */
export function tool(
  path: string,
  args: readonly string[] = [],
  { folder, environment }: { folder?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  const options = { env: cleanEnvironment(environment), cwd: folder };
  return execute(process.execPath, ['--import', TYPESCRIPT, resolve(ROOT, path), ...args], options);
}

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

/** A terminal needs python3. */
export const hasTerminal = spawnSync('python3', ['--version']).status === 0;

/** Runs the command on a terminal of its own, and answers its questions in turn; stdout has all that was shown. */
export function onTerminal(
  answers: readonly string[],
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<CliResult> {
  const script = resolve(import.meta.dirname, 'terminal.py');
  const env = { ...cleanEnvironment(environment), TERM: 'xterm' };
  return execute('python3', [script, JSON.stringify(answers), ...COMMAND, ...args], { env, cwd: folder });
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
 * unless another command (TEST_COMMAND), the nightly run, or the working directory of a concurrent one asks for a process.
 */
export async function cli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<CliResult> {
  const isOccupied = isElsewhere || (folder !== undefined && underWay > 0);
  if (complete || isOccupied || process.env.TEST_COMMAND !== undefined) return cliProcess(args, environment, folder);
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

/** Expects the exit code 0, and shows what else was said if it is another one. */
export async function succeeds<T extends { readonly code: number }>(running: Promise<T>): Promise<T> {
  const ended = await running;
  expect(ended.code, JSON.stringify(ended)).toBe(0);
  return ended;
}

/** Expects one line on stderr, nothing on stdout, and the exit code of a usage error. */
export function expectUsageError({ code, stdout, stderr }: CliResult, says: RegExp | string): void {
  expect(stderr).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect([code, stdout]).toEqual([2, '']);
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
