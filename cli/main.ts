#!/usr/bin/env node
import type { Command, CommandIo } from './output/io.ts';
import { UsageError } from '../common/args.ts';
import { hint } from '../common/nearest.ts';
import { EXIT_CODES, USAGE_ERROR } from '../conformance/result/verdict.ts';

const HELP = `Usage: admin-api-conformance COMMAND [options]

Judges whether an implementation of the administrative API keeps its contract.

  run [BASE_URL]     judge a target; run --reference judges the embedded server
  plan [BASE_URL]    show every request of a run, without sending any
  serve              start the reference server, or one that proves the suite
  list               the requirements, and the checks that judge them;
                     --defects, --variants: the servers that prove the suite
  explain ID         all about one requirement, check, open point, defect or
                     variant
  restore JOURNAL    put the users back after a run that was killed
  render RESULT      a report from the result of an earlier run
  compare OLD NEW    what got worse and what got better between two results
  observations FILE… what several targets do where the contract is silent
  init               write a commented configuration file
  baseline write     write down the checks that are known not to pass
  schema             the JSON Schema of the result; schema config: of the
                     configuration file

"help COMMAND" or "COMMAND --help" tells more. --version prints the version.

Start here:
  admin-api-conformance run --reference      a run to look at; it needs nothing
  admin-api-conformance serve                a server to try "run" on, with the
                                             settings to paste
`;

/** Loaded on demand, so that `list` and `--help` do not wait for the HTTP client. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).run,
  plan: async () => (await import('./plan.ts')).plan,
  serve: async () => (await import('./serve.ts')).serve,
  list: async () => (await import('./catalogue.ts')).list,
  explain: async () => (await import('./catalogue.ts')).explain,
  restore: async () => (await import('./restore.ts')).restore,
  init: async () => (await import('./init.ts')).init,
  baseline: async () => (await import('./baseline.ts')).baseline,
  render: async () => (await import('./render.ts')).render,
  compare: async () => (await import('./compare.ts')).compare,
  observations: async () => (await import('./observations.ts')).observations,
  schema: async () => (await import('./schema.ts')).schema,
};

const io: CommandIo = {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  onInterrupt: (callback) => {
    process.on('SIGINT', callback);
    process.on('SIGTERM', callback);
    return () => {
      process.off('SIGINT', callback);
      process.off('SIGTERM', callback);
    };
  },
  exit: (code) => process.exit(code),
};

async function main([name, ...args]: readonly string[]): Promise<number> {
  const [about] = args;
  if (name === 'help' && about !== undefined && !about.startsWith('-')) return main([about, '--help']);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.err : io.out).write(HELP);
    return name === undefined ? USAGE_ERROR : 0;
  }
  if (name === '--version') {
    const { tool } = await import('../conformance/run/tool.ts');
    io.out.write(`${tool.version}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load)
    throw new UsageError(
      `${name}: there is no such command.${hint(name, Object.keys(commands)) || ' "help" lists them.'}`,
    );
  return (await load())(args, io);
}

// A reader that goes away early (a pager, head) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  io.err.write(`admin-api-conformance: the result could not be written: ${error.message}\n`);
  process.exit(USAGE_ERROR);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    for (const line of error.lines) io.err.write(`admin-api-conformance: ${line}\n`);
    process.exitCode = USAGE_ERROR;
  } else {
    io.err.write(
      `admin-api-conformance: a fault of the suite itself, please report it:\n${(error as Error).stack ?? String(error)}\n`,
    );
    process.exitCode = EXIT_CODES['error'];
  }
}
