import { wrap } from '../../conformance/report/terminal/paint.ts';
import {
  oneOf,
  parseArguments,
  UsageError,
  type OptionDefinitions,
  type ParsedArguments,
} from '../../common/process/args.ts';

/** An option of a command. */
export interface Option {
  /** As it is written, with its value (`--user-id ID`) and its short form (`--quiet, -q`). An argument has no dashes. */
  readonly flag: string;
  readonly meaning: string;
  readonly variable?: string;
  /** Whether it may be given more than once. */
  readonly multiple?: true;
  readonly default?: string | number;
}

/** The name of an option without its dashes; of an argument such as `BASE_URL`, `base-url`. */
export function optionName({ flag }: Option): string {
  return /^--([a-z-]+)/.exec(flag)?.[1] ?? flag.toLowerCase().replaceAll('_', '-');
}

function definitionsOf(options: readonly Option[]): OptionDefinitions {
  const flags = options.filter(({ flag }) => flag.startsWith('--'));
  return Object.fromEntries(
    flags.map((option) => {
      const [, short] = /, -(\w)/.exec(option.flag) ?? [];
      const type = short === undefined && /[ =]/.test(option.flag) ? ('string' as const) : ('boolean' as const);
      return [
        optionName(option),
        { type, ...(option.multiple ? { multiple: true } : {}), ...(short === undefined ? {} : { short }) },
      ];
    }),
  );
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError for an unknown option, a missing or superfluous value, and a key where a file with a key is expected
 */
export function parseOptions(
  args: readonly string[],
  options: readonly Option[],
  positionals: number,
): ParsedArguments {
  for (const arg of args) {
    if (arg === '--') break;
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    const { variable } = options.find((option) => optionName(option) === `${name}-file`) ?? {};
    if (variable !== undefined) {
      throw new UsageError(
        `--${name}: others can see a key on the command line; set ${variable} or name a file with --${name}-file.`,
      );
    }
  }
  return parseArguments(args, definitionsOf(options), positionals);
}

/** `--format`, with the default first. */
export function formatOption(formats: readonly [string, ...string[]]): Option {
  return { flag: `--format ${formats.join('|')}`, meaning: 'what to print', default: formats[0] };
}

/**
 * What `--format` says.
 *
 * @throws UsageError if it is none of the formats
 */
export function formatOf<T extends string>({ values }: ParsedArguments, formats: readonly [T, ...T[]]): T {
  const { format = formats[0] } = values;
  return oneOf('--format', String(format), formats);
}

const WIDTH = 80;

/** The options as `--help` shows them, beside the longest of them or at a column. */
export function optionHelp(options: readonly Option[], column?: number): string {
  const at = column ?? Math.max(...options.map(({ flag }) => flag.length + 4));
  return options
    .map(({ flag, meaning, variable, multiple, default: fallback }) => {
      const text = `${meaning}${multiple ? '; repeatable' : ''}${fallback === undefined ? '' : ` (${fallback})`}`;
      const lead = `  ${flag}`.padEnd(at);
      const indent = ' '.repeat(at);
      return variable === undefined
        ? wrap(text, WIDTH, indent, lead)
        : `${lead}${variable}\n${wrap(text, WIDTH, indent)}`;
    })
    .join('\n');
}
