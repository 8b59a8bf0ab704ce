import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const CLI = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/**
 * Runs Redocly in the repository's root, on this terminal, without its telemetry and its question for a newer version.
 *
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} environment what it gets beside the environment of this process
 * @returns {Promise<number>} its exit code; as a shell has it, if a signal ended it
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
