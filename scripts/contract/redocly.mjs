import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CLI = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/**
 * Runs Redocly in the root of the repository, on this terminal, without telemetry and update notice.
 *
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} environment added to the environment of this process
 * @returns {Promise<number>} its exit code, or 128 and the number of the signal that ended it, as in a shell
 */
export function redocly(args, environment = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', ...environment },
  });
  const stop = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, stop);
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => {
      for (const each of signals) process.off(each, stop);
      done(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
