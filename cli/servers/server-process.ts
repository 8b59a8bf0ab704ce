import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** ms. What is left of a server that was asked to end is killed then. */
const GRACE = 5_000;
const LOOK_EVERY = 50;

/**
 * Starts a server with a command line of the shell, in a process group of its own.
 *
 * @param write takes what the server prints
 * @returns what is aborted when the command has ended by itself, and what ends it and every process that it started
 */
export function startServer(command: string, write: (text: string) => void) {
  const ended = new AbortController();
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', write);
  const exited = once(child, 'exit').then(
    () => ended.abort(),
    () => ended.abort(),
  );
  /** @returns whether the group still has a process */
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, name);
    } catch {
      return false;
    }
  };
  const kill = (): void => {
    signal('SIGKILL');
  };
  // A second Ctrl-C leaves at once.
  process.once('exit', kill);
  const end = async (): Promise<void> => {
    const limit = performance.now() + GRACE;
    signal('SIGTERM');
    while (signal(0) && performance.now() < limit) await pause(LOOK_EVERY);
    kill();
    await exited;
    process.off('exit', kill);
  };
  return { ended: ended.signal, end };
}
