import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** Loaded before a program: writes on its end, to a stream of its own, the CPU time (s) and the peak of its memory (MB). */
const METER = `data:text/javascript,
import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 }));
});`;

/** Lets a program load TypeScript. */
export const TYPESCRIPT = ['--import', new URL('../typescript.mjs', import.meta.url).href];

/** The middle one of some numbers. */
export const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];

/** The middle one of the ratios of pairs of figures. */
export const ratioOf = (pairs, figure) => median(pairs.map(([one, other]) => one[figure] / other[figure]));

/**
 * Runs a Node program to its end.
 *
 * @returns its exit code, the time of the clock and of the CPU (s), the peak of its memory (MB), and what it printed on stdout
 */
export async function ran(args, environment = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', METER, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [stdout, told, [code]] = await Promise.all([text(child.stdout), text(child.stdio[3]), once(child, 'close')]);
  return { code, seconds: (performance.now() - started) / 1000, ...JSON.parse(told), stdout };
}

/** Lets something be done with a Node program that serves at the address that it prints, and ends it. */
export async function served(args, use) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = await once(createInterface({ input: child.stdout }), 'line');
    return await use(url);
  } finally {
    child.kill();
  }
}

/** Runs something several times, and gives what each gave. */
export async function times(count, act) {
  const results = [];
  while (results.length < count) results.push(await act());
  return results;
}

/** Prints a Markdown table whose columns are aligned as a text, too. */
export function printTable(rows) {
  const widths = rows[0].map((_cell, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...others] = rows.map(line);
  console.log([head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n'));
}
