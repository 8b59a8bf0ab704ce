import type { Environment } from '../input/target-options.ts';

/** What a command may touch of the outside: results go to `out`, talk to `err`. */
export interface CommandIo {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly environment: Environment;
  /** Calls back on SIGINT and SIGTERM; gives a function that stops listening. */
  readonly onInterrupt: (callback: () => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** Runs with the arguments after its name; gives the exit code. */
export type Command = (args: readonly string[], io: CommandIo) => Promise<number>;

/** The columns of a stream: those of a terminal up to 100, else 80. */
export function columnsOf({ columns }: { readonly columns?: number }): number {
  return columns === undefined || columns === 0 ? 80 : Math.min(columns, 100);
}
