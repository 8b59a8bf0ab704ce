// Makes dist/, which is what the package has: the command and the library, each of few files, and the published files;
// and openapi-judge/dist/, which is what the package of the judge has.
//   node scripts/package/build.mjs [--if-needed] [--types]
// With --if-needed nothing is done where both are up to date; --types adds the declarations of the libraries.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';
import '../typescript.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

const SUITE = { 'cli/main': 'cli/main.ts', 'conformance/index': 'conformance/index.ts' };
const JUDGE = { main: 'openapi-judge/src/main.ts', index: 'openapi-judge/src/index.ts' };
/** The declarations of each library, by the project that makes them. */
const TYPES = {
  'tsconfig.build.json': 'dist/conformance/index.d.ts',
  'openapi-judge/tsconfig.build.json': 'openapi-judge/dist/types/openapi-judge/src/index.d.ts',
};

/** Fills a folder, and moves it into place at the end, so that each dist/ is complete at any time. */
async function build() {
  const draft = mkdtempSync(`${root}.build-`);
  const writeJson = (file, value) => writeFileSync(`${draft}/${file}`, `${JSON.stringify(value, null, 2)}\n`);
  try {
    const { bundleEntries } = await import('./bundle.mjs');
    await bundleEntries(root, draft, SUITE);
    const { resultSchema } = await import('../../conformance/result/read-result.ts');
    mkdirSync(`${draft}/conformance/result`);
    writeJson('conformance/result/result.schema.json', resultSchema());
    const { configurationSchema } = await import('../../cli/input/settings.ts');
    writeJson('cli/config.schema.json', configurationSchema());
    const { buildContract } = await import('../../contract-publish/build-contract.ts');
    buildContract(`${draft}/published`);
    await bundleEntries(root, `${draft}/judge`, JUDGE, 'openapi-judge/');
    for (const command of ['cli/main.js', 'judge/main.js']) chmodSync(`${draft}/${command}`, 0o755);
    rmSync(`${root}openapi-judge/dist`, { recursive: true, force: true });
    renameSync(`${draft}/judge`, `${root}openapi-judge/dist`);
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
  if (wants('--types'))
    for (const [project, made] of Object.entries(TYPES))
      if (!existsSync(`${root}${made}`))
        execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
} catch (error) {
  if (error.name === 'NotPublishable') console.error(error.message);
  else if (error.stack && error.status === undefined) throw error;
  process.exitCode = 1;
}
