import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  entriesOf,
  type OptionDefinitions,
  type ParsedArguments,
  UsageError,
  wholeNumber,
} from '../../common/process/args.ts';
import { runEntry } from '../../common/process/entry.ts';
import { matchesGlob } from '../../conformance/checks/selection.ts';
import type { Result } from '../../conformance/result/result.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { type Judgeable, isRestored, judgeServer } from '../servers/judge.ts';
import { defects } from '../catalogue.ts';
import type { Defect } from '../defect.ts';
import { levelOf } from '../judging.ts';
import { type Disturbance, disturbances, disturbed, randomBy } from './disturbances.ts';
import { inVirtualTime } from './virtual-time.ts';

/** One run against a target that is disturbed. */
interface Run {
  readonly result: Result;
  readonly isRestored: boolean;
  /** Of the virtual clock. */
  readonly seconds: number;
}

/**
 * Judges a target while it is disturbed, in virtual time.
 *
 * @param seed decides what happens when
 */
export function judgeDisturbed(
  disturbance: Disturbance,
  target: Judgeable,
  seed: string,
  onEvent?: RunOptions['onEvent'],
): Promise<Run> {
  return inVirtualTime(async () => {
    const random = randomBy(`${disturbance.name} ${seed}`);
    const { result, server } = await judgeServer(target, ({ reach: { transport } }) => {
      if (!transport) throw new Error('Only what needs no socket can be disturbed in virtual time.');
      return {
        transport: disturbed(transport, disturbance, random),
        orderSeed: Math.floor(random() * 1_000_000),
        ...(onEvent && { onEvent }),
      };
    });
    return { result, isRestored: isRestored(server), seconds: performance.now() / 1000 };
  });
}

/** What came of the runs against one kind of target. */
interface Row {
  readonly disturbance: Disturbance;
  readonly conforming: readonly Run[];
  readonly broken: readonly Run[];
  /** What must not be; empty if all is well. */
  readonly problems: readonly string[];
}

const count = (runs: readonly Run[], verdict: Result['verdict']): number =>
  runs.filter(({ result }) => result.verdict === verdict).length;

/** Defects that break a `must`, and need no socket. */
const broken = defects.filter((defect) => {
  const { deliver, instead, oneAtATime } = defect.behaviour;
  return !deliver && !instead && !oneAtATime && levelOf(defect) === 'must';
});

/** Another one for another number, far from each other in the list. */
export function brokenTarget(number: number): Defect {
  const defect = broken[(number * 7_919) % broken.length];
  if (!defect) throw new Error('There is no defect that needs no socket.');
  return defect;
}

function problemsOf(seed: string, { result, isRestored: isAsBefore }: Run): string[] {
  const failed = result.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  return [
    ...failed.map(
      ({ id, outcome, failure, detail }) => `run ${seed}: ${id} ${outcome}: ${failure?.message ?? detail ?? ''}`,
    ),
    ...(isAsBefore ? [] : [`run ${seed}: the users are not as before; restoration ${result.restoration.outcome}`]),
  ];
}

/**
 * Judges the reference server, and as many defects, while they are disturbed.
 *
 * @param runs of each
 * @param seed another one disturbs them at other moments, and takes other defects
 */
export async function judgeUnder(disturbance: Disturbance, runs: number, seed: number): Promise<Row> {
  const [good, bad]: [Run[], Run[]] = [[], []];
  const problems: string[] = [];
  for (let number = 1; number <= runs; number += 1) {
    const name = `${seed}.${number}`;
    const one = await judgeDisturbed(disturbance, {}, name);
    good.push(one);
    problems.push(...problemsOf(name, one));
    const defect = brokenTarget(seed * runs + number);
    const other = await judgeDisturbed(disturbance, defect, name);
    bad.push(other);
    if (other.result.verdict === 'passed') problems.push(`run ${name}: ${defect.id} passed`);
  }
  const open = count(good, 'inconclusive');
  if (open > Math.max(1, (disturbance.mostInconclusive ?? 1) * runs))
    problems.push(`${open} of ${runs} runs are inconclusive`);
  return { disturbance, conforming: good, broken: bad, problems };
}

const HELP = `Usage: npm run disturbed -- [--only GLOB] [--runs N] [--seed N]

Judges the reference server, and servers with a defect, while something between
the suite and them disturbs: refusals for a while, connections that end, a
restart. Prints a table in Markdown; the exit code is 1 if a conforming server
fails, a user is not restored, a broken server passes, or too many runs are
inconclusive.

  --only GLOB    only the disturbances whose name matches; repeatable
  --runs N       runs against each of the two kinds of servers (50); six times as
                 many with restarts
  --seed N       disturbs at other moments, and takes other defects (1)
`;

const SIZES = [72, 6, 12, 6, 9, 6, 12, 6];

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell, index) => cell.padEnd(SIZES[index] ?? 0)).join(' | ')} |\n`;
}

function lineOf({ disturbance, conforming, broken: bad }: Row): string {
  const longest = Math.max(...conforming.map(({ seconds }) => seconds));
  const counts = (runs: readonly Run[], verdicts: readonly Result['verdict'][]): string[] =>
    verdicts.map((verdict) => String(count(runs, verdict)));
  return line([
    disturbance.does,
    ...counts(conforming, ['passed', 'inconclusive', 'failed']),
    `${longest.toFixed(0)} s`,
    ...counts(bad, ['failed', 'inconclusive', 'passed']),
  ]);
}

async function main({ values }: ParsedArguments): Promise<number> {
  const number = (name: 'runs' | 'seed', text: string, least: number): number =>
    wholeNumber(`--${name}`, typeof values[name] === 'string' ? values[name] : text, least, 1_000_000);
  const [runs, seed] = [number('runs', '50', 1), number('seed', '1', 0)];
  const globs = entriesOf(values.only);
  const selected = disturbances.filter(
    ({ name }) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, name)),
  );
  if (selected.length === 0)
    throw new UsageError(`--only: there are ${disturbances.map(({ name }) => name).join(', ')}.`);
  const heads = ['disturbance', 'passed', 'inconclusive', 'failed', 'longest', 'failed', 'inconclusive', 'passed'];
  writeSync(1, line(heads) + line(SIZES.map((size) => '-'.repeat(size))));
  let problems = 0;
  for (const disturbance of selected) {
    const row = await judgeUnder(disturbance, runs * (disturbance.times ?? 1), seed);
    writeSync(1, lineOf(row));
    writeSync(2, row.problems.map((problem) => `${disturbance.name}: ${problem}\n`).join(''));
    problems += row.problems.length;
  }
  return problems === 0 ? 0 : 1;
}

const OPTIONS: OptionDefinitions = {
  only: { type: 'string', multiple: true },
  runs: { type: 'string' },
  seed: { type: 'string' },
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runEntry({ name: 'disturbed', help: HELP, options: OPTIONS }, main);
