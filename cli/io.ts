import { type Environment } from '../common/process/args.ts';
import { documentWithoutCommands, withoutCommands } from '../common/github.ts';
import { escapeInvisible } from '../common/text.ts';

/** Where a command writes: the only door. What a target sent may stand in any text, and no command needs to know. */
export interface Output {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** Writes text for people: nothing in it is a key or a workflow command, moves the cursor, or hides or turns what follows. */
  readonly write: (text: string) => void;
  /** Writes a document, whose format escapes what it quotes: nothing in it is a key or a workflow command, either. */
  readonly writeDocument: (text: string) => void;
  /** Writes a workflow command. */
  readonly writeCommand: (line: string) => void;
  /** Clears the line that the cursor is in. */
  readonly clearLine: () => void;
}

/** Takes the keys out of a text. */
export type Redact = (text: string) => string;

/** What gives a text a style, but for what hides it. */
const STYLE = new RegExp(String.raw`(\u001b\[(?!8m)\d{1,3}m)`);

function withoutControls(text: string): string {
  return text
    .split(STYLE)
    .map((part) => (STYLE.test(part) ? part : escapeInvisible(part)))
    .join('');
}

/** The door to a stream. */
export function outputTo(stream: NodeJS.WriteStream, environment: Environment, redact: Redact): Output {
  // Line by line: one line with a key does not hide the others.
  const safe = (text: string): string => text.split('\n').map(redact).join('\n');
  return {
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns as number | undefined;
    },
    write: (text) => void stream.write(withoutCommands(withoutControls(safe(text)), environment)),
    writeDocument: (text) => void stream.write(documentWithoutCommands(safe(text), environment)),
    writeCommand: (line) => void stream.write(`${redact(line)}\n`),
    clearLine: () => void stream.write('\r\u001b[2K'),
  };
}

/** What a command may touch of the outside: results go to `out`, talk to `err`. */
export interface CommandIo {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Environment;
  /** From now on, nothing that is printed has these keys, which a run sends. */
  readonly protect: (redact: Redact) => void;
  /** Calls back on SIGINT, SIGTERM and SIGHUP; returns a function that stops listening. */
  readonly onInterrupt: (callback: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** What the program may touch of the outside. */
export interface ProgramIo extends Omit<CommandIo, 'out' | 'err' | 'protect'> {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
}

/** The columns of a stream: those of a terminal up to 100, else 80. */
export function columnsOf({ columns }: Pick<Output, 'columns'>): number {
  return columns === undefined || columns === 0 ? 80 : Math.min(columns, 100);
}

/** ms. A signal that follows the first within this time is the same one: npx passes it on, and a closed terminal sends two. */
const SAME_SIGNAL = 1_000;

/**
 * Listens for SIGINT, SIGTERM and SIGHUP until the function that it returns is called. `first` ends the work and restores the
 * users; `again` leaves at once, which a closed terminal does not ask for.
 */
export function listenForInterruption(
  { onInterrupt }: Pick<CommandIo, 'onInterrupt'>,
  what: Readonly<Record<'first' | 'again', () => void>>,
): () => void {
  let interruptedAt: number | undefined;
  return onInterrupt((signal) => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      what.first();
    } else if (signal !== 'SIGHUP' && performance.now() - interruptedAt >= SAME_SIGNAL) what.again();
  });
}
