import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { arrayOf, isRecord } from '../common/json.ts';
import { UsageError } from '../common/process/args.ts';
import { mapBounded } from '../common/pool.ts';
import { outputFile, readGivenFile, writeOutput } from '../common/process/files.ts';
import { parseYaml } from '../common/yaml.ts';
import { makeRecorder } from '../conformance/http/record.ts';
import { baseAddress, type Inputs } from '../conformance/inputs.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { judgedTarget, makeMatrix, type MatrixTarget } from '../conformance/report/matrix.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix } from '../conformance/report/terminal.ts';
import { EXIT_CODES, type Verdict } from '../conformance/result/result.ts';
import type { RunOptions } from '../conformance/run.ts';
import type { CommandIo } from './command.ts';
import { givenByFile, type GivenSettings, inputsOf, settingsFrom } from './configuration.ts';
import { judge, redactFor, runOptionsOf, type Stop, untilInterrupted } from './judge.ts';
import { addToSummary, matrixJson, REPORTS } from './reports.ts';
import { FILE_SETTINGS, settings, type Values } from './settings.ts';

/** The settings that the file may have. A fixed set of files is written for each target, so none says what is written. */
const GROUPS = ['Target', 'Selection and verdict', 'Limits'];
const NAMES = FILE_SETTINGS.filter((name) => GROUPS.includes(settings[name].group ?? ''));

/** A file name that needs no escape in a shell, a URL or Markdown. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A target of the file, ready to be judged. */
interface NamedTarget {
  readonly name: string;
  readonly inputs: Inputs;
  readonly options: RunOptions;
  readonly wait: number | undefined;
}

/** The targets of a file: the name of each, and what the file says of it. */
async function targetsIn(path: string): Promise<(readonly [name: string, given: GivenSettings])[]> {
  const yaml = await parseYaml(path, readGivenFile('--targets', path));
  const { defaults = {}, targets, ...others } = isRecord(yaml.data) ? yaml.data : {};
  const other = Object.keys(others).find((name) => name !== '$schema');
  if (other !== undefined)
    throw new UsageError(`${yaml.at([other])}: a file of targets has "defaults" and "targets"; here is "${other}".`);
  if (arrayOf(targets).length === 0)
    throw new UsageError(`${yaml.at(['targets'])}: a file of targets is an object with the list "targets".`);
  const common = givenByFile(path, yaml, defaults, NAMES, ['defaults']);
  const names = new Set<string>();
  return arrayOf(targets).map((target, index) => {
    const { name = '', ...own } = isRecord(target) ? target : {};
    const given = givenByFile(path, yaml, isRecord(target) ? own : target, NAMES, ['targets', index]);
    const at = yaml.at(['targets', index, 'name']);
    if (typeof name !== 'string' || !NAME.test(name))
      throw new UsageError(`${at}: name: give 1 to 64 letters, digits, dots, dashes and underscores, such as eu-1.`);
    if (names.has(name.toLowerCase())) throw new UsageError(`${at}: name: ${name} is the name of another target, too.`);
    names.add(name.toLowerCase());
    return [name, { ...common, ...given }] as const;
  });
}

/**
 * Reads the file of `--targets`, and the files that it names. A flag is for every target.
 *
 * @throws UsageError with a line for each mistake in a target
 */
async function readTargets(
  flags: GivenSettings,
  io: CommandIo,
): Promise<{ readonly values: Values; readonly targets: readonly NamedTarget[] }> {
  const { values } = settingsFrom(flags);
  const path = values.targets ?? '';
  const targets: NamedTarget[] = [];
  for (const [name, given] of await targetsIn(path)) {
    // Not the environment: it may have the key of one target, which must not go to all.
    const own = settingsFrom({ ...given, ...flags });
    const { baseUrl, ...target } = inputsOf(own.values, `${path}: target ${name}: `);
    if (!baseUrl) throw new UsageError(`${path}: target ${name} has no baseUrl.`);
    targets.push({ name, inputs: { ...target, baseUrl }, options: await runOptionsOf(own, io), wait: own.values.wait });
  }
  return { values, targets };
}

const AT_ONCE = 4;

/** Makes the folder of a target. @throws UsageError if it cannot be made */
function makeFolder(folder: string, name: string): void {
  try {
    mkdirSync(join(folder, name), { recursive: true });
  } catch (error) {
    throw new UsageError(`--output ${folder}: the folder cannot be made: ${(error as Error).message}.`);
  }
}

/** @throws UsageError if a file cannot be written */
function writeInto(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files))
    writeOutput(outputFile(`--output ${folder}`, join(folder, file)), text);
}

interface Judging extends Stop {
  readonly folder: string;
  /** The keys of all targets, which no report may show. */
  readonly secrets: readonly string[];
  readonly note: (text: string) => void;
}

/** Judges a target, and writes its result and its report. An error with one target does not end the others. */
async function judgeOne({ name, inputs, options, wait }: NamedTarget, judging: Judging): Promise<MatrixTarget> {
  const { folder, secrets, signal, note } = judging;
  const without = (verdict: Verdict, words: string): MatrixTarget => {
    return { name, baseUrl: baseAddress(inputs.baseUrl), verdict, words, requirements: [] };
  };
  if (signal.aborted) return without('interrupted', 'Not begun.');
  try {
    const result = await judge(inputs, { ...options, secrets }, wait, note, judging);
    const [json, html] = await Promise.all([REPORTS.json(result), REPORTS.html(result)]);
    writeInto(folder, { [`${name}/result.json`]: json, [`${name}/report.html`]: html });
    return judgedTarget(name, result, `${name}/report.html`);
  } catch (error) {
    const { text } = makeRecorder(inputs, secrets);
    return without(error instanceof UsageError ? 'inconclusive' : 'error', text((error as Error).message));
  }
}

/**
 * `run --targets`: judges the targets of a file, a few at a time, writes a result and a report for each, and shows all as one matrix.
 *
 * @returns the exit code of the worst verdict
 */
export async function judgeTargets(flags: GivenSettings, io: CommandIo): Promise<number> {
  const { values, targets } = await readTargets(flags, io);
  const { format, verbose = false, output: folder = String(settings.output.default) } = values;
  for (const { name, inputs } of targets) {
    io.protect(redactFor(inputs));
    makeFolder(folder, name);
  }
  const note = (text: string): void => io.err.write(`${text}\n`);
  const keys = targets.flatMap(({ inputs }) => [inputs.adminKey, inputs.restrictedKey]);
  const secrets = keys.filter((key) => key !== undefined);
  let done = 0;
  const judged = await untilInterrupted(io, note, (stop) =>
    mapBounded(targets, AT_ONCE, async (target) => {
      const one = await judgeOne(target, { ...stop, folder, secrets, note });
      done += 1;
      note(`[${done}/${targets.length}] ${target.name}  ${one.verdict}  ${one.words}`);
      return one;
    }),
  );
  const matrix = makeMatrix(judged);
  const markdown = markdownMatrix(matrix);
  const files = { 'matrix.json': matrixJson(matrix), 'matrix.html': htmlMatrix(matrix), 'matrix.md': markdown };
  writeInto(folder, files);
  io.out.write(format === 'json' ? files['matrix.json'] : terminalMatrix(matrix, { ...io.out, verbose }));
  io.err.write(`reports in ${folder}: ${Object.keys(files).join(', ')}\n`);
  addToSummary(markdown, io);
  return EXIT_CODES[matrix.verdict];
}
