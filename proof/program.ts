import { fileURLToPath } from 'node:url';
import { type OptionDefinitions, type ParsedArguments, parseArguments, UsageError } from '../common/process/args.ts';

const OPTIONS = { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } } as const;

interface Outcome {
  /** How many servers were judged. */
  readonly judged: number;
  /** Whether what must hold of them does. */
  readonly holds: boolean;
}

/** Runs a program of the proof if its module is the one that was started. Each has the options --only and --help. */
export async function runProgram(
  url: string,
  help: string,
  options: OptionDefinitions,
  run: (globs: readonly string[], values: ParsedArguments['values']) => Promise<Outcome>,
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(url)) return;
  try {
    const { values } = parseArguments(process.argv.slice(2), { ...OPTIONS, ...options }, 0);
    if (values.help) return void process.stdout.write(help);
    const globs = [values.only ?? []].flat().map(String);
    const { judged, holds } = await run(globs, values);
    if (!(judged > 0)) throw new UsageError('Nothing was judged: no name matches, or a number is none. See --help.');
    process.exitCode = holds ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
