import { execFile, type ExecFileOptions } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import { npmCommand } from '../../common/process/npm.ts';
import { ROOT } from './repository.ts';

/** What lets Node.js load TypeScript. */
const TYPESCRIPT = pathToFileURL(resolve(ROOT, 'scripts/typescript.mjs')).href;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of this process without what would change the tool's behaviour, or is of the test runner. */
export function cleanEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  const rest = Object.entries(process.env).filter(
    ([name]) =>
      !/^(CONFORMANCE_|GITHUB_|NO_COLOR|FORCE_COLOR|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|npm_(?!execpath$))/.test(name),
  );
  return { ...Object.fromEntries(rest), ...own };
}

/** Runs a program to its end, however it ends. */
export function execute(command: string, args: readonly string[], own: ExecFileOptions = {}): Promise<CliResult> {
  const options = { env: cleanEnvironment(), maxBuffer: 2 ** 28, ...own, encoding: 'utf8' } as const;
  return new Promise((done) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Runs npm or npx to its end. */
export function runNpm(name: 'npm' | 'npx', args: readonly string[], own: ExecFileOptions = {}): Promise<CliResult> {
  const [program, ...first] = npmCommand(process.env, name);
  return execute(program, [...first, ...args], own);
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

/** Runs a command in this process: it writes to the streams of the process, reads its folder and environment, and gives its exit code. */
export async function inThisProcess(
  command: () => Promise<number>,
  { folder, environment = {} }: { folder: string; environment?: Readonly<Record<string, string>> | undefined },
): Promise<CliResult> {
  const [before, env] = [process.cwd(), process.env];
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  process.chdir(folder);
  process.env = cleanEnvironment(environment);
  try {
    return { code: await command(), ...written };
  } finally {
    process.env = env;
    process.chdir(before);
    for (const spy of spies) spy.mockRestore();
  }
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
