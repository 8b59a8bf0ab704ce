// Runs a built file with the arguments behind it; builds first if a source is newer than what was built.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file, ...args] = process.argv.slice(2);
const SOURCES = ['contract', 'reference-server', 'conformance', 'proof', 'contract-gate'];

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(folder) {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return Math.max(...names.filter((name) => /\.(ts|json)$/.test(name)).map((name) => timeOf(`${folder}/${name}`)));
}

if (Math.max(...SOURCES.map((folder) => newest(root + folder))) > timeOf(`${root}dist/${file}`)) {
  execFileSync(process.execPath, [`${root}scripts/build.mjs`], { cwd: root, stdio: ['ignore', 2, 2] });
}
const child = spawn(process.execPath, [`${root}dist/${file}`, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => (process.exitCode = code ?? 1));
