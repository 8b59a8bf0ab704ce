import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

export const CLI = resolve(import.meta.dirname, '../../dist/cli/main.js');

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

/** Runs the built binary as a user would, in a folder, to its end. */
export function cli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<CliResult> {
  return new Promise((done) => {
    const options = { env: cleanEnvironment(environment), maxBuffer: 64 * 1024 * 1024, cwd: folder };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

export interface RunningCli {
  readonly process: ChildProcess;
  readonly ended: Promise<CliResult>;
  /** What came on stdout so far. */
  readonly stdout: () => string;
  /** Resolves with the first line of stderr that matches. */
  readonly line: (pattern: RegExp) => Promise<string>;
}

/** Starts the built binary, to be stopped on the way. */
export function startCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCli {
  const child = spawn(process.execPath, [CLI, ...args], {
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
