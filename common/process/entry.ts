import { parseArguments, UsageError, type OptionDefinitions, type ParsedArguments } from './args.ts';

/** How a tool of this repository is called. */
interface Call {
  /** The script of package.json that starts it. */
  readonly name: string;
  /** What `--help` prints. */
  readonly help: string;
  readonly options: OptionDefinitions;
  /** How many arguments without a dash it takes. */
  readonly positionals?: number;
}

/**
 * Runs a tool of this repository with the arguments of this process. A usage error is one line on stderr for each mistake, and
 * exit code 2; any other error ends the process.
 *
 * @param main gives the exit code
 */
export async function runEntry(
  { name, help, options, positionals = 0 }: Call,
  main: (parsed: ParsedArguments) => Promise<number>,
): Promise<void> {
  try {
    const known: OptionDefinitions = { ...options, help: { type: 'boolean', short: 'h' } };
    const parsed = parseArguments(process.argv.slice(2), known, positionals);
    if (parsed.values.help === true) process.stdout.write(help);
    else process.exitCode = await main(parsed);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(error.told.map((line) => `${name}: ${line}\n`).join(''));
    process.exitCode = 2;
  }
}
