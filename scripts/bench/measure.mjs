import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const METER = new URL('meter.mjs', import.meta.url).href;

/** Lets a program load TypeScript. What is measured itself should not: it is bundled. */
export const TYPESCRIPT = ['--import', new URL('../typescript.mjs', import.meta.url).href];

/** The middle one of some numbers. */
export const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];

/**
 * Runs a Node program to its end.
 *
 * @param options of `spawn`, such as its environment
 * @returns its exit code, its wall time (ms), its CPU time (s) and its peak memory (bytes) unless it was killed, and what it printed
 */
export async function ran(args, options = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', METER, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [stdout, stderr, told, [code]] = await Promise.all([
    ...[1, 2, 3].map((descriptor) => text(child.stdio[descriptor])),
    once(child, 'close'),
  ]);
  return { code, wall: performance.now() - started, ...JSON.parse(told || '{}'), stdout, stderr };
}

/**
 * Runs a Node program to its end.
 *
 * @returns as `ran` does
 * @throws Error if its exit code is not 0
 */
export async function metered(args, environment = {}) {
  const result = await ran(args, { env: { ...process.env, ...environment } });
  if (result.code !== 0) throw new Error(`${args.join(' ')} ended with ${result.code}: ${result.stderr}`);
  return result;
}

/** Starts a program, if not said otherwise of Node, that serves until it is ended. Resolves with the first line that fits. */
export async function served(args, pattern, command = process.execPath) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (pattern.test(line)) break;
  }
  const close = async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { lines, close };
}
