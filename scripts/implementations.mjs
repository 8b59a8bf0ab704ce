// Renews the results of the implementations: npm run implementations [-- [--check] NAME …]. Each script in site/implementations
// starts a server, judges it, and writes the result to $RESULT. Without names, only those that need no other program.
// With --check the committed results stay, and a result that says something else about its server fails.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    /** The folder of the scripts and their results. */
    implementations: { type: 'string', default: join(root, 'site/implementations') },
  },
});
const folder = resolve(options.implementations);
const fresh = join(root, 'build/implementations');
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.sh'))
  .map((name) => name.slice(0, -'.sh'.length));

/** The environment without the settings of the operator, which are for another target. */
function cleanEnvironment(own) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_'));
  return { ...Object.fromEntries(rest), ...own };
}

/** @returns {string | undefined} the result that the script of an implementation wrote */
function judge(name) {
  const temporary = mkdtempSync(join(tmpdir(), 'conformance-implementation-'));
  const result = join(temporary, 'result.json');
  try {
    const { status } = spawnSync('sh', [join(folder, `${name}.sh`)], {
      cwd: root,
      env: cleanEnvironment({ RESULT: result }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (existsSync(result)) return readFileSync(result, 'utf8');
    console.error(`${name}: its script did not write a result (exit code ${status}).`);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** What a result says about its server, without what differs from run to run. */
function statements({ verdict, requirements, findings, restoration }) {
  const broken = requirements.filter(({ outcome }) => outcome === 'failed');
  return [
    `verdict: ${verdict}`,
    ...broken.map(({ id, level }) => `broken requirement: ${id} (${level})`),
    ...findings.map(({ id, level }) => `finding: ${id} (${level})`),
    ...restoration.users.flatMap(({ subject, members }) =>
      members.map(({ member, outcome }) => `${subject}: ${member} ${outcome}`),
    ),
  ];
}

/** @returns {boolean} whether the committed result says the same */
function isAsCommitted(name, text) {
  const committed = join(folder, `${name}.json`);
  const old = existsSync(committed) ? statements(JSON.parse(readFileSync(committed, 'utf8'))) : [];
  const now = statements(JSON.parse(text));
  const differences = [
    ...old.filter((each) => !now.includes(each)).map((each) => `- ${each}`),
    ...now.filter((each) => !old.includes(each)).map((each) => `+ ${each}`),
  ];
  if (differences.length === 0) {
    console.log(`${name}: as committed`);
    return true;
  }
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, `${name}.json`), text);
  console.error(`${name}: the result differs from the committed one:\n  ${differences.join('\n  ')}`);
  console.error(`build/implementations/${name}.json has it. If it is right: npm run implementations -- ${name}`);
  return false;
}

/** @returns {boolean} whether there is a result, and with --check, whether it is as committed */
function renew(name) {
  const text = judge(name);
  if (text === undefined) return false;
  if (options.check) return isAsCommitted(name, text);
  writeFileSync(join(folder, `${name}.json`), text);
  console.log(`${name}: ${JSON.parse(text).verdict}`);
  return true;
}

/** Whether a description says that its server needs programs that npm does not install. */
const needsMore = (name) => /^needs:/m.test(readFileSync(join(folder, `${name}.yaml`), 'utf8'));

const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`site/implementations/${unknown[0]}.sh does not exist. The implementations are ${known.join(', ')}.`);
  process.exitCode = 2;
} else {
  mkdirSync(join(root, 'build'), { recursive: true });
  const renewed = (wanted.length > 0 ? wanted : known.filter((name) => !needsMore(name))).map(renew);
  if (renewed.includes(false)) process.exitCode = 1;
}
