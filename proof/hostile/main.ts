import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { parsedJson } from '../../common/json.ts';
import { mapBounded } from '../../common/pool.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { chosenBy } from '../gate.ts';
import { startRun } from '../judge.ts';
import { runProgram } from '../program.ts';
import { starved } from './starved.ts';
import { type HostileTarget, hostileTargets } from './targets.ts';

const HELP = `Usage: npm run hostile -- [--only GLOB]...

Judges servers that hang, drip, flood, redirect, lie or send what is not HTTP,
each in a process of its own. The exit code is 1 if a run has a wrong verdict,
takes more than 120 s or 400 MB, shows a key, or leaves users that it could restore.
`;

/** Bounds at the default limits. The slowest runs wait for 100 s; what a busy machine costs does not count. */
const [MOST_SECONDS, MOST_MB] = [120, 400];
/** Targets at once: most of their time is waiting. */
const AT_ONCE = 10;

/** What came of judging one hostile target. */
export interface Row {
  readonly target: HostileTarget;
  /** Undefined if the process ended without one. */
  readonly result: Result | undefined;
  readonly seconds: number;
  /** Of the seconds, those for which the suite or the target waited for a core. */
  readonly starved: number;
  readonly peakMb: number;
  /** What is out of bounds; empty if nothing is. */
  readonly problems: readonly string[];
}

function problemsOf({ target, result, seconds, starved: waited, peakMb }: Omit<Row, 'problems'>): string[] {
  if (!result) return ['no result'];
  const { verdict, restoration } = result;
  const isRight = (verdict === 'passed') === (target.conforms ?? false);
  const shown = JSON.stringify(result);
  return [
    ...(isRight && verdict !== 'error' ? [] : [`verdict ${verdict}`]),
    ...(seconds - waited > MOST_SECONDS ? [`${seconds} s`] : []),
    ...(peakMb > MOST_MB ? [`${peakMb} MB`] : []),
    ...(target.conforms && restoration.outcome !== 'complete' ? [`restoration ${restoration.outcome}`] : []),
    ...(Object.values(defaultSeed.keys).some((key) => shown.includes(key)) ? ['a key is shown'] : []),
  ];
}

/** Judges a hostile target in a process of its own, with the default limits. */
export async function judgeHostile(target: HostileTarget): Promise<Row> {
  const server = await target.start();
  const folder = mkdtempSync(join(tmpdir(), 'conformance-hostile-'));
  const started = performance.now();
  const starvedBefore = starved();
  try {
    const { stdout } = startRun(server.url, join(folder, 'journal.json'));
    const said = (parsedJson(stdout ? await text(stdout) : '') ?? {}) as Partial<Row>;
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const waited = (said.starved ?? 0) + starved() - starvedBefore;
    const row = { target, result: said.result, seconds, starved: waited, peakMb: said.peakMb ?? 0 };
    return { ...row, problems: problemsOf(row) };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function lineOf({ target: { name, does }, result, seconds, peakMb, problems }: Row): string {
  const cells = [name.padEnd(22), does.padEnd(62), (result?.verdict ?? 'none').padEnd(12)];
  const sizes = `${seconds.toFixed(1).padStart(5)} s ${String(peakMb).padStart(4)} MB`;
  return `${problems.length > 0 ? '✗' : '✓'} ${cells.join(' ')} ${sizes} ${problems.join(', ')}`.trimEnd();
}

await runProgram(import.meta.url, HELP, {}, async (globs) => {
  const isChosen = chosenBy(globs);
  const selected = hostileTargets.filter(({ name }) => isChosen(name));
  const rows = await mapBounded(selected, AT_ONCE, async (target) => {
    const row = await judgeHostile(target);
    process.stdout.write(`${lineOf(row)}\n`);
    return row;
  });
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  process.stdout.write(`${rows.length} targets, ${bad} out of bounds\n`);
  return { judged: rows.length, holds: bad === 0 };
});
