import { mapBounded } from '../../common/pool.ts';
import { defects } from '../catalogue.ts';
import { chosenBy } from '../gate.ts';
import { brokenIn, errorsIn, hasMust, type Judgeable, type Judged, judgeServer } from '../judge.ts';
import { runProgram } from '../program.ts';
import { resists } from '../resists.ts';
import type { Defect } from '../server.ts';
import { needsSocket } from '../servers/behaviour.ts';
import { type Disturbance, disturbances, disturbed, randomBy } from './disturbances.ts';
import { kill } from './kills.ts';
import { judgePair } from './two-runs.ts';

const HELP = `Usage: npm run disturbed -- [--only GLOB]... [--runs N] [--kills N] [--pairs N] [--seed N]

Judges the reference server, and servers with a defect, while something between
the suite and them disturbs; kills runs and restores from their journals; and
judges one server twice at the same time.
The exit code is 1 if a conforming server fails, a user is not restored, or a
broken server passes.

  --only GLOB  only the disturbances whose name matches
  --runs N     runs against each of the two kinds of servers (5)
  --kills N    runs that are killed (100)
  --pairs N    pairs of runs at the same time (100)
  --seed N     disturbs at other moments, and takes other defects (1)
`;

/** Disturbances, and runs of each, at once: most of their time is waiting. */
const [ROWS_AT_ONCE, AT_ONCE] = [16, 5];

/** ms. Where each request may be one too many, a run takes hours; one that ends before is inconclusive, which is no problem. */
const DEADLINE_MS = 120_000;

/** Judges a target while it is disturbed; the seed decides what happens when. */
function judgeDisturbed(disturbance: Disturbance, target: Judgeable, seed: number): Promise<Judged> {
  const random = randomBy(`${disturbance.name} ${seed}`);
  const limits = { failOn: 'must', patience: 30_000, deadline: DEADLINE_MS } as const;
  return judgeServer(target, limits, (transport) => disturbed(transport, disturbance, random));
}

/** Defects that break a `must`, need no socket, and are found wherever nothing disturbs. */
const broken = defects.filter(
  ({ id, breaks, behaviour }) => hasMust(breaks) && !needsSocket(behaviour) && !Object.hasOwn(resists, id),
);

/** Another one for another number, far from each other in the list. */
function brokenTarget(number: number): Defect {
  const defect = broken[(number * 7_919) % broken.length];
  if (!defect) throw new Error('There is no defect that needs no socket.');
  return defect;
}

/** How often there was each verdict. */
function counted(judged: readonly Judged[]): string {
  const count = (verdict: string): number => judged.filter(({ result }) => result.verdict === verdict).length;
  return ['passed', 'inconclusive', 'failed'].map((verdict) => `${count(verdict)} ${verdict}`).join(', ');
}

function problemsOf({ result, isRestored }: Judged): string[] {
  const { outcome } = result.restoration;
  return [
    ...[...brokenIn(result), ...errorsIn(result)],
    ...(isRestored ? [] : [`the users are not as before; restoration ${outcome}`]),
  ];
}

/** Judges the reference server, and as many defects, while they are disturbed; tells what came of it, and what must not. */
export async function judgeUnder(disturbance: Disturbance, runs: number, seed: number) {
  const numbers = Array.from({ length: runs }, (_each, index) => seed * runs + index);
  const judged = await mapBounded(numbers, AT_ONCE, async (number) => {
    const target = brokenTarget(number);
    const [conforming, faulty] = await Promise.all([
      judgeDisturbed(disturbance, {}, number),
      judgeDisturbed(disturbance, target, number),
    ]);
    const passed = faulty.result.verdict === 'passed' ? [`${target.id} passed`] : [];
    const problems = [...problemsOf(conforming), ...passed];
    return { conforming, faulty, problems: problems.map((each) => `${disturbance.name}, run ${number}: ${each}`) };
  });
  const [good, bad] = [counted(judged.map((each) => each.conforming)), counted(judged.map((each) => each.faulty))];
  return {
    told: `${disturbance.does}: conforming ${good}; with a defect ${bad}`,
    problems: judged.flatMap(({ problems }) => problems),
  };
}

const text = { type: 'string' } as const;

/** A seed for each of so many. */
const seedsOf = (seed: number, count: number): string[] =>
  Array.from({ length: count }, (_each, index) => `${seed}.${index}`);

await runProgram(import.meta.url, HELP, { runs: text, kills: text, pairs: text, seed: text }, async (globs, values) => {
  const isChosen = chosenBy(globs);
  const [runs, seed] = [Number(values.runs ?? 5), Number(values.seed ?? 1)];
  const countOf = (name: 'kills' | 'pairs'): number => (isChosen(name) ? Number(values[name] ?? 100) : 0);
  const chosen = disturbances.filter(({ name }) => isChosen(name));
  const [rows, killed, pairs] = await Promise.all([
    mapBounded(chosen, ROWS_AT_ONCE, (each) => judgeUnder(each, runs, seed)),
    mapBounded(seedsOf(seed, countOf('kills')), 2, kill),
    mapBounded(seedsOf(seed, countOf('pairs')), 2, judgePair),
  ]);
  const unrestored = killed.filter((each) => each !== undefined);
  const broken = pairs.flatMap((each) => each.problems);
  const problems = [...rows.flatMap((each) => each.problems), ...unrestored, ...broken];
  const lines = [
    ...rows.map(({ told }) => `while ${told}`),
    `${killed.length - unrestored.length} of ${killed.length} killed runs are restored`,
    `${pairs.filter((each) => each.problems.length === 0).length} of ${pairs.length} pairs of runs leave nothing unsaid`,
    ...problems.map((each) => `✗ ${each}`),
  ];
  process.stdout.write(lines.map((each) => `${each}\n`).join(''));
  return { judged: rows.length * runs + killed.length + pairs.length, holds: problems.length === 0 };
});
