import { basename, relative } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import { z } from 'zod';
import {
  type Environment,
  type OptionDefinitions,
  parseArguments,
  type ParsedArguments,
  UsageError,
} from '../common/process/args.ts';
import type { Output, Redact } from '../common/process/output.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { type Option, optionName, type Options } from './option.ts';

const NAME = 'admin-api-conformance';

/** What a command may touch of the outside: results go to `out`, talk to `err`. */
export interface CommandIo {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Environment;
  /** From now on, whatever is printed withholds these keys. */
  readonly protect: (redact: Redact) => void;
  /** Calls back on SIGINT, SIGTERM and SIGHUP; returns a function that stops listening. */
  readonly onInterrupt: (callback: (signal: NodeJS.Signals) => void) => () => void;
  readonly exit: (code: number) => void;
}

/** A command as a table: its help is made of it, and its arguments are read by it. */
export interface Command {
  readonly usage: string;
  readonly about: string;
  /** Options below their headings; below an empty one are those of the command itself. */
  readonly options?: Readonly<Record<string, Options>>;
  /** What else the help says. */
  readonly more?: string;
  readonly exitCodes: string;
  /** How many arguments without a dash it takes, and what to say if there are fewer. */
  readonly positionals?: readonly [least: number, most: number, missing?: string];
  /** Runs, and returns the exit code. */
  readonly run: (parsed: ParsedArguments, io: CommandIo) => number | Promise<number>;
}

/** A text in lines of a width, each indented. */
export function wrapped(text: string, width: number, indent = '', firstIndent = indent): string {
  const lines = wrapAnsi(text, Math.max(width - indent.length, 20)).split('\n');
  return lines.map((line, index) => (index === 0 ? firstIndent : indent) + line).join('\n');
}

const WIDTH = 80;
const COLUMN = 30;

const flagsIn = (options: Options): Option[] => Object.values(options).filter(({ flag }) => flag.startsWith('-'));

/** The options as `--help` shows them, below their headings. */
function optionHelp(groups: NonNullable<Command['options']>): string[] {
  return Object.entries(groups).map(([heading, options]) => {
    const lines = flagsIn(options).map(({ flag, about, variable, repeatable, default: fallback }) => {
      const text = `${about}${repeatable ? '; repeatable' : ''}${fallback === undefined ? '' : ` (${fallback})`}`;
      const indent = ' '.repeat(COLUMN);
      const lead = `  ${flag}`.length < COLUMN ? `  ${flag}`.padEnd(COLUMN) : `  ${flag}\n${indent}`;
      if (variable === undefined) return wrapped(text, WIDTH, indent, lead);
      return `${lead}${variable}\n${wrapped(text, WIDTH, indent)}`;
    });
    return [...(heading === '' ? [] : [`${heading}:`]), ...lines].join('\n');
  });
}

/** The text of `--help`. */
export function helpOf({ usage, about, options, more, exitCodes }: Command): string {
  const parts = [`Usage: ${NAME} ${usage}${options ? ' [options]' : ''}`, about, ...optionHelp(options ?? {}), more];
  return [...parts, `Exit codes: ${exitCodes}\n`].filter((part) => part !== undefined).join('\n\n');
}

function definitionsOf(groups: NonNullable<Command['options']>): OptionDefinitions {
  const definitions = Object.values(groups)
    .flatMap(flagsIn)
    .map((option) => {
      const [, short] = /, -(\w)/.exec(option.flag) ?? [];
      const type = option.schema instanceof z.ZodBoolean ? ('boolean' as const) : ('string' as const);
      const multiple = option.repeatable ?? false;
      return [optionName(option), { type, multiple, ...(short !== undefined && { short }) }] as const;
    });
  return Object.fromEntries(definitions);
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError for an unknown option, or a missing or superfluous value
 */
export function parseCommand(command: Command, args: readonly string[]): ParsedArguments {
  const { options = {}, positionals: [least, most, missing = ''] = [0, 0] } = command;
  const definitions = definitionsOf(options);
  // Only this flag may come without its value.
  const given = args.map((arg) => (arg === '--explore' ? '--explore=30' : arg));
  const parsed = parseArguments(given, definitions, most);
  if (parsed.positionals.length < least) throw new UsageError(missing);
  return parsed;
}

/** How this program was started, so that a line that begins with it can be pasted: installed, from a checkout, or by npx. */
export function programName({ npm_command: npm }: Environment): string {
  const script = process.argv[1] ?? '';
  if (basename(script) === 'main.js') return `node ${shellWord(relative(process.cwd(), script))}`;
  return basename(script) === NAME && npm === undefined && !script.includes('node_modules') ? NAME : `npx ${NAME}`;
}
