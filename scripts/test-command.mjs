// Runs the end-to-end tests of the command as users get it.
//   binary              the executable that npm run build:binary makes
//   nodes [VERSION …]   the packed package, installed, on each supported release line of Node
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './node-release.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const E2E = 'test/e2e';
const VERSIONS = ['20', '22', '24', '26'];

/** The tests that run the command. */
function testsOfCommand() {
  const files = readdirSync(join(root, E2E)).filter((file) => file.endsWith('.test.ts'));
  return files
    .filter((file) => /\b(cli|startCli)\(/.test(readFileSync(join(root, E2E, file), 'utf8')))
    .map((file) => `${E2E}/${file}`);
}

/** @returns whether all tests passed */
function test(what, command, files, path = process.env.PATH) {
  console.log(`\n${what}`);
  const env = { ...process.env, PATH: path, TEST_COMMAND: JSON.stringify(command) };
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return spawnSync(process.execPath, [vitest, 'run', ...files], { cwd: root, stdio: 'inherit', env }).status === 0;
}

function testBinary() {
  execFileSync('npm', ['run', 'build:binary'], { cwd: root, stdio: 'inherit' });
  const [binary] = readdirSync(join(root, 'build/binary'));
  return test('The executable', [join(root, 'build/binary', binary)], testsOfCommand());
}

function testNodes(versions) {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
    const packed = execFileSync('npm', ['pack', root, '--json', '--ignore-scripts'], options);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `./${JSON.parse(packed)[0].filename}`], options);
    const command = join(folder, 'node_modules/admin-api-conformance/dist/cli/main.js');
    const files = [...testsOfCommand(), `${E2E}/package.test.ts`];
    const passed = versions.map((version) => {
      const node = findNode(version);
      // npm and npx of the tests are started by this Node, too.
      return test(`Node ${version}: ${node}`, [node, command], files, dirname(node) + delimiter + process.env.PATH);
    });
    return passed.every(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [which, ...versions] = process.argv.slice(2);
const passed = which === 'binary' ? testBinary() : testNodes(versions.length > 0 ? versions : VERSIONS);
process.exitCode = passed ? 0 : 1;
