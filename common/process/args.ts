import { parseArgs, type ParseArgsConfig } from 'node:util';
import { hint } from '../nearest.ts';
import { present, shortened } from '../text.ts';

/** Characters of a mistake that are shown. */
const LONGEST = 2_000;

/** A text in one line. It takes time in proportion to the length of the text. */
function inOneLine(text: string): string {
  const lines = text.split(/[\n\r\u2028\u2029]/).map((line) => line.trim());
  return shortened(present(lines).join(' '), LONGEST);
}

/** Mistakes in how the tool was called: the message has a line for each, which says what is wrong and how to fix it. */
export class UsageError extends Error {
  constructor(...mistakes: readonly string[]) {
    super(mistakes.map(inOneLine).join('\n'));
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

/** One option as it was written. */
interface Given {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** @throws UsageError if the option is unknown, or its value is missing or superfluous */
function requireRight({ name, rawName: flag, value, inlineValue }: Given, options: OptionDefinitions): void {
  if (!Object.hasOwn(options, name)) {
    const known = Object.keys(options).map((each) => `--${each}`);
    throw new UsageError(`${flag}: unknown option.${hint(flag, known) || ' See --help.'}`);
  }
  const takesValue = options[name]?.type === 'string';
  if (!takesValue && value !== undefined) throw new UsageError(`${flag} takes no value.`);
  if (takesValue && value === undefined) throw new UsageError(`${flag} needs a value; see --help.`);
  if (value?.startsWith('-') && !inlineValue)
    throw new UsageError(`${flag} needs a value; write one that starts with a dash as ${flag}=VALUE.`);
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
  const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  for (const token of parsed.tokens) if (token.kind === 'option') requireRight(token, options);
  if (parsed.positionals.length > positionals)
    throw new UsageError(`${JSON.stringify(parsed.positionals[positionals])} is one argument too many.`);
  return parsed;
}
