#!/usr/bin/env node
import { commands, hiddenCommands, overview } from './commands.ts';
import type { CommandIo } from './output/io.ts';
import { UsageError } from '../common/args.ts';
import { hint } from '../common/nearest.ts';
import { EXIT_CODES, USAGE_ERROR } from '../conformance/result/verdict.ts';
import { withoutCredentials } from '../conformance/target/inputs.ts';

/** SIGHUP comes when the terminal is closed. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const io: CommandIo = {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  onInterrupt: (callback) => {
    for (const signal of INTERRUPTIONS) process.on(signal, callback);
    return () => {
      for (const signal of INTERRUPTIONS) process.off(signal, callback);
    };
  },
  exit: (code) => process.exit(code),
};

const HELP_FLAGS = ['--help', '-h'];

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => HELP_FLAGS.includes(arg));
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  const [about] = args;
  if (name === 'help' && about !== undefined && !about.startsWith('-')) return main([about, '--help']);
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

// A reader that goes away early (a pager, head, a closed terminal) is not an error, and nothing may keep the users from being restored.
const GONE = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
  if (GONE.includes(code) || process.exitCode === USAGE_ERROR) return;
  io.err.write(`admin-api-conformance: cannot write the result: ${message}\n`);
  process.exitCode = USAGE_ERROR;
});

try {
  const code = await main(process.argv.slice(2));
  process.exitCode ??= code;
} catch (error) {
  if (error instanceof UsageError) {
    for (const line of error.lines) io.err.write(`admin-api-conformance: ${line}\n`);
    process.exitCode = USAGE_ERROR;
  } else {
    io.err.write(
      `admin-api-conformance: an error of the suite itself; please report it:\n${(error as Error).stack ?? String(error)}\n`,
    );
    process.exitCode = EXIT_CODES.error;
  }
}
