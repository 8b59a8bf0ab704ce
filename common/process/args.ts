import { parseArgs, type ParseArgsConfig } from 'node:util';
import { readBounded, Unreadable } from './bounded-file.ts';
import { hint } from '../nearest.ts';
import { counted, shortened } from '../text.ts';

/** So many mistakes are told at once, and so much of each. */
const MOST_TOLD = { mistakes: 10, characters: 2_000 };

/** A mistake in how the tool was called; each line says what is wrong and how to fix it. */
export class UsageError extends Error {
  /** One for each mistake. */
  readonly lines: readonly string[];

  constructor(mistakes: string | Iterable<string> = '') {
    const lines = (typeof mistakes === 'string' ? [mistakes] : [...mistakes]).map((line) =>
      line.replaceAll(/\s*[\n\r\u2028]\s*/g, ' '),
    );
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
  /** What to call an option in a message, where it was not given as a flag. */
  readonly names?: Readonly<Record<string, string>>;
}

/** What to call an option in a message: the flag, or the place in the configuration file that gives it. */
export function nameOf({ names }: ParsedArguments, option: string): string {
  return names?.[option] ?? `--${option}`;
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
  for (const arg of args) {
    if (arg === '--') break;
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    if (name !== undefined && !Object.hasOwn(options, name)) {
      throw new UsageError(
        `--${name}: unknown option.${
          hint(
            `--${name}`,
            Object.keys(options).map((each) => `--${each}`),
          ) || ' See --help.'
        }`,
      );
    }
  }
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (parsed.positionals.length > positionals)
      throw new UsageError(`${JSON.stringify(parsed.positionals[positionals])} is one argument too many.`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [said = ''] = (error as Error).message.split(/\n|\. To specify/);
    const [, ambiguous] = /^Option '(--[^' ]+).*ambiguous/.exec(said) ?? [];
    const [, incomplete] = /^Option '(?:-\w, )?(--[^' ]+).*argument missing/.exec(said) ?? [];
    if (incomplete !== undefined) throw new UsageError(`${incomplete} needs a value; see --help.`);
    throw new UsageError(
      ambiguous === undefined
        ? `${said}.`
        : `${ambiguous} needs a value; write one that starts with a dash as ${ambiguous}=VALUE.`,
    );
  }
}

/** The entries of an option that may be repeated, and whose values are separated by commas. */
export function entriesOf(value: ParsedArguments['values'][string]): string[] {
  return [value ?? []].flat().flatMap((text) =>
    String(text)
      .split(',')
      .map((entry) => entry.trim()),
  );
}

/** A whole number from a text, within bounds. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${name}: ${JSON.stringify(text)} is not a whole number from ${least} to ${most}.`);
  return value;
}

/** One of some words. */
export function oneOf<T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found === undefined)
    throw new UsageError(`${name}: ${JSON.stringify(text)} is not one of ${words.join(', ')}.${hint(text, words)}`);
  return found;
}

/**
 * Reads a file that an option names.
 *
 * @param most bytes, if more than `readBounded` allows by itself
 * @throws UsageError that begins with the option and the path
 */
export function readGivenFile(option: string, path: string, most?: number): string {
  try {
    return readBounded(path, most);
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`${option} ${path}: ${error.message}.`.trimStart());
    throw error;
  }
}
