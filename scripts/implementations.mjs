// Renews the results of the implementations: npm run implementations [-- [--check] NAME …]. site/implementations/NAME.yaml says
// how to start a server at $PORT (`server`), or has a `script` that writes the result to $RESULT itself. Without names, only
// those that need no other program. With --check the committed results stay, and a result that says something else fails.
//   npm run examples [-- [--check] [--defaults] [NAME …]]
// judges those of examples/servers whose programs are there. With --defaults, it judges each with the defaults of its framework
// that its guide shows, one by one and all together, and writes what the suite says to examples/servers/findings.json.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { ALL, defaultsOf, withDefaults } from '../site/guides.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    examples: { type: 'boolean', default: false },
    defaults: { type: 'boolean', default: false },
    /** The folder of the descriptions and the results. */
    implementations: { type: 'string', default: join(root, 'site/implementations') },
  },
});
const folder = resolve(options.implementations);
const build = join(root, 'build/implementations');
const HISTORY = join(folder, 'history.json');
const FINDINGS = join(root, 'examples/servers/findings.json');
/** The users, roles, banners and keys of a server whose description names no others. */
const SETTINGS = {
  ...{ ADMIN_KEY: 'example-admin-key', RESTRICTED_KEY: 'example-restricted-key' },
  ...{ USER_ID: 4, OTHER_USER_ID: 5, MISSING_USER_ID: 404404, ROLE_IDS: '1,2', BANNER_IDS: 1 },
};

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});

/** A result without the folders of the machine that made it: servers show them in stack traces, and the journal is in one. */
const withoutMachine = (text, temporary) =>
  text
    .replaceAll(/(?:\/[\w.@-]+)+\/node_modules\//g, 'node_modules/')
    .replaceAll(`${temporary}/`, '')
    .replaceAll(root, '')
    .replaceAll(`${homedir()}/`, '~/');

const writeJson = (path, value, indent) => writeFileSync(path, `${JSON.stringify(value, null, indent)}\n`);
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((file) => ({ name: file.slice(0, -'.yaml'.length), ...parse(readFileSync(join(folder, file), 'utf8')) }));

/** The environment without the settings of the operator, which are for another target. */
function environment(own) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_'));
  return { ...Object.fromEntries(rest), ...own };
}

function isInstalled(program) {
  return process.env.PATH.split(delimiter).some((path) => {
    try {
      accessSync(join(path, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}

/** Starts a command in a process group of its own. What it prints is appended to the log. */
function start(command, args, cwd, { LOG: log, ...env }) {
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    ...{ cwd, detached: true, env: environment(env) },
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
    await setTimeout(200);
  }
  return false;
}

/** Starts a server in a folder, judges it, and ends it with all its children. */
async function judgeServer({ server, settings }, cwd, env) {
  const port = await freePort();
  const target = start('sh', ['-c', server], cwd, { PORT: port, LOG: env.LOG });
  const variables = Object.entries({ ...SETTINGS, ...settings }).map(([key, value]) => [
    `CONFORMANCE_${key}`,
    `${value}`,
  ]);
  const run = ['dist/cli/main.js', 'run', `http://127.0.0.1:${port}`, '--fail-on', 'should'];
  const files = ['--report', `json=${env.RESULT}`, '--journal', `${env.RESULT}.journal`];
  try {
    if (!(await accepts(port, target.ended))) return;
    const own = { ...Object.fromEntries(variables), LOG: env.LOG };
    await start(process.execPath, [...run, ...files], root, own).ended;
  } finally {
    await target.end();
  }
}

/**
 * Judges an implementation: one with a folder in a copy of it, below build/.
 *
 * @param defaults what the copy does in place of what the server does
 * @returns {Promise<object | undefined>} the result
 */
async function judge({ name, folder: own, source, script, ...about }, defaults = []) {
  const temporary = mkdtempSync(join(tmpdir(), 'conformance-implementation-'));
  const env = { RESULT: join(temporary, 'result.json'), LOG: join(temporary, 'log') };
  try {
    if (script !== undefined) await start('sh', ['-c', script], root, env).ended;
    else if (own === undefined) await judgeServer(about, root, env);
    else {
      const copy = join(build, name);
      cpSync(join(root, own), copy, { recursive: true });
      if (defaults.length > 0) {
        const text = withDefaults(readFileSync(join(root, own, source), 'utf8'), defaults);
        writeFileSync(join(copy, source), source.endsWith('.go') ? withoutUnusedImports(text) : text);
      }
      await judgeServer(about, copy, env);
    }
    if (existsSync(env.RESULT)) return JSON.parse(withoutMachine(readFileSync(env.RESULT, 'utf8'), temporary));
    console.error(`${name}: there is no result.\n${readFileSync(env.LOG, 'utf8').split('\n').slice(-20).join('\n')}`);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** Go refuses an import that is not used. */
function withoutUnusedImports(text) {
  return text.replaceAll(/^\t"(?:\w+\/)*(\w+)"\n/gm, (line, name) => (text.includes(`${name}.`) ? line : ''));
}

/** What a result says about its server, without what differs from run to run. */
function statements({ verdict, requirements, findings, restoration }) {
  const broken = requirements.filter(({ outcome }) => outcome === 'failed');
  return [
    `verdict: ${verdict}`,
    ...broken.map(({ id, level }) => `broken requirement: ${id} (${level})`),
    ...findings.map(findingOf),
    ...restoration.users.flatMap(({ subject, members }) =>
      members.map(({ member, outcome }) => `${subject}: ${member} ${outcome}`),
    ),
  ];
}

const findingOf = ({ id, level }) => `finding: ${id} (${level})`;

/** @returns {boolean} whether two lists say the same; if not, it prints the difference */
function isAsCommitted(name, old, now) {
  const differences = [
    ...old.filter((each) => !now.includes(each)).map((each) => `- ${each}`),
    ...now.filter((each) => !old.includes(each)).map((each) => `+ ${each}`),
  ];
  if (differences.length === 0) console.log(`${name}: as committed`);
  else console.error(`${name}: the result differs from the committed one:\n  ${differences.join('\n  ')}`);
  return differences.length === 0;
}

const countsOf = ({ findings }) =>
  Object.fromEntries(
    ['must', 'should'].map((level) => [level, findings.filter((each) => each.level === level).length]),
  );

/** Adds a result to the history, unless the entry before says the same of the same versions. */
function remember(name, result) {
  const history = readJson(HISTORY);
  const { tool, contract, startedAt } = result;
  const entry = { suite: tool.version, contract: contract.version, ...countsOf(result) };
  const last = { ...history[name]?.at(-1), judged: undefined };
  if (JSON.stringify(last) === JSON.stringify(entry)) return;
  history[name] = [...(history[name] ?? []), { judged: startedAt.slice(0, 10), ...entry }];
  const lines = Object.keys(history)
    .sort()
    .map((each) => `  "${each}": ${JSON.stringify(history[each])}`);
  writeFileSync(HISTORY, `{\n${lines.join(',\n')}\n}\n`);
}

/** @returns {Promise<boolean>} whether there is a result, and with --check, whether it is as committed */
async function renew(about) {
  const { name } = about;
  const result = await judge(about);
  if (result === undefined) return false;
  const committed = join(folder, `${name}.json`);
  if (options.check) {
    const old = readJson(committed);
    if (isAsCommitted(name, old.findings ? statements(old) : [], statements(result))) return true;
    writeJson(join(build, `${name}.json`), result);
    console.error(`build/implementations/${name}.json has it. If it is right: npm run implementations -- ${name}`);
    return false;
  }
  writeJson(committed, result);
  remember(name, result);
  const { must, should } = countsOf(result);
  console.log(`${name.padEnd(24)} ${result.verdict.padEnd(12)} must ${must}, should ${should}`);
  return true;
}

/** A text without what differs from run to run: the values that a run makes are numbered in their order. */
function withoutRun(text) {
  const values = [];
  return text.replaceAll(/(conformance[ -])[0-9a-f]{8}([ -])(\d+)/gi, (_value, lead, between, number) => {
    if (!values.includes(number)) values.push(number);
    return `${lead}1f3a9c02${between}${values.indexOf(number) + 1}`;
  });
}

/** What a result says to the author of a server: its findings, or the hints that say why there are none. */
function saidBy({ findings = [], hints = [] }) {
  const asFindings = hints.map(({ id, text }) => ({ level: 'hint', id, title: text }));
  return (findings.length > 0 ? findings : asFindings).map(({ level, id, title }) => ({
    ...{ level, id },
    title: withoutRun(title),
  }));
}

/** @returns {Promise<boolean>} whether every default of a framework gives a finding, and with --check, the committed one */
async function renewDefaults(about) {
  const { name } = about;
  const defaults = defaultsOf(readFileSync(join(root, `docs/servers/${name}.md`), 'utf8'));
  const found = {};
  for (const [id, own] of [...defaults.map((each) => [each.id, [each]]), [ALL, defaults]]) {
    found[id] = [];
    // Concurrent updates meet by chance.
    for (let tries = 0; tries < 5 && found[id].length === 0; tries += 1) {
      found[id] = saidBy((await judge(about, own)) ?? {});
    }
    console.log(`${name} ${id}: ${found[id].map(({ level, title }) => `\n  ${level} ${title}`).join('') || 'nothing'}`);
  }
  const all = readJson(FINDINGS);
  const statementsOf = (set) =>
    Object.entries(set).flatMap(([id, list]) => list.map((each) => `${id}: ${findingOf(each)}`));
  if (options.check) return isAsCommitted(name, statementsOf(all[name] ?? {}), statementsOf(found));
  writeJson(FINDINGS, { ...all, [name]: found }, 2);
  return Object.values(found).every((each) => each.length > 0);
}

const missingOf = ({ needs = [] }) => needs.filter((program) => !isInstalled(program));
const unknown = wanted.filter((name) => !known.some((each) => each.name === name));
if (unknown.length > 0) {
  console.error(
    `site/implementations/${unknown[0]}.yaml does not exist. The implementations are ${known.map(({ name }) => name).join(', ')}.`,
  );
  process.exitCode = 2;
} else {
  mkdirSync(build, { recursive: true });
  const usual = known.filter(({ needs, folder: own }) =>
    options.examples ? own?.startsWith('examples/') : needs === undefined,
  );
  const chosen = wanted.length > 0 ? known.filter(({ name }) => wanted.includes(name)) : usual;
  for (const about of chosen) {
    const missing = missingOf(about);
    if (missing.length > 0) console.log(`${about.name.padEnd(24)} skipped: ${missing.join(', ')} not found`);
    else if (!(await (options.defaults ? renewDefaults : renew)(about))) process.exitCode = 1;
  }
}
