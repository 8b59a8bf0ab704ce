// npm run build:binary [-- --bundle FILE]
// Makes one executable of the command and of Node, for this platform, in build/binary/. With --bundle, makes only the script
// that goes into it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWhole } from './bundle.mjs';
import { findNode } from '../node-release.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(root, 'dist/cli/main.js');
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** 26 is the first release line with long-term support that makes an executable of ES modules without other tools. */
const NODE = '26.10.0';

/** The median time of a command in ms, divided by that of another; both take turns. */
function ratioOf(command, other) {
  const times = Array.from({ length: 15 }, () =>
    [command, other].map(([name, ...args]) => {
      const start = performance.now();
      execFileSync(name, args, { stdio: 'ignore' });
      return performance.now() - start;
    }),
  );
  const median = (which) => times.map((pair) => pair[which]).sort((one, next) => one - next)[7];
  return median(0) / median(1);
}

async function build() {
  const folder = join(root, 'build/binary');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [output, executable] = [name, 'node'].map((file) => join(folder, file + suffix));
  const [main, configuration] = ['main.mjs', 'sea.json'].map((file) => join(folder, file));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundleWhole(COMMAND, main);
  const node = findNode(NODE);
  copyFileSync(node, executable);
  // The symbols, which only a debugger needs, are a fifth of it.
  if (process.platform === 'linux') execFileSync('strip', [executable]);
  const own = { main, executable, output };
  const settings = { ...own, mainFormat: 'module', disableExperimentalSEAWarning: true, useCodeCache: true };
  writeFileSync(configuration, JSON.stringify(settings));
  execFileSync(node, ['--build-sea', configuration], { stdio: ['ignore', 'ignore', 'inherit'] });
  // macOS starts no program on arm64 without a signature; this one names nobody.
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', output], { stdio: 'inherit' });
  for (const file of [main, configuration, executable]) rmSync(file);
  const ratio = ratioOf([output, 'help'], [process.execPath, COMMAND, 'help']);
  const size = (statSync(output).size / 1e6).toFixed(0);
  console.log(
    `${relative(root, output)}: ${size} MB with Node ${NODE}; starts in ${ratio.toFixed(2)} of the time of dist/`,
  );
}

const [option, file] = process.argv.slice(2);
if (option === '--bundle' && file !== undefined) {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  await bundleWhole(COMMAND, resolve(file));
} else await build();
