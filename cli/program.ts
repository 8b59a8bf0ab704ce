import { UsageError } from '../common/process/args.ts';
import { hint } from '../common/nearest.ts';
import { EXIT_CODES, USAGE_ERROR } from '../conformance/result/verdict.ts';
import { withoutCredentials } from '../conformance/resources/inputs.ts';
import { commands, hiddenCommands, overview } from './commands.ts';
import { type CommandIo, outputTo, type ProgramIo } from './output/io.ts';

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
    const { tool } = await import('../conformance/run/tool.ts');
    io.out.write(`${tool.version}\n`);
    return 0;
  }
  const known = { ...hiddenCommands, ...commands };
  const load = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!load) {
    const isAddress = /^https?:/i.test(name);
    const meant = isAddress ? ' Write: run BASE_URL.' : hint(name, Object.keys(commands)) || ' See "help".';
    throw new UsageError(`${withoutCredentials(name)}: unknown command.${meant}`);
  }
  const { command } = await load();
  if (!asksForHelp(args)) return command.run(args, io);
  io.out.write(command.help);
  return 0;
}

/** What the machine does not let the program do, in words; undefined if an error has another reason. */
function limitOfMachine({ code, syscall }: NodeJS.ErrnoException): string | undefined {
  if (syscall === 'uv_cwd') return 'the working directory is gone; change to one that exists.';
  return code === 'EMFILE' || code === 'ENFILE' ? 'this machine lets it open no more files (ulimit -n).' : undefined;
}

/**
 * Runs a command line: what follows the name of the program. It prints what is wrong with it, and never throws.
 *
 * @returns the exit code
 */
export async function runProgram(args: readonly string[], outside: ProgramIo): Promise<number> {
  const { environment } = outside;
  const io = { ...outside, out: outputTo(outside.out, environment), err: outputTo(outside.err, environment) };
  try {
    return await dispatch(args, io);
  } catch (error) {
    const limit = limitOfMachine(error as NodeJS.ErrnoException);
    const lines = error instanceof UsageError ? error.told : limit && [limit];
    if (lines) {
      for (const line of lines) io.err.write(`admin-api-conformance: ${line}\n`);
      return USAGE_ERROR;
    }
    const text = (error as Error).stack ?? String(error);
    io.err.write(`admin-api-conformance: an error of the suite itself; please report it:\n${text}\n`);
    return EXIT_CODES.error;
  }
}
