import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { markdownMatrix, MATRIX_FILES, prettyMatrix } from '../../conformance/report/matrix/text.ts';
import type { Matrix } from '../../conformance/result/matrix.ts';
import { UsageError, type ParsedArguments } from '../../common/args.ts';
import { OWN_SETTINGS, RUN_ONLY, valueOf } from '../input/settings.ts';
import { addToSummary } from '../output/github-actions.ts';
import { layoutOf, type CommandIo } from '../output/io.ts';
import { writeOutput } from '../output/output-file.ts';

/** The options of a command that makes a matrix. */
export const MATRIX_OPTIONS = [RUN_ONLY.output, OWN_SETTINGS.format];

/**
 * What the options say of the output. The folder is made, so that nothing is judged in vain.
 *
 * @throws UsageError if it cannot be made
 */
export function matrixOutput(parsed: ParsedArguments) {
  const folder = String(parsed.values.output ?? RUN_ONLY.output.default);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`--output ${folder}: the folder cannot be made: ${(error as Error).message}.`);
  }
  return { folder, format: valueOf(OWN_SETTINGS.format, parsed), isQuiet: parsed.values.quiet === true };
}

/** Where a matrix goes. */
export type MatrixOutput = ReturnType<typeof matrixOutput>;

/** Writes a matrix in every format. */
export function writeMatrix(matrix: Matrix, { folder }: MatrixOutput): void {
  for (const [file, report] of Object.entries(MATRIX_FILES))
    writeOutput(`--output ${folder}`, join(folder, file), report(matrix));
}

/** Prints a matrix, and adds it to the summary of a job on GitHub Actions. */
export function showMatrix(matrix: Matrix, { folder, format, isQuiet }: MatrixOutput, io: CommandIo): void {
  const { out, err, environment } = io;
  if (format === 'json') out.writeDocument(MATRIX_FILES['matrix.json'](matrix));
  else out.write(prettyMatrix(matrix, layoutOf(out, environment)));
  if (!isQuiet) err.write(`reports in ${folder}: ${Object.keys(MATRIX_FILES).join(', ')}\n`);
  addToSummary(() => markdownMatrix(matrix), io);
}
