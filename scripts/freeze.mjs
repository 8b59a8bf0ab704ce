import { readFileSync, writeFileSync } from 'node:fs';
import { contractDocument } from '../dist/contract/document.js';
import { checks } from '../dist/conformance/checks/catalogue.js';

const file = new URL('../conformance/checks/scored-set.json', import.meta.url);
const { version } = contractDocument.info;
const frozen = JSON.parse(readFileSync(file, 'utf8'));

if (frozen.contractVersion === version && !process.argv.includes('--unreleased')) {
  console.error(
    `The scored set of contract ${version} is frozen. Raise info.version in openapi.yaml and run "npm run generate" first.\n` +
      `If ${version} has never been released: npm run freeze -- --unreleased`,
  );
  process.exitCode = 1;
} else {
  const lines = [...checks]
    .sort((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, level }) => `    { "id": "${id}", "level": "${level}" }`);
  writeFileSync(file, `{\n  "contractVersion": "${version}",\n  "checks": [\n${lines.join(',\n')}\n  ]\n}\n`);
  console.log(`wrote conformance/checks/scored-set.json: contract ${version}, ${lines.length} checks`);
}
