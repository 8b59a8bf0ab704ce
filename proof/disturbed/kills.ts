import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { using } from '../../common/using.ts';
import { journalSchema } from '../../conformance/users/journal.ts';
import { restoreFrom } from '../../conformance/run.ts';
import { startRun } from '../judge.ts';
import { startBehaviour } from '../servers/behaviour.ts';
import { randomBy } from './disturbances.ts';

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
  const instead = ({ number }: { readonly number: number }): boolean => {
    if (number === at) victim?.kill('SIGKILL');
    return false;
  };
  try {
    return await using(startBehaviour({ instead }), async ({ url, seed: before, store }) => {
      victim = startRun(url, journal);
      victim.stdout?.resume();
      await once(victim, 'exit');
      if (existsSync(journal))
        await restoreFrom(journalSchema.parse(JSON.parse(readFileSync(journal, 'utf8'))), before.keys.admin);
      const isRestored = isDeepStrictEqual([...store.users.values()], before.users);
      return isRestored ? undefined : `killed at request ${at}: the users are not as before`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
