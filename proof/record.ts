import { writeFileSync } from 'node:fs';
import type { Judged } from './judging.ts';
import { type ByServer, recorded } from './recorded.ts';

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
