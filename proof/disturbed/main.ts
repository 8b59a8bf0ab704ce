import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mapBounded } from '../../common/pool.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defects } from '../catalogue.ts';
import { chosenBy } from '../chosen.ts';
import { MUST } from '../gates.ts';
import { brokenIn, errorsIn, type Judgeable, type Judged, judgeServer } from '../judge.ts';
import { resists } from '../resists.ts';
import type { Defect } from '../server.ts';
import { needsSocket } from '../servers/behaviour.ts';
import { type Disturbance, disturbances, disturbed, randomBy } from './disturbances.ts';
import { kill } from './kills.ts';

const HELP = `Usage: npm run disturbed -- [--only GLOB]... [--runs N] [--kills N] [--seed N]

Judges the reference server, and servers with a defect, while something between
the suite and them disturbs; and kills runs and restores from their journals.
The exit code is 1 if a conforming server fails, a user is not restored, or a
broken server passes.

  --only GLOB  only the disturbances whose name matches
  --runs N     runs against each of the two kinds of servers (5)
  --kills N    runs that are killed (100)
  --seed N     disturbs at other moments, and takes other defects (1)
`;

/** Disturbances, and runs of each, at once: most of their time is waiting. */
const [ROWS_AT_ONCE, AT_ONCE] = [8, 5];

/** Judges a target while it is disturbed; the seed decides what happens when. */
export function judgeDisturbed(disturbance: Disturbance, target: Judgeable, seed: string): Promise<Judged> {
  const random = randomBy(`${disturbance.name} ${seed}`);
  return judgeServer(target, { failOn: 'must', patience: 30_000 }, (transport) =>
    disturbed(transport, disturbance, random),
  );
}

/** Defects that break a `must`, need no socket, and are found wherever nothing disturbs. */
const broken = defects.filter(
  ({ id, breaks, behaviour }) =>
    breaks.some((each) => MUST.has(each)) && !needsSocket(behaviour) && !Object.hasOwn(resists, id),
);

/** Another one for another number, far from each other in the list. */
export function brokenTarget(number: number): Defect {
  const defect = broken[(number * 7_919) % broken.length];
  if (!defect) throw new Error('There is no defect that needs no socket.');
  return defect;
}

/** What came of the runs against one kind of target. */
interface Row {
  readonly disturbance: Disturbance;
  readonly conforming: readonly Result[];
  readonly broken: readonly Result[];
  /** What must not be. */
  readonly problems: readonly string[];
}

function problemsOf(seed: string, { result, isRestored }: Judged): string[] {
  const failed = [...brokenIn(result), ...errorsIn(result)];
  return [
    ...failed.map((each) => `run ${seed}: ${each}`),
    ...(isRestored ? [] : [`run ${seed}: the users are not as before; restoration ${result.restoration.outcome}`]),
  ];
}

/** Judges the reference server, and as many defects, while they are disturbed. */
export async function judgeUnder(disturbance: Disturbance, runs: number, seed: number): Promise<Row> {
  const numbers = Array.from({ length: runs }, (_each, index) => seed * runs + index);
  const good = await mapBounded(numbers, AT_ONCE, (number) => judgeDisturbed(disturbance, {}, String(number)));
  const bad = await mapBounded(numbers, AT_ONCE, (number) =>
    judgeDisturbed(disturbance, brokenTarget(number), String(number)),
  );
  const passed = numbers.filter((_number, index) => bad[index]?.result.verdict === 'passed');
  return {
    disturbance,
    conforming: good.map(({ result }) => result),
    broken: bad.map(({ result }) => result),
    problems: [
      ...good.flatMap((each, index) => problemsOf(String(numbers[index]), each)),
      ...passed.map((number) => `run ${number}: ${brokenTarget(number).id} passed`),
    ],
  };
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map((text, index) => text.padEnd(index === 0 ? 76 : 12)).join(' | ')} |\n`;
}

function count(results: readonly Result[], verdict: Result['verdict']): string {
  return String(results.filter((each) => each.verdict === verdict).length);
}

function lineOf({ disturbance: { does }, conforming, broken: bad }: Row): string {
  const verdicts = ['passed', 'inconclusive', 'failed'] as const;
  return cells([does, ...verdicts.map((each) => count(conforming, each)), ...verdicts.map((each) => count(bad, each))]);
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { only: { ...text, multiple: true }, runs: text, kills: text, seed: text, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [runs, kills, seed] = [Number(values.runs ?? 5), Number(values.kills ?? 100), Number(values.seed ?? 1)];
  const isChosen = chosenBy(values.only ?? []);
  const verdicts = ['passed', 'inconclusive', 'failed'];
  process.stdout.write(cells(['while', ...verdicts, ...verdicts.map((each) => `defect ${each}`)]));
  const chosen = disturbances.filter(({ name }) => isChosen(name));
  const rows = await mapBounded(chosen, ROWS_AT_ONCE, (each) => judgeUnder(each, runs, seed));
  process.stdout.write(rows.map(lineOf).join(''));
  const problems = rows.flatMap(({ disturbance, problems: own }) => own.map((each) => `${disturbance.name}: ${each}`));
  const numbers = Array.from({ length: isChosen('kills') ? kills : 0 }, (_each, index) => `${seed}.${index}`);
  const killed = await mapBounded(numbers, 2, kill);
  const unrestored = killed.filter((each) => each !== undefined);
  process.stdout.write(`${killed.length - unrestored.length} of ${killed.length} killed runs are restored\n`);
  process.stdout.write([...problems, ...unrestored].map((each) => `✗ ${each}\n`).join(''));
  return problems.length + unrestored.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
