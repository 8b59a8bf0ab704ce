import { basename, relative } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import { z } from 'zod';
import { type Environment, parseArguments, UsageError } from '../common/process/args.ts';
import type { Output } from '../common/process/output.ts';
import { present } from '../common/text.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { flagOf, isFlag, type Option, type Options, type Texts, type ValuesOf } from './option.ts';

const NAME = 'admin-api-conformance';

/** The exit code for what the operator has to change. */
export const USAGE_ERROR = 2;

/** What a command may touch of the outside: results go to `out`, talk to `err`. */
export interface CommandIo {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Environment;
  /** From now on, whatever is printed withholds these keys, too. */
  readonly protect: (...keys: readonly (string | undefined)[]) => void;
  /** Calls back on SIGINT, SIGTERM and SIGHUP; returns a function that stops listening. */
  readonly onInterrupt: (callback: (signal: NodeJS.Signals) => void) => () => void;
  readonly exit: (code: number) => void;
}

/** A command as a table: its help is made of it, and its arguments are read by it. */
export interface Command<O extends Options = Options> {
  readonly about: string;
  /** Its flags, and its arguments in their order. */
  readonly options: O;
  /** The flags below their headings, if there are many. */
  readonly groups?: Readonly<Record<string, Options>>;
  /** What else the help says. */
  readonly more?: string;
  readonly exitCodes: string;
  /** Runs, and returns the exit code. */
  run(values: ValuesOf<O>, io: CommandIo, texts: Texts): number | Promise<number>;
}

/** A text in lines of a width, each indented. */
export function wrapped(text: string, width: number, indent = '', firstIndent = indent): string {
  const lines = wrapAnsi(text, Math.max(width - indent.length, 20)).split('\n');
  return lines.map((line, index) => (index === 0 ? firstIndent : indent) + line).join('\n');
}

const WIDTH = 80;
const COLUMN = 30;

function optionHelp({ flag, about, variable, repeatable, default: fallback }: Option): string {
  const text = `${about}${repeatable ? '; repeatable' : ''}${fallback === undefined ? '' : ` (${fallback})`}`;
  const indent = ' '.repeat(COLUMN);
  const lead = `  ${flag}`.length < COLUMN ? `  ${flag}`.padEnd(COLUMN) : `  ${flag}\n${indent}`;
  if (variable === undefined) return wrapped(text, WIDTH, indent, lead);
  return `${lead}${variable}\n${wrapped(text, WIDTH, indent)}`;
}

/** The text of `--help`. */
export function helpOf(name: string, { about, options, groups = { '': options }, more, exitCodes }: Command): string {
  const all = Object.values(options);
  const wanted = all.filter((each) => !isFlag(each)).map(({ flag, isNeeded }) => (isNeeded ? flag : `[${flag}]`));
  const flags = Object.entries(groups).map(([heading, own]) => {
    const lines = Object.values(own).filter(isFlag).map(optionHelp);
    return present([heading && `${heading}:`, ...lines]).join('\n');
  });
  const usage = present([NAME, name, ...wanted, all.some(isFlag) && '[options]']).join(' ');
  return present([`Usage: ${usage}`, about, ...flags, more, `Exit codes: ${exitCodes}\n`]).join('\n\n');
}

/** The name of a flag without its dashes. */
const nameOf = (option: Option): string => flagOf(option).replace('--', '');

/** What somebody might write for an argument: `--base-url` for BASE_URL. */
const flagOfArgument = (option: Option): string => `--${flagOf(option).toLowerCase().replaceAll('_', '-')}`;

/**
 * Reads the command line of a command.
 *
 * @throws UsageError for an unknown option, or a missing or superfluous value or argument
 */
export function textsOf(name: string, { options }: Command, args: readonly string[]): Texts {
  const all = Object.entries(options);
  const [flags, wanted] = [all.filter(([, each]) => isFlag(each)), all.filter(([, each]) => !isFlag(each))];
  const definitions = flags.map(([, each]) => {
    const [, short] = /, -(\w)/.exec(each.flag) ?? [];
    const type = each.schema instanceof z.ZodBoolean ? ('boolean' as const) : ('string' as const);
    const multiple = each.repeatable ?? false;
    return [nameOf(each), { type, multiple, ...(short !== undefined && { short }) }] as const;
  });
  const asFlag = wanted.find(([, each]) => args.some((arg) => arg.split('=')[0] === flagOfArgument(each)))?.[1];
  if (asFlag) throw new UsageError(`${flagOfArgument(asFlag)}: write it without the flag: ${name} ${flagOf(asFlag)}.`);
  const most = wanted.some(([, { repeatable }]) => repeatable) ? Infinity : wanted.length;
  const { values, positionals } = parseArguments(args, Object.fromEntries(definitions), most);
  const missing = wanted.find(([, { isNeeded }], index) => isNeeded && positionals[index] === undefined)?.[1];
  if (missing) throw new UsageError(`${name}: give ${flagOf(missing)}, ${missing.about}.`);
  const own = wanted.map(([key, { repeatable }], index) => {
    return [key, repeatable ? positionals.slice(index) : positionals[index]] as const;
  });
  return Object.fromEntries([...flags.map(([key, each]) => [key, values[nameOf(each)]] as const), ...own]);
}

/** How this program was started, so that a line that begins with it can be pasted: installed, from a checkout, or by npx. */
export function programName({ npm_command: npm }: Environment): string {
  const script = process.argv[1] ?? '';
  if (basename(script) === 'main.js') return `node ${shellWord(relative(process.cwd(), script))}`;
  return basename(script) === NAME && npm === undefined && !script.includes('node_modules') ? NAME : `npx ${NAME}`;
}
