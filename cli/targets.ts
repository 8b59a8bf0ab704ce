import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ParsedArguments, UsageError } from '../common/process/args.ts';
import { mapBounded } from '../common/pool.ts';
import { writeOutput } from '../common/process/output-file.ts';
import { legibleJson } from '../common/text.ts';
import { makeRecorder } from '../conformance/http/record.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix } from '../conformance/report/terminal.ts';
import { judgedTarget, makeMatrix, type Matrix, type MatrixTarget } from '../conformance/result/matrix.ts';
import { EXIT_CODES, type Verdict } from '../conformance/result/result.ts';
import type { RunOptions } from '../conformance/run.ts';
import type { CommandIo } from './command.ts';
import { judge, redactFor, stopOnInterruption } from './judge.ts';
import { addToSummary, REPORTS } from './reports.ts';
import { wayOf } from './settings.ts';
import { type NamedTarget, readTargets } from './targets-file.ts';

const AT_ONCE = 4;

/** A matrix as JSON; the results have files of their own. */
export function matrixJson(matrix: Matrix): string {
  const targets = matrix.targets.map(({ name, baseUrl, verdict, problem, link }) => {
    return { name, baseUrl, verdict, problem, link };
  });
  return legibleJson({ ...matrix, targets });
}

/** Makes a folder. @throws UsageError if it cannot be made */
function makeFolder(given: string, path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new UsageError(`${given}: the folder cannot be made: ${(error as Error).message}.`);
  }
}

interface Judging {
  readonly folder: string;
  /** The keys of all targets, which no report may show. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** The journals of the runs that are under way. */
  readonly journals: Set<string>;
  readonly note: (text: string) => void;
}

/** Judges a target, and writes its result and its report. An error with one target does not end the others. */
async function judgeOne({ name, inputs, options, wait }: NamedTarget, judging: Judging): Promise<MatrixTarget> {
  const { folder, secrets, signal, journals, note } = judging;
  const without = (verdict: Verdict, problem: string): MatrixTarget => {
    return { name, baseUrl: baseAddress(inputs.baseUrl), verdict, problem };
  };
  if (signal.aborted) return without('interrupted', 'Not begun.');
  let journal = '';
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.type !== 'journal') return;
    journal = event.path;
    journals.add(journal);
  };
  try {
    const result = await judge(inputs, { ...options, secrets, signal, onEvent }, wait, note);
    const files = { 'result.json': REPORTS.json, 'report.html': REPORTS.html };
    for (const [file, report] of Object.entries(files))
      writeOutput({ given: `--output ${folder}`, path: join(folder, name, file) }, await report(result));
    return judgedTarget(name, result, `${name}/report.html`);
  } catch (error) {
    const { text } = makeRecorder(inputs, secrets);
    return without(error instanceof UsageError ? 'inconclusive' : 'error', text((error as Error).message));
  } finally {
    journals.delete(journal);
  }
}

/** Judges every target, a bounded number at a time, until the end or until somebody stops it. */
async function judgeAll(targets: readonly NamedTarget[], folder: string, io: CommandIo) {
  const note = (text: string): void => io.err.write(`${text}\n`);
  const secrets = targets
    .flatMap(({ inputs }) => [inputs.adminKey, inputs.restrictedKey])
    .filter((key) => key !== undefined);
  const journals = new Set<string>();
  const { signal, stopListening } = stopOnInterruption(io, note, journals);
  const judging = { folder, secrets, signal, journals, note };
  let done = 0;
  try {
    return await mapBounded(targets, AT_ONCE, async (target) => {
      const judged = await judgeOne(target, judging);
      done += 1;
      note(`[${done}/${targets.length}] ${target.name}  ${judged.verdict}  ${judged.problem ?? ''}`.trimEnd());
      return judged;
    });
  } finally {
    stopListening();
  }
}

/**
 * `run --targets`: judges the targets of a file, writes a result and a report for each, and shows all as one matrix.
 *
 * @returns the exit code of the worst verdict
 */
export async function judgeTargets(parsed: ParsedArguments, io: CommandIo): Promise<number> {
  const { values, targets } = await readTargets(parsed, io);
  const { format, verbose = false, output: folder = String(wayOf('output').default) } = values;
  for (const { name, inputs } of targets) {
    io.protect(redactFor(inputs));
    makeFolder(`--output ${folder}`, join(folder, name));
  }
  const matrix = makeMatrix(await judgeAll(targets, folder, io));
  const files = { 'matrix.json': matrixJson, 'matrix.html': htmlMatrix, 'matrix.md': markdownMatrix };
  for (const [file, report] of Object.entries(files))
    writeOutput({ given: `--output ${folder}`, path: join(folder, file) }, report(matrix));
  if (format === 'json') io.out.writeDocument(matrixJson(matrix));
  else io.out.write(terminalMatrix(matrix, { ...io.out, verbose }));
  io.err.write(`reports in ${folder}: ${Object.keys(files).join(', ')}\n`);
  addToSummary(markdownMatrix(matrix), io);
  return EXIT_CODES[matrix.verdict];
}
