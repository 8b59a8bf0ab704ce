import { basename, relative } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import {
  type Environment,
  oneOf,
  type OptionDefinitions,
  parseArguments,
  type ParsedArguments,
  UsageError,
} from '../common/process/args.ts';
import { shellWord } from '../conformance/http/curl.ts';
import type { CommandIo } from './io.ts';
import { GROUPS, optionName, type SettingName, descriptionOf, wayOf } from './settings.ts';

const NAME = 'admin-api-conformance';

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
  /** Its name and arguments, as the overview shows them. */
  readonly usage: string;
  /** One line of the overview. */
  readonly summary: string;
  /** How it is called, where `usage` does not say all. */
  readonly calls?: readonly string[];
  readonly about: string;
  /** The settings that it takes, as flags, from the environment and from the configuration file. */
  readonly settings?: readonly SettingName[];
  readonly options?: readonly Option[];
  /** What else the help says before the examples. */
  readonly more?: string;
  readonly examples?: readonly string[];
  readonly exitCodes: string;
  /** How many arguments without a dash it takes. */
  readonly positionals?: readonly [least: number, most: number];
  /** What is said where there are fewer. */
  readonly missing?: string;
  /** Runs, and returns the exit code. */
  readonly run: (parsed: ParsedArguments, io: CommandIo) => number | Promise<number>;
}

/** The flags of settings, as options; what has no dashes is an argument. */
function optionsOf(names: readonly SettingName[]): (Option & { readonly group: string })[] {
  return names.map((name) => ({ ...wayOf(name), meaning: descriptionOf(name) }));
}

/** A text in lines of a width, each behind an indent. */
export function wrapped(text: string, width: number, indent = '', firstIndent = indent): string {
  const lines = wrapAnsi(text, Math.max(width - indent.length, 20)).split('\n');
  return lines.map((line, index) => (index === 0 ? firstIndent : indent) + line).join('\n');
}

const WIDTH = 80;

/** The options as `--help` shows them, beside the longest of them. */
function optionHelp(options: readonly Option[], column?: number): string {
  const at = column ?? Math.max(...options.map(({ flag }) => flag.length + 4));
  return options
    .map(({ flag, meaning, variable, repeatable, default: fallback }) => {
      const text = `${meaning}${repeatable ? '; repeatable' : ''}${fallback === undefined ? '' : ` (${fallback})`}`;
      const lead = `  ${flag}`.padEnd(at);
      const indent = ' '.repeat(at);
      return variable === undefined
        ? wrapped(text, WIDTH, indent, lead)
        : `${lead}${variable}\n${wrapped(text, WIDTH, indent)}`;
    })
    .join('\n');
}

/** The settings of a command by group. */
function settingsHelp(names: readonly SettingName[]): string {
  const options = optionsOf(names).filter(({ flag }) => flag.startsWith('--'));
  return Object.entries(GROUPS)
    .map(([group, title]) => ({ title, own: options.filter((option) => option.group === group) }))
    .filter(({ own }) => own.length > 0)
    .map(({ title, own }) => `${title}:\n${optionHelp(own, 30)}`)
    .join('\n\n');
}

/** What `--help` prints. */
export function helpOf(command: Command): string {
  const { usage, calls = [usage], about, settings = [], options = [], more, examples = [], exitCodes } = command;
  const shown = examples.map((words) => `  ${NAME} ${words}`).join('\n');
  const parts = [
    `Usage: ${calls.map((call) => `${NAME} ${call}`).join('\n       ')}`,
    about,
    settingsHelp(settings),
    options.length > 0 ? optionHelp(options) : undefined,
    more,
    shown && `Example${examples.length === 1 ? '' : 's'}:\n${shown}`,
    `Exit codes: ${exitCodes}\n`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

function definitionsOf(options: readonly Option[]): OptionDefinitions {
  const flags = options.filter(({ flag }) => flag.startsWith('--'));
  return Object.fromEntries(
    flags.map(({ flag, repeatable = false }) => {
      const [, short] = /, -(\w)/.exec(flag) ?? [];
      const type = short === undefined && /[ =]/.test(flag) ? ('string' as const) : ('boolean' as const);
      return [optionName(flag), { type, multiple: repeatable, ...(short !== undefined && { short }) }];
    }),
  );
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError for an unknown option, a missing or superfluous value, and a key where a file with a key is expected
 */
export function parseCommand(command: Command, args: readonly string[]): ParsedArguments {
  const { settings = [], options = [], positionals: [least, most] = [0, 0], missing } = command;
  const all = [...optionsOf(settings), ...options];
  for (const arg of args) {
    const [, name = ''] = /^--([^=]+)/.exec(arg) ?? [];
    const { variable } = all.find(({ flag }) => optionName(flag) === `${name}-file`) ?? {};
    if (variable === undefined) continue;
    throw new UsageError(
      `--${name}: others can see a key on the command line; set ${variable} or name a file with --${name}-file.`,
    );
  }
  const parsed = parseArguments(args, definitionsOf(all), most);
  if (parsed.positionals.length < least) throw new UsageError(missing);
  return parsed;
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

/** How this program was started, so that a line that begins with it can be pasted: installed, from a checkout, or by npx. */
export function programName({ npm_command: npm }: Environment): string {
  const script = process.argv[1] ?? '';
  if (basename(script) === 'main.js') return `node ${shellWord(relative(process.cwd(), script))}`;
  return basename(script) === NAME && npm === undefined && !script.includes('node_modules') ? NAME : `npx ${NAME}`;
}
