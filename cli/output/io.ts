import type { Environment } from '../../common/process/args.ts';
import { documentWithoutCommands, withoutCommands } from '../../common/github.ts';
import { escapeInvisible } from '../../common/text.ts';
import { paintFor, type PrettyOptions } from '../../conformance/report/terminal/paint.ts';

/** Where a command writes: the only door. What a target sent may stand in any text, and no command needs to know. */
export interface Output {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** Writes text for people: nothing in it is a workflow command, moves the cursor, or hides or turns what follows. */
  readonly write: (text: string) => void;
  /** Writes a document, whose format escapes what it quotes: nothing in it is a workflow command, either. */
  readonly writeDocument: (text: string) => void;
  /** Writes a workflow command. */
  readonly writeCommand: (line: string) => void;
  /** Clears the line that the cursor is in. */
  readonly clearLine: () => void;
}

/** What `styleText` writes, but for what hides a text. */
const STYLE = new RegExp(String.raw`(\u001b\[(?!8m)\d{1,3}m)`);

function harmless(text: string, environment: Environment): string {
  const parts = text.split(STYLE).map((part) => (STYLE.test(part) ? part : escapeInvisible(part)));
  return withoutCommands(parts.join(''), environment);
}

/** The door to a stream. */
export function outputTo(stream: NodeJS.WriteStream, environment: Environment): Output {
  return {
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns as number | undefined;
    },
    write: (text) => void stream.write(harmless(text, environment)),
    writeDocument: (text) => void stream.write(documentWithoutCommands(text, environment)),
    writeCommand: (line) => void stream.write(`${line}\n`),
    clearLine: () => void stream.write('\r\u001b[2K'),
  };
}

/** What a command may touch of the outside: results go to `out`, talk to `err`. */
export interface CommandIo {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Environment;
  /** Calls back on SIGINT, SIGTERM and SIGHUP; returns a function that stops listening. */
  readonly onInterrupt: (callback: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** What the program may touch of the outside. */
export interface ProgramIo extends Omit<CommandIo, 'out' | 'err'> {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
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
export function layoutOf(stream: Partial<Output>, environment: Environment): PrettyOptions {
  return { paint: paintFor(stream, environment), width: columnsOf(stream) };
}

/** The columns of a stream: those of a terminal up to 100, else 80. */
export function columnsOf({ columns }: Partial<Output>): number {
  return columns === undefined || columns === 0 ? 80 : Math.min(columns, 100);
}
