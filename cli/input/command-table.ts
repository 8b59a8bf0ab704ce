import { UsageError, type ParsedArguments } from '../../common/process/args.ts';
import type { Command, CommandIo } from '../output/io.ts';
import { optionHelp, parseOptions, type Option } from './options.ts';

/** A command as a table: its help is made of it, and its arguments are read by it. */
interface CommandTable extends Pick<Command, 'usage' | 'summary'> {
  /** How it is called, where `usage` does not say all. */
  readonly calls?: readonly string[];
  readonly about: string;
  readonly options?: readonly Option[];
  /** How the help shows the options, where that is no plain list. */
  readonly optionsHelp?: string;
  /** What else the help says before the examples. */
  readonly more?: string;
  readonly examples?: readonly string[];
  readonly exitCodes: string;
  /** How many arguments without a dash it takes. */
  readonly positionals?: readonly [least: number, most: number];
  /** What is said where there are fewer. */
  readonly missing?: string;
  /** Changes or refuses the arguments before they are read. */
  readonly before?: (args: readonly string[]) => readonly string[];
  readonly run: (parsed: ParsedArguments, io: CommandIo) => number | Promise<number>;
}

const call = (words: string): string => `admin-api-conformance ${words}`;

function helpOf({ usage, calls = [usage], about, options = [], optionsHelp, more, ...table }: CommandTable): string {
  const { examples = [], exitCodes } = table;
  const shown = examples.map((words) => `  ${call(words)}`).join('\n');
  const parts = [
    `Usage: ${calls.map(call).join('\n       ')}`,
    about,
    optionsHelp ?? optionHelp(options),
    more,
    shown && `Example${examples.length === 1 ? '' : 's'}:\n${shown}`,
    `Exit codes: ${exitCodes}\n`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** The command that a table describes. It throws a UsageError for wrong arguments, and where some are missing. */
export function commandOf(table: CommandTable): Command {
  const { usage, summary, options = [], positionals: [least, most] = [0, 0], missing, before, run } = table;
  return {
    usage,
    summary,
    help: helpOf(table),
    run: async (args, io) => {
      const parsed = parseOptions(before ? before(args) : args, options, most);
      if (parsed.positionals.length < least) throw new UsageError(missing);
      return run(parsed, io);
    },
  };
}
