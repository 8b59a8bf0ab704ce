// Runs a file that needs dist/: node scripts/run-built.mjs FILE [ARGUMENT …]. Builds first if a source is newer than dist/.
// The build prints nothing on stdout, which belongs to FILE.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file, ...args] = process.argv.slice(2);

if (!isBuilt()) {
  const { status } = spawnSync(process.execPath, [`${root}scripts/build.mjs`], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
const child = spawn(process.execPath, [root + file, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => (process.exitCode = code ?? 1));
