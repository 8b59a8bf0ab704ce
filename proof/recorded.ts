import { readFileSync, writeFileSync } from 'node:fs';
import type { Judged } from './judging.ts';

/** By the id of a server: checks, each with its failure mode or with its reason. */
type ByServer = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What servers of the proof showed when it was recorded, and was reviewed. */
export interface Recorded {
  /** The checks that fail on each defect, with their modes. */
  readonly killedBy: ByServer;
  /** The checks that are inconclusive on each conforming variant, with their reasons. */
  readonly inconclusive: ByServer;
}

const FILE = new URL('recorded.json', import.meta.url);

export const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;

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

/**
 * Writes what servers showed, to be reviewed as a change of the file.
 *
 * @param isFirst whether what was recorded before is forgotten; else what both runs show stays (another order of the requests)
 */
export function record(defects: readonly Judged[], variants: readonly Judged[], isFirst: boolean): void {
  const killedBy = Object.fromEntries(defects.map(({ id, failed }) => [id, failed]));
  const inconclusive = Object.fromEntries(
    variants.filter((each) => Object.keys(each.inconclusive).length > 0).map((each) => [each.id, each.inconclusive]),
  );
  const now = isFirst
    ? { killedBy: { ...recorded.killedBy, ...killedBy }, inconclusive: { ...recorded.inconclusive, ...inconclusive } }
    : { killedBy: kept(recorded.killedBy, killedBy), inconclusive: { ...inconclusive, ...recorded.inconclusive } };
  writeFileSync(FILE, `{\n  "killedBy": ${sorted(now.killedBy)},\n  "inconclusive": ${sorted(now.inconclusive)}\n}\n`);
}
