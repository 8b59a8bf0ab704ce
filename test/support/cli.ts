import { execFile, spawn, spawnSync, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { expect } from 'vitest';

const BUILT = [process.execPath, resolve(import.meta.dirname, '../../dist/cli/main.js')];

/** The words that start the command under test: as it is built, unless TEST_COMMAND names another as a JSON array. */
export const COMMAND = JSON.parse(process.env.TEST_COMMAND ?? JSON.stringify(BUILT)) as [string, ...string[]];
const [PROGRAM, ...FIRST] = COMMAND;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of this process without what would change the tool's behaviour. */
export function cleanEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(CONFORMANCE_|GITHUB_|NO_COLOR|FORCE_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(rest), ...own };
}

/** Runs a program to its end, however it ends. */
export function execute(command: string, args: readonly string[], options: ExecFileOptions = {}): Promise<CliResult> {
  return new Promise((done) => {
    const all = { env: cleanEnvironment(), maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' as const };
    execFile(command, [...args], all, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Runs the command as a user would, in a folder, to its end. */
export function cli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<CliResult> {
  return execute(PROGRAM, [...FIRST, ...args], { env: cleanEnvironment(environment), cwd: folder });
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

/** Expects one line on stderr, nothing on stdout, and the exit code of a usage error. */
export function expectUsageError({ code, stdout, stderr }: CliResult, says: RegExp | string): void {
  expect(stderr).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect([code, stdout]).toEqual([2, '']);
}

/** The variables that `serve` printed for a shell. */
export function printedSettings(stdout: string): Record<string, string> {
  return Object.fromEntries(
    [...stdout.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
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
