import { parseArgs, type ParseArgsConfig } from 'node:util';
import { readBounded, Unreadable } from './bounded-file.ts';
import { hint } from '../nearest.ts';
import { counted, shortened } from '../text.ts';

/** How many mistakes are told at once, and how many characters of each. */
const MOST_TOLD = { mistakes: 10, characters: 2_000 };

/** A text in one line. It takes time in proportion to the length of the text. */
function inOneLine(text: string): string {
  return text
    .split(/[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** A mistake in how the tool was called; each line says what is wrong and how to fix it. */
export class UsageError extends Error {
  /** One for each mistake. */
  readonly lines: readonly string[];

  constructor(mistakes: string | Iterable<string> = '') {
    const lines = (typeof mistakes === 'string' ? [mistakes] : [...mistakes]).map(inOneLine);
    super(lines.join('\n'));
    this.lines = lines;
  }

  /** What to print: the first mistakes, each shortened, and how many more there are. */
  get told(): readonly string[] {
    const more = this.lines.length - MOST_TOLD.mistakes;
    const first = this.lines.slice(0, MOST_TOLD.mistakes).map((line) => shortened(line, MOST_TOLD.characters));
    return more > 0 ? [...first, `There ${more === 1 ? 'is' : 'are'} ${counted(more, 'more mistake')}.`] : first;
  }
}

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that a command knows, as `parseArgs` of Node takes them. */
export type OptionDefinitions = NonNullable<ParseArgsConfig['options']>;

/** What the command line says. */
export interface ParsedArguments {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

/** What `parseArgs` complains about, with what to do. */
function argumentProblem(message: string): string {
  const [said = ''] = message.split(/\n|\. To specify/);
  const [, ambiguous] = /^Option '(--[^' ]+).*ambiguous/.exec(said) ?? [];
  if (ambiguous !== undefined)
    return `${ambiguous} needs a value; write one that starts with a dash as ${ambiguous}=VALUE.`;
  const [, incomplete] = /^Option '(?:-\w, )?(--[^' ]+).*argument missing/.exec(said) ?? [];
  return incomplete === undefined ? `${said}.` : `${incomplete} needs a value; see --help.`;
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError for an unknown option (with a near miss), a missing or superfluous value
 */
export function parseArguments(
  args: readonly string[],
  options: OptionDefinitions,
  positionals: number,
): ParsedArguments {
  const end = args.indexOf('--');
  for (const arg of args.slice(0, end === -1 ? undefined : end)) {
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    if (name === undefined || Object.hasOwn(options, name)) continue;
    const known = Object.keys(options).map((each) => `--${each}`);
    throw new UsageError(`--${name}: unknown option.${hint(`--${name}`, known) || ' See --help.'}`);
  }
  let parsed: ParsedArguments;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(argumentProblem((error as Error).message));
  }
  if (parsed.positionals.length > positionals)
    throw new UsageError(`${JSON.stringify(parsed.positionals[positionals])} is one argument too many.`);
  return parsed;
}

/**
 * Reads a file that somebody named.
 *
 * @param where it was named, such as the option; may be empty
 * @param most bytes; default 1 MiB
 * @throws UsageError that begins with that place and the path
 */
export function readGivenFile(where: string, path: string, most?: number): string {
  try {
    return readBounded(path, most);
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`${where} ${path}: ${error.message}.`.trimStart());
    throw error;
  }
}
