// Judges a version of Unleash, whose user administration this contract describes:
//   RESULT=FILE node site/implementations/unleash.mjs VERSION
// It installs the npm package `unleash-server` below build/, starts it with a PostgreSQL of its own on loopback, makes two users
// and a key without permissions, runs the suite, and ends both servers. PostgreSQL's initdb and pg_ctl must be installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetch } from 'undici';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ADMIN = { username: 'admin', password: 'unleash4all' };
const PATIENCE_SECONDS = 300;
const READER = { name: 'Reader', email: 'reader@example.com', password: 'Conformance-2!' };

/** What went wrong outside this script; its message is all that is shown. */
class Failure extends Error {}

/** The process that this script waits for. A signal goes to it, and then everything is ended in order. */
let current;

function succeed(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  if (status !== 0)
    throw new Failure(`${[command, ...args].join(' ')}: ${error?.message ?? `ended with ${status ?? signal}`}`);
}

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The folder of PostgreSQL's programs. Debian keeps them outside the search path. */
function postgresFolder() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((left, right) => right - left) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
  if (!found)
    throw new Failure('PostgreSQL is missing: initdb and pg_ctl were not found. Install it (Debian: postgresql).');
  return found;
}

/** Starts a PostgreSQL with an empty database. It refuses to run as root, so another account is used then. */
async function startPostgres(folder) {
  const programs = postgresFolder();
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const own = join(folder, 'postgres');
  mkdirSync(own);
  if (isRoot) {
    const { stdout } = spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' });
    chownSync(own, Number(stdout), -1);
    chownSync(folder, Number(stdout), -1);
  }
  const run = (program, ...args) => {
    const command = [join(programs, program), ...args];
    const [first, ...rest] = isRoot ? ['runuser', '-u', 'nobody', '--', ...command] : command;
    succeed(first, rest, { cwd: folder });
  };
  const data = join(own, 'data');
  run('initdb', '-D', data, '-U', 'unleash', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync');
  const settings = `-p ${port} -k ${own} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run('pg_ctl', '-D', data, '-w', '-l', join(own, 'log'), '-o', settings, 'start');
  return { port, stop: () => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop') };
}

/** Installs a package below build/, without running its install scripts. */
function install(name, pack) {
  const folder = join(root, 'build', name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  succeed('npm', ['install', '--prefix', folder, ...options, pack]);
  return join(folder, 'node_modules');
}

/** A Node.js that a version of Unleash runs on: this one, or that of the npm package `node` for this platform. */
function nodeFor(version) {
  const isOld = Number.parseInt(version) < 8;
  const own = Number.parseInt(process.versions.node);
  if (isOld ? own <= 20 : own >= 22) return process.execPath;
  const { platform, arch } = process;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
  const major = isOld ? 20 : 24;
  return join(install(`node-${major}`, `${name}@${major}`), name, 'bin/node');
}

/** Starts Unleash, and waits until its administrator can log in. Its log goes to a file, whose end is shown if it does not. */
async function startUnleash(version, databasePort, folder) {
  const server = join(install(`unleash-${version}`, `unleash-server@${version}`), 'unleash-server/dist/server.js');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = join(folder, 'unleash.log');
  const output = openSync(log, 'w');
  const child = spawn(nodeFor(version), [server], {
    cwd: folder,
    stdio: ['ignore', output, output],
    env: {
      ...{ PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'warn' },
      ...{ HTTP_HOST: '127.0.0.1', HTTP_PORT: port, UNLEASH_URL: url },
      ...{ DATABASE_HOST: '127.0.0.1', DATABASE_PORT: databasePort, DATABASE_NAME: 'postgres' },
      ...{ DATABASE_USERNAME: 'unleash', DATABASE_PASSWORD: 'unleash', DATABASE_SSL: 'false' },
      ...{ CHECK_VERSION: 'false', SEND_TELEMETRY: 'false' },
      ...{ UNLEASH_DEFAULT_ADMIN_USERNAME: ADMIN.username, UNLEASH_DEFAULT_ADMIN_PASSWORD: ADMIN.password },
      ...{ SIMPLE_LOGIN_LIMIT_PER_MINUTE: 1_000_000, CREATE_USER_RATE_LIMIT_PER_MINUTE: 1_000_000 },
    },
  });
  current = child;
  child.on('error', ({ message }) => writeSync(output, message));
  const ended = new Promise((closed) => child.once('close', closed));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  for (let second = 0; second < PATIENCE_SECONDS; second += 1) {
    const authorization = await keyOf(url, ADMIN).catch(() => undefined);
    if (authorization !== undefined) return { url, authorization, stop };
    // A process that a signal ended has no exit code.
    if (child.exitCode !== null || child.signalCode !== null) break;
    await setTimeout(1_000);
  }
  const state = child.exitCode ?? child.signalCode;
  await stop();
  const last = readFileSync(log, 'utf8').trim().split('\n').slice(-20).join('\n');
  const what = state === null ? `was not ready after ${PATIENCE_SECONDS} seconds` : `ended with ${state}`;
  throw new Failure(`unleash-server ${version} ${what}. The end of its log:\n${last}`);
}

/** Sends a request, and gives the body and the cookies of its response. */
async function send(url, method, path, { body, ...headers } = {}) {
  const response = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(5_000),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Failure(`${method} ${path}: ${response.status} ${await response.text()}`);
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  const text = await response.text();
  return { json: text === '' ? undefined : JSON.parse(text), cookie: cookie.join('; ') };
}

async function keyOf(url, { username, password }) {
  const { cookie } = await send(url, 'POST', '/auth/simple/login', { body: { username, password } });
  const body = { description: 'conformance', expiresAt: '2099-01-01T00:00:00.000Z' };
  return (await send(url, 'POST', '/api/admin/user/tokens', { cookie, body })).json.secret;
}

/** Makes two users and a key without permissions, and gives the settings of the suite. */
async function seed({ url, authorization }) {
  const { rootRoles } = (await send(url, 'GET', '/api/admin/user-admin', { authorization })).json;
  const roleOf = (...names) => rootRoles.find(({ name }) => names.includes(name)).id;
  const create = async (body) =>
    (await send(url, 'POST', '/api/admin/user-admin', { authorization, body: { ...body, sendEmail: false } })).json.id;
  const { password, ...reader } = READER;
  const id = await create({ ...reader, rootRole: roleOf('Viewer', 'Reader') });
  // Version 4 ignores a password that a new user is given.
  await send(url, 'POST', `/api/admin/user-admin/${id}/change-password`, { authorization, body: { password } });
  const user = await create({ name: 'Ada Example', email: 'ada@example.com', rootRole: roleOf('Editor') });
  const other = await create({
    name: 'Grace Example',
    email: 'grace@example.com',
    rootRole: roleOf('Viewer', 'Reader'),
  });
  return {
    CONFORMANCE_ADMIN_KEY: authorization,
    CONFORMANCE_RESTRICTED_KEY: await keyOf(url, { username: READER.email, password: READER.password }),
    CONFORMANCE_USER_ID: String(user),
    CONFORMANCE_OTHER_USER_ID: String(other),
    CONFORMANCE_MISSING_USER_ID: '2147480000',
    CONFORMANCE_ROLE_IDS: rootRoles.map(({ id }) => id).join(),
    CONFORMANCE_EMAIL_DOMAIN: 'example.com',
  };
}

async function judge(unleash) {
  const { url } = unleash;
  const settings = await seed(unleash);
  const journal = 'build/unleash.journal';
  const args = ['dist/cli/main.js', 'run', url, '--journal', journal, '--report', `json=${process.env.RESULT}`];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...settings },
  });
  current = child;
  await once(child, 'close');
  rmSync(join(root, journal), { force: true });
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => current?.kill(signal));
const [version] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'conformance-unleash-'));
const running = [];
try {
  running.push(await startPostgres(folder));
  const unleash = await startUnleash(version, running[0].port, folder);
  running.push(unleash);
  await judge(unleash);
} catch (error) {
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const { stop } of running.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}
