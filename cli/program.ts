import { UsageError } from '../common/process/args.ts';
import { hint } from '../common/nearest.ts';
import { InvalidSelection } from '../conformance/checks/selection.ts';
import { withoutCredentials } from '../conformance/inputs.ts';
import { EXIT_CODES } from '../conformance/result/result.ts';
import { tool } from '../conformance/tool.ts';
import { type Command, helpOf, parseCommand } from './command.ts';
import { type CommandIo, outputTo, type ProgramIo, type Redact } from './io.ts';

const USAGE_ERROR = 2;

/** The commands by name, in the order of the overview. Loaded on demand, so that `list` does not wait for the HTTP client. */
const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  run: () => import('./run.ts'),
  serve: () => import('./serve.ts'),
  list: () => import('./list.ts'),
  explain: () => import('./explain.ts'),
  restore: () => import('./restore.ts'),
  render: () => import('./render.ts'),
  compare: () => import('./compare.ts'),
  baseline: () => import('./baseline.ts'),
  init: () => import('./init.ts'),
};

/** What `help` prints. */
async function overview(): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = loaded.map(({ command: { usage, summary } }) => `  ${usage.padEnd(17)}${summary}`);
  return `Usage: admin-api-conformance COMMAND [options]

Judges whether an implementation of the administrative API keeps its contract.

${lines.join('\n')}

"help COMMAND" or "COMMAND --help" shows details. --version prints the version.

Start here:
  admin-api-conformance run --reference      an example; it needs no settings
  admin-api-conformance serve                a server to try "run" on; prints
                                             the settings to paste
`;
}

const HELP_FLAGS = ['--help', '-h'];

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => HELP_FLAGS.includes(arg));
}

async function dispatch([name, ...args]: readonly string[], io: CommandIo): Promise<number> {
  const [about] = args;
  if (name === 'help' && about !== undefined && !about.startsWith('-')) return dispatch([about, '--help'], io);
  if (name === undefined || name === 'help' || HELP_FLAGS.includes(name)) {
    (name === undefined ? io.err : io.out).write(await overview());
    return name === undefined ? USAGE_ERROR : 0;
  }
  if (name === '--version') {
    io.out.write(`${tool.version}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const isAddress = /^https?:/i.test(name);
    const meant = isAddress ? ' Write: run BASE_URL.' : hint(name, Object.keys(commands)) || ' See "help".';
    throw new UsageError(`${withoutCredentials(name)}: unknown command.${meant}`);
  }
  const { command } = await load();
  if (!asksForHelp(args)) return command.run(parseCommand(command, args), io);
  io.out.write(helpOf(command));
  return 0;
}

/** What to say of an error that is no error of the suite; undefined if it is one. */
function usageLines(error: unknown): readonly string[] | undefined {
  if (error instanceof UsageError) return error.told;
  if (error instanceof InvalidSelection) return [error.message];
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return ['the working directory is gone; change to one that exists.'];
  return code === 'EMFILE' || code === 'ENFILE' ? ['this machine lets it open no more files (ulimit -n).'] : undefined;
}

/**
 * Runs a command line: what follows the name of the program. It prints what is wrong with it, and never throws.
 *
 * @returns the exit code
 */
export async function runProgram(args: readonly string[], outside: ProgramIo): Promise<number> {
  const { environment } = outside;
  const doors: Redact[] = [];
  const redact: Redact = (text) => doors.reduce((rest, door) => door(rest), text);
  const io: CommandIo = {
    ...outside,
    out: outputTo(outside.out, environment, redact),
    err: outputTo(outside.err, environment, redact),
    protect: (door) => void doors.push(door),
  };
  try {
    return await dispatch(args, io);
  } catch (error) {
    const lines = usageLines(error);
    if (lines) {
      for (const line of lines) io.err.write(`admin-api-conformance: ${line}\n`);
      return USAGE_ERROR;
    }
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const isVerbose = args.some((arg) => arg === '--verbose' || arg === '-v');
    const [first = ''] = message.split('\n', 1);
    const advice = isVerbose ? `Please report it:\n${stack}` : 'Please report it, with what --verbose says.';
    io.err.write(`admin-api-conformance: error of the suite: ${first} ${advice}\n`);
    return EXIT_CODES.error;
  }
}
