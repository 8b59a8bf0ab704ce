// Renews the results of the implementations: npm run implementations [-- NAME …]. Each script in site/implementations
// starts a server, judges it, and writes the result to $RESULT. Without names, only those that need no other program.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'site/implementations');
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.sh'))
  .map((name) => name.slice(0, -'.sh'.length));

/** The environment without the settings of the operator, which are for another target. */
function cleanEnvironment(own) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_'));
  return { ...Object.fromEntries(rest), ...own };
}

/** @returns {boolean} whether the script of an implementation wrote a result */
function renew(name) {
  const temporary = mkdtempSync(join(tmpdir(), 'conformance-implementation-'));
  const result = join(temporary, 'result.json');
  try {
    const { status } = spawnSync('sh', [join(folder, `${name}.sh`)], {
      cwd: root,
      env: cleanEnvironment({ RESULT: result }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (!existsSync(result)) {
      console.error(`${name}: its script did not write a result (exit code ${status}).`);
      return false;
    }
    const text = readFileSync(result, 'utf8');
    writeFileSync(join(folder, `${name}.json`), text);
    console.log(`${name}: ${JSON.parse(text).verdict}`);
    return true;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** Whether a description says that its server needs programs that npm does not install. */
const needsMore = (name) => /^needs:/m.test(readFileSync(join(folder, `${name}.yaml`), 'utf8'));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`site/implementations/${unknown[0]}.sh does not exist. The implementations are ${known.join(', ')}.`);
  process.exitCode = 2;
} else {
  mkdirSync(join(root, 'build'), { recursive: true });
  const renewed = (wanted.length > 0 ? wanted : known.filter((name) => !needsMore(name))).map(renew);
  if (renewed.includes(false)) process.exitCode = 1;
}
