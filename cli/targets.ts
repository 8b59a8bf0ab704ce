import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../common/process/args.ts';
import { mapBounded } from '../common/pool.ts';
import { outputFile, writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { makeRecorder } from '../conformance/http/record.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix } from '../conformance/report/terminal.ts';
import { judgedTarget, makeMatrix, type Matrix, type MatrixTarget } from '../conformance/result/matrix.ts';
import { EXIT_CODES, type Verdict } from '../conformance/result/result.ts';
import type { CommandIo } from './command.ts';
import type { GivenSettings } from './configuration.ts';
import { judge, redactFor, type Stop, untilInterrupted } from './judge.ts';
import { addToSummary, REPORTS } from './reports.ts';
import { settings } from './settings.ts';
import { type NamedTarget, readTargets } from './targets-file.ts';

const AT_ONCE = 4;

/** A matrix as JSON; the results have files of their own. */
export function matrixJson(matrix: Matrix): string {
  const targets = matrix.targets.map(({ name, baseUrl, verdict, problem, link }) => {
    return { name, baseUrl, verdict, problem, link };
  });
  return legibleJson({ ...matrix, targets });
}

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
  const without = (verdict: Verdict, problem: string): MatrixTarget => {
    return { name, baseUrl: baseAddress(inputs.baseUrl), verdict, problem };
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
      note(`[${done}/${targets.length}] ${target.name}  ${one.verdict}  ${one.problem ?? ''}`.trimEnd());
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
