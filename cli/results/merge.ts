import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { makeMatrix, mergeMatrices, targetOfResult, type Matrix } from '../../conformance/result/several/matrix.ts';
import { readMatrixOrResult } from '../../conformance/result/read-result.ts';
import { EXIT_CODES } from '../../conformance/result/verdict.ts';
import { tool } from '../../conformance/run/tool.ts';
import { UsageError } from '../../common/process/args.ts';
import { MATRIX_OPTIONS, matrixOutput, showMatrix, writeMatrix } from '../fleet/matrix-output.ts';
import { commandOf } from '../input/command-table.ts';

/** A result has no name: it takes that of its file, or of the folder of result.json. */
function nameOf(path: string): string {
  const name = basename(path, '.json');
  return (name === 'result' ? basename(dirname(path)) : name).replaceAll(/[^A-Za-z0-9._-]/g, '-') || 'result';
}

/** A path as it stands in a matrix: with slashes on every system. */
function between(from: string, to: string): string {
  return relative(from, to).split(sep).join('/') || '.';
}

/** @throws UsageError if there is no matrix and no result */
function readOne(given: string, output: string): Matrix {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = isFolder ? join(given, 'matrix.json') : given;
  if (isFolder && !existsSync(path))
    throw new UsageError(`${given}: there is no matrix.json in this folder; name the --output of "run --targets".`);
  const read = readMatrixOrResult(path);
  if ('schemaVersion' in read) {
    const target = targetOfResult(nameOf(path), read);
    const hasReport = existsSync(join(dirname(path), 'report.html'));
    return makeMatrix([hasReport ? { ...target, folder: between(output, dirname(path)) } : target], {
      tool,
      requirements: read.requirements,
    });
  }
  const targets = read.targets.map(({ folder, ...target }) =>
    folder === undefined ? target : { ...target, folder: between(output, join(dirname(path), folder)) },
  );
  return { ...read, targets };
}

/** @throws UsageError if a name is given twice: the matrix would show one target as two */
function checkNames(matrices: readonly Matrix[], given: readonly string[]): void {
  const places = new Map<string, string>();
  for (const [index, { targets }] of matrices.entries()) {
    const place = given[index] ?? '';
    for (const { name } of targets) {
      const other = places.get(name);
      if (other !== undefined) throw new UsageError(`${place}: the target ${name} is in ${other}, too.`);
      places.set(name, place);
    }
  }
}

/** `merge`: one matrix of those of several shards, or of several results. */
export const command = commandOf({
  usage: 'merge FOLDER…',
  summary: 'make one report on a fleet from those of its shards',
  calls: ['merge FOLDER|FILE… [options]'],
  about: `Makes one matrix of several: those of the shards of a fleet ("run --targets FILE
--shard 1/5"), or results of single runs. A folder is one that such a run has
written; a file is a matrix.json or the JSON result of a run. Sends no requests.`,
  options: MATRIX_OPTIONS,
  more: 'A matrix from which shards are missing names them, and never passes.',
  examples: ['merge shard-*/ --output fleet', 'merge berlin.json paris.json'],
  exitCodes: `0 passed, 1 failed, 2 usage, 3 inconclusive, 4 error of the suite,
130 interrupted; of several, the first of 4, 130, 1, 3, 0 that any has.`,
  positionals: [1, Infinity],
  missing: 'merge: give the folders that "run --targets FILE --shard 1/5" has written, or results.',
  run: (parsed, io) => {
    const { positionals } = parsed;
    const output = matrixOutput(parsed);
    const matrices = positionals.map((path) => readOne(path, output.folder));
    checkNames(matrices, positionals);
    const matrix = mergeMatrices(matrices, tool);
    writeMatrix(matrix, output);
    showMatrix(matrix, output, io);
    return EXIT_CODES[matrix.verdict];
  },
});
