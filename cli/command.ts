import { basename, relative } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import {
  type Environment,
  type OptionDefinitions,
  parseArguments,
  type ParsedArguments,
  UsageError,
} from '../common/process/args.ts';
import type { Output, Redact } from '../common/process/output.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { DEFAULT_SEQUENCES, descriptionOf, GROUPS, optionName, type SettingName, wayOf } from './settings.ts';

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
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** An option of a command. */
export interface Option {
  /** As it is written, with its value (`--port N`) and its short form (`--yes, -y`). */
  readonly flag: string;
  readonly meaning: string;
  readonly variable?: string | undefined;
  readonly repeatable?: true | undefined;
  readonly default?: string | number | undefined;
}

/** A command as a table: its help is made of it, and its arguments are read by it. */
export interface Command {
  /** Its name and arguments. */
  readonly usage: string;
  readonly about: string;
  /** The settings that it takes as flags; it may take them from the environment and the configuration file as well. */
  readonly settings?: readonly SettingName[];
  readonly options?: readonly Option[];
  /** What else the help says. */
  readonly more?: string;
  readonly exitCodes: string;
  /** How many arguments without a dash it takes, and what to say if there are fewer. */
  readonly positionals?: readonly [least: number, most: number, missing?: string];
  /** Runs, and returns the exit code. */
  readonly run: (parsed: ParsedArguments, io: CommandIo) => number | Promise<number>;
}

const optionOf = (name: SettingName): Option => ({ ...wayOf(name), meaning: descriptionOf(name) });

/** A text in lines of a width, each indented. */
export function wrapped(text: string, width: number, indent = '', firstIndent = indent): string {
  const lines = wrapAnsi(text, Math.max(width - indent.length, 20)).split('\n');
  return lines.map((line, index) => (index === 0 ? firstIndent : indent) + line).join('\n');
}

const WIDTH = 80;
const COLUMN = 30;

/** The options as `--help` shows them. */
function optionHelp(options: readonly Option[]): string {
  const lines = options.map(({ flag, meaning, variable, repeatable, default: fallback }) => {
    const text = `${meaning}${repeatable ? '; repeatable' : ''}${fallback === undefined ? '' : ` (${fallback})`}`;
    const indent = ' '.repeat(COLUMN);
    const lead = `  ${flag}`.length < COLUMN ? `  ${flag}`.padEnd(COLUMN) : `  ${flag}\n${indent}`;
    if (variable === undefined) return wrapped(text, WIDTH, indent, lead);
    return `${lead}${variable}\n${wrapped(text, WIDTH, indent)}`;
  });
  return lines.join('\n');
}

/** The text of `--help`. */
export function helpOf({ usage, about, settings = [], options = [], more, exitCodes }: Command): string {
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const own = settings.filter((name) => wayOf(name).group === group && name !== 'baseUrl');
    return own.length === 0 ? '' : `${title}:\n${optionHelp(own.map(optionOf))}`;
  });
  const parts = [`Usage: ${NAME} ${usage} [options]`, about, ...groups, optionHelp(options), more];
  return [...parts, `Exit codes: ${exitCodes}\n`].filter(Boolean).join('\n\n');
}

function definitionsOf(options: readonly Option[]): OptionDefinitions {
  const definitions = options.map(({ flag, repeatable = false }) => {
    const [, short] = /, -(\w)/.exec(flag) ?? [];
    const type = short === undefined && /[ =]/.test(flag) ? ('string' as const) : ('boolean' as const);
    return [optionName(flag), { type, multiple: repeatable, ...(short !== undefined && { short }) }] as const;
  });
  return Object.fromEntries(definitions);
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError for an unknown option, a missing or superfluous value, and a key where a file with a key is expected
 */
export function parseCommand(command: Command, args: readonly string[]): ParsedArguments {
  const { settings = [], options = [], positionals: [least, most, missing] = [0, 0] } = command;
  for (const arg of args) {
    const [, name = ''] = /^--([\w-]+key)(?:=|$)/.exec(arg) ?? [];
    if (name !== '' && settings.some((each) => optionName(wayOf(each).flag) === `${name}-file`))
      throw new UsageError(
        `--${name}: others can see a key on the command line; set CONFORMANCE_${name.replace('-', '_').toUpperCase()}, or name a file with --${name}-file.`,
      );
  }
  const flags = settings.filter((name) => name !== 'baseUrl').map(optionOf);
  // Only this flag may come without its value.
  const given = args.map((arg) => (arg === '--explore' ? `--explore=${DEFAULT_SEQUENCES}` : arg));
  const parsed = parseArguments(given, definitionsOf([...flags, ...options]), most);
  if (parsed.positionals.length < least) throw new UsageError(missing);
  return parsed;
}

/** How this program was started, so that a line that begins with it can be pasted: installed, from a checkout, or by npx. */
export function programName({ npm_command: npm }: Environment): string {
  const script = process.argv[1] ?? '';
  if (basename(script) === 'main.js') return `node ${shellWord(relative(process.cwd(), script))}`;
  return basename(script) === NAME && npm === undefined && !script.includes('node_modules') ? NAME : `npx ${NAME}`;
}

/** ms. A signal that follows the first within this time is the same one: npx passes it on, and a closed terminal sends two. */
const SAME_SIGNAL = 1_000;

/**
 * Listens for SIGINT, SIGTERM and SIGHUP until the function that it returns is called. `first` ends the work and restores the
 * users; `again` leaves at once, which a closed terminal does not ask for.
 */
export function listenForInterruption(
  { onInterrupt }: Pick<CommandIo, 'onInterrupt'>,
  what: Readonly<Record<'first' | 'again', () => void>>,
): () => void {
  let interruptedAt: number | undefined;
  return onInterrupt((signal) => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      what.first();
    } else if (signal !== 'SIGHUP' && performance.now() - interruptedAt >= SAME_SIGNAL) what.again();
  });
}
