/** Builds the site as static files. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npmCommand } from '../common/process/npm.ts';
import { contractDocument } from '../conformance/index.ts';
import { buildContract } from '../contract/publish/contract-files.ts';
import { writeSiteData } from './data.ts';

const HELP = `Usage: npm run build:site -- [--out FOLDER] [--base PATH] [--repository URL]

Builds the site as static files, which any server of files can serve:
python3 -m http.server --directory build/site

  --out FOLDER      the folder to replace (build/site)
  --base PATH       the path of the site on its host (/)
  --repository URL  where its sources are: pages get links to them
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'site');

/** Runs a command in a folder; its output is shown only if it fails. */
function execute(folder: string, env: NodeJS.ProcessEnv, command: string, ...args: readonly string[]): void {
  try {
    execFileSync(command, args, { cwd: folder, env, stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    process.stderr.write(`${[command, ...args].join(' ')} failed:\n${String(stdout)}${String(stderr)}`);
    process.exit(1);
  }
}

/** The site has packages of its own; npm notes when it installed them. */
function installPackages(): void {
  const installed = join(site, 'node_modules/.package-lock.json');
  const isCurrent =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(site, 'package-lock.json')).mtimeMs;
  if (!isCurrent) execute(site, process.env, ...npmCommand(process.env), 'ci');
}

/** Builds the pages, and puts the files of the contract beside them, at an address for each kind of version. */
async function build(out: string, base: string, repository: string): Promise<void> {
  installPackages();
  writeSiteData(join(site, '.data'));
  // Astro takes variables such as BASE_URL and MODE for settings of its own, so it gets none but these.
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    SITE_BASE: base,
    SITE_REPOSITORY: repository,
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
  };
  // Without --force, a guide that did not change keeps its links to pages that are gone.
  execute(site, env, process.execPath, 'node_modules/astro/astro.js', 'build', '--force');
  rmSync(out, { recursive: true, force: true });
  cpSync(join(site, 'dist'), out, { recursive: true });
  const { version } = contractDocument.info;
  await buildContract(join(out, 'latest'));
  for (const name of [`v${version.split('.')[0] ?? ''}`, `v${version}`]) {
    cpSync(join(out, 'latest'), join(out, name), { recursive: true });
  }
}

const OPTIONS = {
  out: { type: 'string', default: join(root, 'build/site') },
  base: { type: 'string', default: '/' },
  repository: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.help) process.stdout.write(HELP);
    else await build(resolve(values.out), values.base, values.repository);
  } catch (error) {
    if (!(error instanceof TypeError) || !('code' in error)) throw error;
    process.stderr.write(`${error.message.replace(/\.$/, '')}. See npm run build:site -- --help\n`);
    process.exitCode = 2;
  }
}

await main();
