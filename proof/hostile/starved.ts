// How long this process waited for a core: what a busy machine costs, and no server.
import { existsSync, readFileSync } from 'node:fs';

const SCHEDULER = '/proc/self/schedstat';

/** Seconds since its start for which other processes had the cores that this one could have used; 0 where the system does not tell. */
export function starved(): number {
  if (!existsSync(SCHEDULER)) return 0;
  const [, waited = '0'] = readFileSync(SCHEDULER, 'utf8').split(' ');
  return Number(waited) / 1e9;
}
