// Records the results of implementations: npm run implementations [-- [--check] NAME …]. site/implementations/NAME.yaml says how
// to start a server at $PORT (`server`), or has a `script` that writes the result to $RESULT itself. Without names, it records
// those that need no other program. With --check the recorded results stay, and one that says something else fails.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { isSame, judge, missingPrograms, root, statementsOf } from './judge-server.mjs';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    /** The folder of the descriptions and the results. */
    implementations: { type: 'string', default: join(root, 'site/implementations') },
  },
});
const folder = resolve(options.implementations);
const known = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => ({ name: basename(file, '.yaml'), ...parse(readFileSync(join(folder, file), 'utf8')) }));

/** A fresh copy of the folder of an implementation, below build/: its server may write into it. */
function copyOf({ name, folder: own }) {
  if (own === undefined) return root;
  const copy = join(root, 'build/implementations', name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, own), copy, { recursive: true });
  return copy;
}

/** @returns whether there is a result, and with --check, whether it says what the recorded one says */
async function record(about) {
  const { name } = about;
  const result = await judge({ ...about, folder: copyOf(about) });
  if (result === undefined) return false;
  const file = join(folder, `${name}.json`);
  if (options.check) {
    const recorded = existsSync(file) ? statementsOf(JSON.parse(readFileSync(file, 'utf8'))) : [];
    return isSame(name, recorded, statementsOf(result));
  }
  writeFileSync(file, `${JSON.stringify(result)}\n`);
  console.log(`${name}: ${result.verdict}, ${result.findings.length} findings`);
  return true;
}

const unknown = wanted.find((name) => !known.some((each) => each.name === name));
if (unknown !== undefined) {
  const names = known.map(({ name }) => name).join(', ');
  console.error(`site/implementations/${unknown}.yaml does not exist. The implementations are ${names}.`);
  process.exit(2);
}
for (const about of known) {
  if (wanted.length > 0 ? !wanted.includes(about.name) : about.needs !== undefined) continue;
  const missing = missingPrograms(about.needs);
  if (missing.length > 0) console.log(`${about.name}: skipped, ${missing.join(', ')} not found`);
  else if (!(await record(about))) process.exitCode = 1;
}
