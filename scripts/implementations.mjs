// Makes the results of the implementations again: npm run implementations [-- NAME …]. Each script in
// site/implementations starts a server, judges it, and leaves the result where $RESULT says.
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

/** What the operator has set for another target is nothing to these. */
function cleanEnvironment(own) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_'));
  return { ...Object.fromEntries(rest), ...own };
}

/** @returns {boolean} whether a result was made */
function make(name) {
  const aside = mkdtempSync(join(tmpdir(), 'conformance-implementation-'));
  const result = join(aside, 'result.json');
  try {
    const { status } = spawnSync('sh', [join(folder, `${name}.sh`)], {
      cwd: root,
      env: cleanEnvironment({ RESULT: result }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (!existsSync(result)) {
      console.error(`${name}: its script wrote no result (exit code ${status}).`);
      return false;
    }
    const text = readFileSync(result, 'utf8');
    writeFileSync(join(folder, `${name}.json`), text);
    console.log(`${name}: ${JSON.parse(text).verdict}`);
    return true;
  } finally {
    rmSync(aside, { recursive: true });
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no site/implementations/${unknown[0]}.sh; there are ${known.join(', ')}.`);
  process.exitCode = 2;
} else {
  mkdirSync(join(root, 'build'), { recursive: true });
  const made = (wanted.length > 0 ? wanted : known).map(make);
  if (made.includes(false)) process.exitCode = 1;
}
