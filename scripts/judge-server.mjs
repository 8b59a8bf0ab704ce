// Starts a server that is not part of the suite, judges it with the built command, and ends it with all its children.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The users, roles, banners and keys of a server that names no others. */
const SETTINGS = {
  ADMIN_KEY: 'example-admin-key',
  RESTRICTED_KEY: 'example-restricted-key',
  USER_ID: 4,
  OTHER_USER_ID: 5,
  MISSING_USER_ID: 404404,
  ROLE_IDS: '1,2',
  BANNER_IDS: 1,
};
const POLL_MS = 200;

/** The programs of a list that are not installed. */
export function missingPrograms(programs = []) {
  const folders = process.env.PATH.split(delimiter);
  return programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
}

/** What a result says about its server, without what differs from run to run. */
export function statementsOf({ verdict, findings }) {
  return [`verdict: ${verdict}`, ...findings.map(({ level, requirement }) => `${level} ${requirement}`)].sort();
}

/** @returns whether two lists say the same; if not, it prints the difference */
export function isSame(name, recorded, now) {
  const differences = [
    ...recorded.filter((each) => !now.includes(each)).map((each) => `- ${each}`),
    ...now.filter((each) => !recorded.includes(each)).map((each) => `+ ${each}`),
  ];
  if (differences.length === 0) console.log(`${name}: as recorded`);
  else console.error(`${name}: not as recorded:\n  ${differences.join('\n  ')}`);
  return differences.length === 0;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}

/** The settings of the operator are for another target. */
function environment(own) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_'));
  return { ...Object.fromEntries(rest), ...own };
}

/**
 * Starts a command in a process group of its own.
 *
 * @param about `folder` is where it runs, `env` what its environment has besides ours; its output is appended to `log`
 */
function start([command, ...args], { folder = root, env, log }) {
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    ...{ cwd: folder, detached: true, env: environment(env) },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = once(child, 'close');
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group is gone.
    }
    return ended;
  };
  return { ended, end };
}

/** Whether a port accepts connections before a process ends. */
async function accepts(port, ended) {
  let isGone = false;
  void ended.then(() => (isGone = true));
  while (!isGone) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return true;
    await setTimeout(POLL_MS);
  }
  return false;
}

/** Starts a server by a shell command, and judges it once it accepts connections. */
async function judgeAt({ server, folder, settings }, { result, log }) {
  const port = await freePort();
  const variables = Object.entries({ ...SETTINGS, ...settings }).map(([name, value]) => [`CONFORMANCE_${name}`, value]);
  const run = ['run', `http://127.0.0.1:${port}`, '--fail-on', 'should', '--report', `json=${result}`];
  const command = [process.execPath, join(root, 'dist/cli/main.js'), ...run];
  const target = start(['sh', '-c', server], { folder, env: { PORT: port }, log });
  try {
    if (!(await accepts(port, target.ended))) return;
    await start(command, { env: Object.fromEntries(variables), log }).ended;
  } finally {
    await target.end();
  }
}

/** Servers show folders of the machine in stack traces; the lists of results are public. */
function withoutMachine(text, temporary) {
  return text
    .replaceAll(/(?:\/[\w.@-]+)+\/node_modules\//g, 'node_modules/')
    .replaceAll(`${temporary}/`, '')
    .replaceAll(root, '')
    .replaceAll(`${homedir()}/`, '~/');
}

/**
 * Judges a server.
 *
 * @param about `server` is a shell command that starts it at $PORT, in `folder`; a `script` writes the result to $RESULT itself
 * @returns the result; undefined, with the end of its log on stderr, if there is none
 */
export async function judge({ name, server, folder = root, settings, script }) {
  const temporary = mkdtempSync(join(tmpdir(), 'conformance-judged-'));
  const [result, log] = [join(temporary, 'result.json'), join(temporary, 'log')];
  try {
    if (script === undefined) await judgeAt({ server, folder, settings }, { result, log });
    else await start(['sh', '-c', script], { env: { RESULT: result }, log }).ended;
    if (existsSync(result)) return JSON.parse(withoutMachine(readFileSync(result, 'utf8'), temporary));
    console.error(`${name}: no result.\n${readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')}`);
    return undefined;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
