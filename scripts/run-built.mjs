// Runs a file that needs dist/: node scripts/run-built.mjs FILE [ARGUMENT …]. Builds first if a source is newer than dist/.
// The build prints nothing on stdout, which belongs to FILE.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file, ...args] = process.argv.slice(2);
const BUILD = 'tsconfig.build.json';
const { include } = JSON.parse(readFileSync(root + BUILD, 'utf8'));
/** A change of any of these makes dist/ out of date. */
const SOURCES = [...include, 'openapi.yaml', 'arazzo.yaml', 'tsconfig.json', BUILD, 'scripts/build.mjs'];

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When a file was last changed, or when anything in a folder was changed, added or removed. */
function newest(path) {
  if (!statSync(path).isDirectory()) return timeOf(path);
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const counting = entries.filter((entry) => entry.isDirectory() || /\.(ts|json)$/.test(entry.name));
  return Math.max(timeOf(path), ...counting.map(({ parentPath, name }) => timeOf(`${parentPath}/${name}`)));
}

// The build replaces dist/ as a whole, so any of its files has its age.
if (Math.max(...SOURCES.map((path) => newest(root + path))) > timeOf(`${root}dist/cli/main.js`)) {
  const { status } = spawnSync(process.execPath, [`${root}scripts/build.mjs`], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
const child = spawn(process.execPath, [root + file, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => (process.exitCode = code ?? 1));
