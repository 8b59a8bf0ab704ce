import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A change of any of these makes dist/ out of date. */
const SOURCES = [
  ...['common', 'contract', 'reference-server', 'conformance', 'cli', 'proof', 'contract-publish', 'openapi-judge/src'],
  ...['openapi.yaml', 'arazzo.yaml', 'package.json', 'openapi-judge/package.json'],
  ...['scripts/package/build.mjs', 'scripts/package/bundle.mjs'],
];

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When a file was last changed, or when anything in a folder was changed, added or removed. */
function newest(path) {
  if (!statSync(path).isDirectory()) return timeOf(path);
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const counting = entries.filter((entry) => entry.isDirectory() || /\.(ts|json|css)$/.test(entry.name));
  return Math.max(timeOf(path), ...counting.map(({ parentPath, name }) => timeOf(`${parentPath}/${name}`)));
}

/**
 * Whether dist/ was built from the sources as they are.
 *
 * @returns {boolean}
 */
export function isBuilt() {
  // The build replaces each dist/ as a whole, so any of its files has its age.
  const built = ['dist/cli/main.js', 'openapi-judge/dist/main.js'].map((path) => timeOf(root + path));
  return Math.max(...SOURCES.map((path) => newest(root + path))) <= Math.min(...built);
}
