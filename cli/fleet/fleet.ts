import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requirements } from '../../contract/document.ts';
import { targetWords } from '../../conformance/report/documents/matrix.ts';
import { makeMatrix, targetWithout, type MatrixTarget } from '../../conformance/result/several/matrix.ts';
import { EXIT_CODES } from '../../conformance/result/verdict.ts';
import { tool } from '../../conformance/run/tool.ts';
import { baseAddress, type Inputs } from '../../conformance/resources/inputs.ts';
import { MOST_BYTES } from '../../common/process/bounded-file.ts';
import { readGivenFile, UsageError, wholeNumber, type ParsedArguments } from '../../common/process/args.ts';
import { mapBounded } from '../../common/pool.ts';
import { shardFrom, shardOf, shardText, type Shard } from '../../common/shard.ts';
import { optionName } from '../input/options.ts';
import { readRunOptions } from '../input/run-options.ts';
import { RUN_ONLY, SETTINGS } from '../input/settings.ts';
import { parseTargets, readTargets, type FleetTarget } from '../input/targets-file.ts';
import { listenForInterruption } from '../output/interruption.ts';
import type { CommandIo } from '../output/io.ts';
import { MATRIX_OPTIONS, matrixOutput, showMatrix, writeMatrix, type MatrixOutput } from './matrix-output.ts';
import { startJudging, TARGET_FILES, type Judging } from './process.ts';

/** Bytes. Thousands of targets fit. */
const MOST_TARGETS = 32 * MOST_BYTES;
const MOST_PARALLEL = 256;

/** The options that make sense for many targets: what a target is, and where its reports go, only the file says. */
const ALLOWED = new Set([
  ...[...Object.values(SETTINGS), ...Object.values(RUN_ONLY)]
    .filter(({ group }) => ['fleet', 'selection', 'exploration', 'limits'].includes(group))
    .map(optionName),
  ...[...MATRIX_OPTIONS, RUN_ONLY.quiet, RUN_ONLY.takeOver].map(optionName),
]);

/** @throws UsageError for an option that is not for fleets */
function checkOptions({ positionals, values }: ParsedArguments): void {
  if (positionals.length > 0)
    throw new UsageError('--targets and BASE_URL exclude each other: the file has the addresses.');
  const other = Object.keys(values).find((option) => values[option] !== undefined && !ALLOWED.has(option));
  if (other === undefined) return;
  throw new UsageError(`--targets and --${other} exclude each other; see "Fleet" in run --help.`);
}

function parseShard({ values }: ParsedArguments): Shard | undefined {
  const { shard: text } = values;
  if (typeof text !== 'string') return undefined;
  const shard = shardFrom(text);
  if (shard) return shard;
  throw new UsageError(
    `--shard: ${JSON.stringify(text)} is no shard; give its number, from 1, and how many there are: 2/5.`,
  );
}

function keysOf({ adminKey, restrictedKey }: Inputs): string[] {
  return [adminKey, restrictedKey].filter((key) => key !== undefined);
}

/** Makes the folder of a target, without the files of an earlier fleet. Nothing else in it is touched. */
function makeFolder(output: string, folder: string): string {
  const path = join(output, folder);
  try {
    mkdirSync(path, { recursive: true });
    for (const file of Object.keys(TARGET_FILES)) rmSync(join(path, file), { force: true });
  } catch (error) {
    throw new UsageError(`--output ${output}: ${(error as Error).message}.`);
  }
  return path;
}

/** Judges every target, a bounded number at a time, until the end or until the fleet is interrupted. */
async function judgeAll(
  targets: readonly FleetTarget[],
  output: MatrixOutput,
  parallel: number,
  io: CommandIo,
): Promise<MatrixTarget[]> {
  const note = (text: string): void => io.err.write(`${text}\n`);
  const secrets = targets.flatMap(({ inputs }) => keysOf(inputs));
  const running = new Set<Judging>();
  let stopped = false;
  let done = 0;
  const stopListening = listenForInterruption(io, {
    first: () => {
      stopped = true;
      note('stopping; restoring the users of every target first (press again to leave at once)');
      for (const { stop } of running) stop();
    },
    again: () => {
      const journals = [...running].flatMap(({ kill }) => kill() ?? []);
      note('stopped without restoring the users');
      for (const journal of journals) note(`use: admin-api-conformance restore ${journal}`);
      io.exit(EXIT_CODES.interrupted);
    },
  });
  const judge = async (each: FleetTarget): Promise<MatrixTarget> => {
    const { name, inputs } = each;
    const baseUrl = baseAddress(inputs.baseUrl);
    if (stopped) return targetWithout(name, baseUrl, 'interrupted', 'Not begun.');
    const folder = `targets/${name}`;
    const task = { ...each, inputs: { ...inputs, baseUrl }, secrets, folder: makeFolder(output.folder, folder) };
    const judging = startJudging(task, { folder });
    running.add(judging);
    const target = await judging.target;
    running.delete(judging);
    done += 1;
    if (!output.isQuiet) note(`[${done}/${targets.length}] ${name}  ${target.verdict}  ${targetWords(target)}`);
    return target;
  };
  try {
    return await mapBounded(targets, parallel, judge);
  } finally {
    stopListening();
  }
}

/**
 * `run --targets`: judges the targets of a file, each in a process of its own, and shows them as one matrix.
 *
 * @returns the exit code of the worst verdict
 */
export async function judgeFleet(parsed: ParsedArguments, io: CommandIo): Promise<number> {
  checkOptions(parsed);
  const { targets: file } = parsed.values;
  const output = matrixOutput(parsed);
  const { parallel: given = RUN_ONLY.parallel.default } = parsed.values;
  const parallel = wholeNumber('--parallel', String(given), 1, MOST_PARALLEL);
  const shard = parseShard(parsed);
  await readRunOptions(parsed, io.environment);
  const path = String(file);
  const entries = await parseTargets(path, readGivenFile('--targets', path, MOST_TARGETS));
  const targets = await readTargets(shard ? shardOf(entries, shard) : entries, parsed, io.environment);
  const judged = await judgeAll(targets, output, parallel, io);
  const matrix = makeMatrix(judged, { tool, requirements, shards: shard ? [shardText(shard)] : [] });
  writeMatrix(matrix, output);
  showMatrix(matrix, output, io);
  return EXIT_CODES[matrix.verdict];
}
