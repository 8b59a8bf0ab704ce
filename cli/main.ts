#!/usr/bin/env node
import { outliveReaders } from '../common/process/readers.ts';
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

// The users must be restored, whoever reads.
outliveReaders('admin-api-conformance');

const code = await runProgram(process.argv.slice(2), io);
process.exitCode ??= code;
