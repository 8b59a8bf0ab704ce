// Makes dist/, which is what the package has: the command and the library, each of few files, and the published files.
//   node scripts/build.mjs [--if-needed] [--types]
// With --if-needed nothing is done where dist/ is up to date; --types adds the declarations of the library.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';
import './typescript.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Fills a folder, and moves it into place at the end, so that dist/ is complete at any time. */
async function build() {
  const draft = mkdtempSync(`${root}.build-`);
  const writeJson = (file, value) => writeFileSync(`${draft}/${file}`, `${JSON.stringify(value, null, 2)}\n`);
  try {
    const { bundleEntries } = await import('./bundle.mjs');
    await bundleEntries(root, draft, { 'cli/main': 'cli/main.ts', 'conformance/index': 'conformance/index.ts' });
    const { resultSchema } = await import('../conformance/result/read-result.ts');
    mkdirSync(`${draft}/conformance/result`);
    writeJson('conformance/result/result.schema.json', resultSchema());
    const { configurationSchema } = await import('../cli/input/settings.ts');
    writeJson('cli/config.schema.json', configurationSchema());
    const { buildContract } = await import('../contract-publish/build-contract.ts');
    buildContract(`${draft}/published`);
    chmodSync(`${draft}/cli/main.js`, 0o755);
    rmSync(`${root}dist`, { recursive: true, force: true });
    renameSync(draft, `${root}dist`);
    chmodSync(`${root}dist`, 0o755);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const wants = (option) => process.argv.includes(option);
try {
  if (!wants('--if-needed') || !isBuilt()) await build();
  if (wants('--types') && !existsSync(`${root}dist/conformance/index.d.ts`))
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
} catch (error) {
  if (error.name === 'NotPublishable') console.error(error.message);
  else if (error.stack && error.status === undefined) throw error;
  process.exitCode = 1;
}
