import { parseArgs, type ParseArgsConfig } from 'node:util';
import { hint } from './nearest.ts';

/** A mistake in how the tool was called; each line says what is wrong and how to mend it. */
export class UsageError extends Error {
  /** One for each mistake. */
  readonly lines: readonly string[];

  constructor(mistake = '', ...more: readonly string[]) {
    const lines = [mistake, ...more].map((line) => line.replaceAll(/\s*[\n\r\u2028]\s*/g, ' '));
    super(lines.join('\n'));
    this.lines = lines;
  }
}

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

const KEYS_IN_ARGV: Readonly<Record<string, string>> = {
  'admin-key': 'CONFORMANCE_ADMIN_KEY',
  'restricted-key': 'CONFORMANCE_RESTRICTED_KEY',
};

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
    const variable = name !== undefined && Object.hasOwn(KEYS_IN_ARGV, name) ? KEYS_IN_ARGV[name] : undefined;
    if (variable !== undefined && name !== undefined) {
      throw new UsageError(
        `--${name}: a key on the command line can be seen by others; set ${variable}, or give a file with --${name}-file.`,
      );
    }
    if (name !== undefined && !Object.hasOwn(options, name)) {
      throw new UsageError(
        `--${name}: there is no such option.${
          hint(
            `--${name}`,
            Object.keys(options).map((each) => `--${each}`),
          ) || ' --help shows those that there are.'
        }`,
      );
    }
  }
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (parsed.positionals.length > positionals) {
      throw new UsageError(`${JSON.stringify(parsed.positionals[positionals])} is one argument too many.`);
    }
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [said = ''] = (error as Error).message.split(/\n|\. To specify/);
    const [, ambiguous] = /^Option '(--[^' ]+).*ambiguous/.exec(said) ?? [];
    const [, incomplete] = /^Option '(?:-\w, )?(--[^' ]+).*argument missing/.exec(said) ?? [];
    if (incomplete !== undefined) throw new UsageError(`${incomplete} needs a value; --help says which.`);
    throw new UsageError(
      ambiguous === undefined
        ? `${said}.`
        : `${ambiguous} needs a value; one that starts with a dash is written ${ambiguous}=VALUE.`,
    );
  }
}

/** A whole number from a text, within bounds. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UsageError(`${name}: ${JSON.stringify(text)} is no whole number from ${least} to ${most}.`);
  }
  return value;
}

/** One of some words. */
export function oneOf<T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found === undefined) {
    throw new UsageError(`${name}: ${JSON.stringify(text)} is not one of ${words.join(', ')}.${hint(text, words)}`);
  }
  return found;
}
