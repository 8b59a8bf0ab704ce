import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { type Output, outputTo, type Redact } from '../common/process/output.ts';
import { EXIT_CODES } from '../conformance/facts/result.ts';
import { makeWithholding } from '../conformance/http/record.ts';
import { variableOf, withoutCredentials } from '../conformance/inputs.ts';
import { tool } from '../conformance/tool.ts';
import { type Command, type CommandIo, helpOf, textsOf, USAGE_ERROR } from './command.ts';
import { valuesOf } from './option.ts';

/** The outside world of the program. */
export interface ProgramIo extends Omit<CommandIo, 'out' | 'err' | 'protect'> {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
}

type Load = () => Promise<{ readonly command: Command }>;

/** The commands with a line of the overview each, in its order. Loaded on demand: `list` does not wait for the HTTP client. */
const commands: Readonly<Record<string, readonly [summary: string, load: Load]>> = {
  run: ['judge a target; run --reference judges the embedded server', () => import('./run.ts')],
  serve: ['start the reference server, or one that proves the suite', () => import('./serve.ts')],
  list: ['list requirements and checks, or the servers of the proof', () => import('./list.ts')],
  explain: ['explain a check, a finding, a requirement, an open point, an area', () => import('./explain.ts')],
  restore: ['restore the users after a run that was killed', () => import('./restore.ts')],
  render: ['write a report from the results of earlier runs', () => import('./render.ts')],
  compare: ['show what is new, fixed or still there in a later result', () => import('./compare.ts')],
  baseline: ['write the known failures of a result to a file', () => import('./baseline.ts')],
  init: ['write a commented configuration file', () => import('./init.ts')],
};

const OVERVIEW = `Usage: admin-api-conformance COMMAND [options]

Judges whether an implementation of the administrative API keeps its contract.

${Object.entries(commands)
  .map(([name, [summary]]) => `  ${name.padEnd(10)}${summary}\n`)
  .join('')}
"help COMMAND" or "COMMAND --help" shows details. --version prints the version.

Start here:
  admin-api-conformance run --reference      an example; it needs no settings
  admin-api-conformance serve                a server to try "run" on; prints
                                             the settings to paste
`;

const HELP_FLAGS = ['--help', '-h'];

/** Writes a text. @returns the exit code */
function said(text: string, { write }: Output, code = 0): number {
  write(text);
  return code;
}

/** @throws UsageError that says what was meant, if there is no such command */
function loadCommand(name: string): ReturnType<Load> {
  const [, load] = (Object.hasOwn(commands, name) ? commands[name] : undefined) ?? [];
  if (load) return load();
  const isAddress = /^https?:/i.test(name);
  const meant = isAddress ? ' Write: run BASE_URL.' : hint(name, Object.keys(commands)) || ' See "help".';
  throw new UsageError(`${withoutCredentials(name)}: unknown command.${meant}`);
}

/** @param help where help goes: it quotes nothing, so it shows no key, even if a key is one of its words */
async function dispatch([name = '', ...args]: readonly string[], io: CommandIo, help: Output): Promise<number> {
  const [about = '-'] = args;
  if (name === 'help' && !about.startsWith('-')) return dispatch([about, '--help'], io, help);
  if (name === '') return said(OVERVIEW, io.err, USAGE_ERROR);
  if (name === 'help' || HELP_FLAGS.includes(name)) return said(OVERVIEW, help);
  if (name === '--version') return said(`${tool.version}\n`, help);
  const { command } = await loadCommand(name);
  if (args.some((arg) => HELP_FLAGS.includes(arg))) return said(helpOf(name, command), help);
  const texts = textsOf(name, command, args);
  return command.run(valuesOf(command.options, texts), io, texts);
}

/** Characters. A shorter key may be an ordinary word; what the target sent was redacted before. */
const SHORTEST_PROTECTED = 8;

/** Withholds keys from whatever is printed, each from the moment it is known. */
function makeProtection(): Pick<CommandIo, 'protect'> & { readonly redact: Redact } {
  const known = new Set<string>();
  let withhold: Redact = (text) => text;
  return {
    protect: (...keys) => {
      for (const key of keys) if (key !== undefined && key.length >= SHORTEST_PROTECTED) known.add(key);
      withhold = makeWithholding([...known]);
    },
    redact: (text) => withhold(text),
  };
}

/** That the machine allows too few open files, if that is the error: the suite reads its parts as it needs them. */
function fewFilesIn(error: unknown): string[] | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isIt = code === 'EMFILE' || code === 'ENFILE';
  return isIt ? [`this machine allows too few open files (${code}): raise the limit on them.`] : undefined;
}

/**
 * Runs a command line: what follows the name of the program. It prints what is wrong with it, and never throws.
 *
 * @returns the exit code
 */
export async function runProgram(args: readonly string[], outside: ProgramIo): Promise<number> {
  const { environment } = outside;
  const { protect, redact } = makeProtection();
  protect(environment[variableOf('adminKey')], environment[variableOf('restrictedKey')]);
  const out = outputTo(outside.out, environment, redact);
  const err = outputTo(outside.err, environment, redact);
  try {
    const help = outputTo(outside.out, environment, (text) => text);
    return await dispatch(args, { ...outside, out, err, protect }, help);
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const fewFiles = fewFilesIn(error);
    const lines = fewFiles ?? message.split('\n');
    if (error instanceof UsageError || fewFiles) {
      for (const line of lines) err.write(`admin-api-conformance: ${line}\n`);
      return USAGE_ERROR;
    }
    const isVerbose = args.some((arg) => arg === '--verbose' || arg === '-v');
    const advice = isVerbose ? `please report it:\n${stack}` : 'please report it, with what --verbose says.';
    err.write(`admin-api-conformance: error of the suite (${lines[0] ?? ''}); ${advice}\n`);
    return EXIT_CODES.error;
  }
}
