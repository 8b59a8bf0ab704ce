import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { matrixDocument } from '../../conformance/report/documents/matrix.ts';
import { htmlOf } from '../../conformance/report/html/html.ts';
import { markdownOf } from '../../conformance/report/markdown.ts';
import { terminalText } from '../../conformance/report/terminal/terminal.ts';
import { legibleJson } from '../../common/text.ts';
import type { Matrix } from '../../conformance/result/several/matrix.ts';
import { UsageError, type ParsedArguments } from '../../common/process/args.ts';
import { OWN_SETTINGS, RUN_ONLY, valueOf } from '../input/settings.ts';
import { addToSummary } from '../output/github-actions.ts';
import { layoutOf, type CommandIo } from '../output/io.ts';
import { writeOutput } from '../output/output-file.ts';

/** Rows of a text. The page and the JSON have all. */
const MOST_ROWS = { terminal: 20, markdown: 100 };

/** Every report on a fleet that is written to a file, by the name of the file. */
export const MATRIX_FILES = {
  'matrix.json': (matrix: Matrix) => legibleJson(matrix),
  'matrix.html': (matrix: Matrix) => htmlOf(matrixDocument(matrix)),
  'matrix.md': (matrix: Matrix) => markdownOf(matrixDocument(matrix, MOST_ROWS.markdown)),
} as const;

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
  else out.write(terminalText(matrixDocument(matrix, MOST_ROWS.terminal), layoutOf(out, environment)));
  if (!isQuiet) err.write(`reports in ${folder}: ${Object.keys(MATRIX_FILES).join(', ')}\n`);
  addToSummary(() => MATRIX_FILES['matrix.md'](matrix), io);
}
