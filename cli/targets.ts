import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../common/process/args.ts';
import { mapBounded } from '../common/pool.ts';
import { outputFile, writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { read } from '../common/schema.ts';
import { parseYaml } from '../common/yaml.ts';
import { makeRecorder } from '../conformance/http/record.ts';
import { baseAddress } from '../conformance/inputs.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { judgedTarget, makeMatrix, type MatrixTarget } from '../conformance/report/matrix.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix } from '../conformance/report/terminal.ts';
import { EXIT_CODES } from '../conformance/facts/result.ts';
import type { CommandIo } from './command.ts';
import { inputsOf, withPaths } from './configuration.ts';
import { judge, runOptionsOf, untilInterrupted } from './judge.ts';
import { makeProgress } from './progress.ts';
import { addToSummary, REPORTS } from './reports.ts';
import { objectOf, settings, SETTINGS_OF_TARGETS, type Values } from './settings.ts';

type NamedFile = NonNullable<Values['targets']>;

/** A file name that needs no escape in a shell, a URL or Markdown. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const NAMES = 'give 1 to 64 letters, digits, dots, dashes and underscores, such as eu-1.';
const LIST = 'give a list of targets.';

/** What a file of targets has. */
function fileOfTargets(path: string) {
  const settings = objectOf(SETTINGS_OF_TARGETS);
  const own = <T extends z.ZodType>(schema: T) => z.preprocess((object) => withPaths(path, object), schema);
  const target = own(settings.extend({ name: z.string(NAMES).regex(NAME, NAMES) }));
  const targets = z.array(target, LIST).min(1, LIST);
  return z.strictObject(
    { $schema: z.string().optional(), defaults: own(settings).optional(), targets },
    'a file of targets has "defaults" and the list "targets"; nothing else.',
  );
}

/**
 * Reads a file of targets, and the files that it names. A flag is for every target.
 *
 * @throws UsageError with a line for each mistake
 */
function readTargets({ path, text }: NamedFile, flags: Values, io: CommandIo) {
  const yaml = parseYaml(path, text);
  const { targets, defaults } = read(fileOfTargets(path), yaml.data, yaml.at);
  const names = targets.map(({ name }) => name.toLowerCase());
  const second = names.findIndex((name, index) => names.indexOf(name) < index);
  if (second !== -1)
    throw new UsageError(`${yaml.at(['targets', second, 'name'])}: it is the name of another target, too.`);
  return targets.map(({ name, ...own }) => {
    // Not the environment: it may have the key of one target, which must not go to all.
    const values: Values = { ...defaults, ...own, ...flags };
    const { baseUrl, ...target } = inputsOf(values, `${path}: target ${name}: `);
    if (!baseUrl) throw new UsageError(`${path}: target ${name} has no baseUrl.`);
    return { name, inputs: { ...target, baseUrl }, options: runOptionsOf(values, io), wait: values.wait };
  });
}

type NamedTarget = ReturnType<typeof readTargets>[number];

const AT_ONCE = 4;

/** Writes files into a folder, which is made if there is none. @throws UsageError if that cannot be done */
function writeInto(folder: string, files: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`--output: the folder ${folder} cannot be made: ${(error as Error).message}.`);
  }
  for (const [file, text] of Object.entries(files)) writeOutput(outputFile(join(folder, file)), text);
}

/**
 * `run --targets`: judges the targets of a file, a few at a time, writes a result and a report for each, and shows all as one matrix.
 * An error with one target does not end the others.
 *
 * @returns the exit code of the worst verdict
 */
export async function judgeTargets(file: NamedFile, flags: Values, io: CommandIo): Promise<number> {
  const { format, verbose = false, output: folder = String(settings.output.default) } = flags;
  const targets = readTargets(file, flags, io);
  for (const { name, inputs } of targets) {
    io.protect(inputs.adminKey, inputs.restrictedKey);
    writeInto(join(folder, name), {});
  }
  const { note, onEvent } = makeProgress(io.err, 'quiet');
  const keys = targets.flatMap(({ inputs }) => [inputs.adminKey, inputs.restrictedKey]);
  const secrets = keys.filter((key) => key !== undefined);
  const judgeOne = async ({ name, inputs, options, wait }: NamedTarget, signal: AbortSignal): Promise<MatrixTarget> => {
    const without = { name, baseUrl: baseAddress(inputs.baseUrl), requirements: [] };
    if (signal.aborted) return { ...without, verdict: 'interrupted', words: 'Not begun.' };
    try {
      const result = await judge(inputs, { ...options, secrets, signal, onEvent }, wait, note);
      writeInto(join(folder, name), { 'result.json': REPORTS.json(result), 'report.html': REPORTS.html(result) });
      return judgedTarget(name, result, `${name}/report.html`);
    } catch (error) {
      const words = makeRecorder(inputs, secrets).text((error as Error).message);
      return { ...without, verdict: error instanceof UsageError ? 'inconclusive' : 'error', words };
    }
  };
  let done = 0;
  const judged = await untilInterrupted(io, note, (signal) =>
    mapBounded(targets, AT_ONCE, async (target) => {
      const one = await judgeOne(target, signal);
      done += 1;
      note(`[${done}/${targets.length}] ${target.name}  ${one.verdict}  ${one.words}`);
      return one;
    }),
  );
  const matrix = makeMatrix(judged);
  const markdown = markdownMatrix(matrix);
  const files = { 'matrix.json': legibleJson(matrix), 'matrix.html': htmlMatrix(matrix), 'matrix.md': markdown };
  writeInto(folder, files);
  io.out.writeStyled(format === 'json' ? files['matrix.json'] : terminalMatrix(matrix, { ...io.out, verbose }));
  io.err.write(`reports in ${folder}: ${Object.keys(files).join(', ')}\n`);
  addToSummary(markdown, io);
  return EXIT_CODES[matrix.verdict];
}
