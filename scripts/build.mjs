import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';

// With --if-needed nothing is done where dist/ is up to date.
if (process.argv[2] === '--if-needed' && isBuilt()) process.exit(0);

const root = fileURLToPath(new URL('..', import.meta.url));
/** Files that modules read from their own folder. */
const DATA = [
  'contract/openapi.json',
  'contract/retired-ids.json',
  'contract/frozen.json',
  'conformance/report/html/style.css',
  'conformance/result/matrix.schema.json',
  'conformance/result/result.schema.json',
];
/** What the package gives to others: its command and its library. */
const ENTRIES = ['cli/main', 'conformance/index'];
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

// Builds in a folder of its own and moves it into place at the end, so that dist/ is complete at any time.
const draft = mkdtempSync(`${root}.build-`);
try {
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', draft], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const file of DATA) copyFileSync(root + file, `${draft}/${file}`);
  const resultSchema = `${draft}/conformance/result/result.schema.json`;
  const { operationIds } = await import(`${draft}/contract/document.js`);
  const result = JSON.parse(readFileSync(resultSchema, 'utf8'));
  result.$defs.operation = { enum: operationIds, description: 'The operationId of an operation of the contract.' };
  writeFileSync(resultSchema, `${JSON.stringify(result, null, 2)}\n`);
  const { configurationSchema } = await import(`${draft}/cli/input/settings.js`);
  writeFileSync(`${draft}/cli/config.schema.json`, `${JSON.stringify(configurationSchema(), null, 2)}\n`);
  const { buildContract } = await import(`${draft}/contract-publish/build-contract.js`);
  buildContract(`${draft}/published`);
  const { bundleEntries, bundleJudge } = await import('./bundle.mjs');
  await bundleEntries(`${draft}/`, ENTRIES);
  await bundleJudge(draft, `${draft}/judge`);
  chmodSync(`${draft}/cli/main.js`, 0o755);
  rmSync(`${root}openapi-judge/dist`, { recursive: true, force: true });
  renameSync(`${draft}/judge`, `${root}openapi-judge/dist`);
  rmSync(`${root}dist`, { recursive: true, force: true });
  renameSync(draft, `${root}dist`);
  chmodSync(`${root}dist`, 0o755);
} catch (error) {
  rmSync(draft, { recursive: true, force: true });
  if (error.name === 'NotPublishable') console.error(error.message);
  else if (error.stack && error.status === undefined) throw error;
  process.exitCode = 1;
}
