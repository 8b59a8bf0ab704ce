import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { journalSchema } from '../../conformance/engine/journal.ts';
import { restoreFrom } from '../../conformance/run.ts';
import { startWireServer } from '../wire/wire-server.ts';
import { randomBy } from './disturbances.ts';

const [LOADER, VICTIM] = ['../../scripts/typescript.mjs', '../hostile/victim.ts'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
/** About as many requests as a run sends, and a few more: some runs end before they are killed. */
const REQUESTS = 720;

/**
 * Judges the reference server in a process that is killed at some request, and restores the users from its journal.
 *
 * @returns what is wrong afterwards; undefined if the users are as before
 */
export async function kill(seed: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-kill-'));
  const journal = join(folder, 'journal.json');
  const at = Math.ceil(randomBy(`kill ${seed}`)() * REQUESTS);
  let victim: ChildProcess | undefined;
  const server = await startWireServer({
    instead: ({ number }) => {
      if (number === at) victim?.kill('SIGKILL');
      return false;
    },
  });
  try {
    const args = ['--import', LOADER ?? '', VICTIM ?? '', server.url, journal];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    victim = child;
    await new Promise((done) => child.once('exit', done));
    const { seed: before, store } = server.service;
    if (existsSync(journal))
      await restoreFrom(journalSchema.parse(JSON.parse(readFileSync(journal, 'utf8'))), before.keys.admin);
    const isRestored = isDeepStrictEqual([...store.users.values()], before.users);
    return isRestored ? undefined : `killed at request ${at}: the users are not as before`;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
