// Gives the published contract to generators of code. What two of them make is filled in as a server, which must pass.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSame, judge, root, statementsOf } from './judge-server.mjs';

const examples = join(root, 'examples/generated');

/** The generators, each with the programs that it needs. */
export const generators = JSON.parse(readFileSync(join(examples, 'generators.json'), 'utf8'));

/** A folder below build/, which keeps what was installed there. */
function folderOf(name) {
  const folder = join(root, 'build/generated', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function passes(name, folder) {
  cpSync(join(examples, name), folder, { recursive: true });
  const result = await judge({ name, folder, server: './run.sh', settings: { BANNER_IDS: '[]' } });
  return result !== undefined && isSame(name, ['verdict: passed'], statementsOf(result));
}

function generates(name, folder) {
  const { status, stdout, stderr } = spawnSync(join(examples, `${name}.sh`), { cwd: folder, encoding: 'utf8' });
  console.log(`${name}: ${status === 0 ? 'generates' : `fails\n${stdout}${stderr}`}`);
  return status === 0;
}

/** @returns whether a generator takes the contract, and its server, if it is one, passes */
export async function tryGenerator({ name, isServer }) {
  process.env.CONTRACT = join(root, 'dist/published/openapi.yaml');
  const folder = folderOf(name);
  return isServer ? await passes(name, folder) : generates(name, folder);
}
