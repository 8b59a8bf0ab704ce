#!/usr/bin/env node
import { USAGE_ERROR } from './command.ts';
import { type ProgramIo, runProgram } from './program.ts';

/** SIGHUP comes when the terminal is closed. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const io: ProgramIo = {
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

// A reader that goes away early (a pager, head, a closed terminal) is no error: the users must be restored all the same.
const GONE = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
  if (GONE.includes(code) || process.exitCode === USAGE_ERROR) return;
  io.err.write(`admin-api-conformance: cannot write the result: ${message}\n`);
  process.exitCode = USAGE_ERROR;
});

const code = await runProgram(process.argv.slice(2), io);
process.exitCode ??= code;
