import type { Environment } from '../../common/args.ts';
import { paintFor, type PrettyOptions } from '../../conformance/report/paint.ts';

/** What a command may touch of the outside: results go to `out`, talk to `err`. */
export interface CommandIo {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly environment: Environment;
  /** Calls back on SIGINT, SIGTERM and SIGHUP; returns a function that stops listening. */
  readonly onInterrupt: (callback: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** A command of the tool. */
export interface Command {
  /** Its name and arguments, as the overview shows them. */
  readonly usage: string;
  /** One line of the overview. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly help: string;
  /** Runs with the arguments after the name; returns the exit code. */
  readonly run: (args: readonly string[], io: CommandIo) => number | Promise<number>;
}

/** How a text for a stream is laid out. */
export function layoutOf(stream: Partial<NodeJS.WriteStream>, environment: Environment): PrettyOptions {
  return { paint: paintFor(stream, environment), width: columnsOf(stream) };
}

/** The columns of a stream: those of a terminal up to 100, else 80. */
export function columnsOf({ columns }: { readonly columns?: number }): number {
  return columns === undefined || columns === 0 ? 80 : Math.min(columns, 100);
}
