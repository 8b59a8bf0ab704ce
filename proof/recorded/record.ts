import { writeFileSync } from 'node:fs';
import { defects, variants } from '../catalogue.ts';
import type { Judged } from '../judging.ts';
import { type ByServer, type Recorded, recorded } from './recorded.ts';

const FILE = new URL('recorded.json', import.meta.url);

function sorted(byServer: ByServer): string {
  const lines = Object.entries(byServer).map(([id, own]) => `    ${JSON.stringify(id)}: ${JSON.stringify(own)}`);
  return `{\n${lines.sort().join(',\n')}\n  }`;
}

/** What was known already of a check and holds here, too; what is new only if the server was not recorded yet. */
function kept(before: ByServer, now: ByServer): ByServer {
  const entries = Object.entries(now).map(([id, own]) => {
    const known = before[id];
    return [id, known ? Object.fromEntries(Object.entries(own).filter(([check, how]) => known[check] === how)) : own];
  });
  return { ...before, ...(Object.fromEntries(entries) as ByServer) };
}

/** What only a busy machine leaves open, since each of these servers responds. */
const FOR_WANT_OF_TIME = ['target-unreachable', 'deadline'];

function settled(inconclusive: ByServer[string]): ByServer[string] {
  return Object.fromEntries(Object.entries(inconclusive).filter(([, reason]) => !FOR_WANT_OF_TIME.includes(reason)));
}

/**
 * What is recorded after servers were judged.
 *
 * @param isFirst whether what was recorded of them before is forgotten; else what both runs show stays (another order of the requests)
 */
export function recordedAfter(
  before: Recorded,
  defects: readonly Judged[],
  variants: readonly Judged[],
  isFirst: boolean,
): Recorded {
  const killedBy = Object.fromEntries(defects.map(({ id, failed }) => [id, failed]));
  const others = Object.entries(before.inconclusive).filter(([id]) => !variants.some((each) => each.id === id));
  const inconclusive = Object.fromEntries(
    variants
      .map((each) => [each.id, settled(each.inconclusive)] as const)
      .filter(([, own]) => Object.keys(own).length > 0),
  );
  return isFirst
    ? {
        killedBy: { ...before.killedBy, ...killedBy },
        inconclusive: { ...Object.fromEntries(others), ...inconclusive },
      }
    : { killedBy: kept(before.killedBy, killedBy), inconclusive: { ...inconclusive, ...before.inconclusive } };
}

/** What is recorded of servers that are there. */
export function ofServers(byServer: ByServer, servers: readonly { readonly id: string }[]): ByServer {
  const ids = new Set(servers.map(({ id }) => id));
  return Object.fromEntries(Object.entries(byServer).filter(([id]) => ids.has(id)));
}

/** Writes what servers showed into `proof/recorded/recorded.json`, to be reviewed as a change of the file, and returns all of it. */
export function record(
  ...judged: [defects: readonly Judged[], variants: readonly Judged[], isFirst: boolean]
): Recorded {
  const now = recordedAfter(recorded, ...judged);
  const [killedBy, inconclusive] = [ofServers(now.killedBy, defects), ofServers(now.inconclusive, variants)];
  writeFileSync(FILE, `{\n  "killedBy": ${sorted(killedBy)},\n  "inconclusive": ${sorted(inconclusive)}\n}\n`);
  return { killedBy, inconclusive };
}
