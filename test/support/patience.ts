import { spawnSync } from 'node:child_process';

const WORK = 'let sum = 0; for (let turn = 0; turn < 2e7; turn += 1) sum = (sum * 31 + turn) | 0;';
/** ms that a free core takes to start Node.js and do this work. */
const NOMINAL = 200;

/** How many times as long as on a free core a piece of work takes on this machine now: at least 1. Blocks while it measures. */
export function slowness(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', WORK]);
  return Math.max(1, (performance.now() - started) / NOMINAL);
}

/** Whether something took no longer than a limit, in ms on a free core; it is measured only if the limit was passed. */
export function isWithin(duration: number, limit: number): boolean {
  return duration <= limit || duration <= limit * slowness();
}
