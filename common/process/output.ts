import { withoutCommands } from '../github.ts';
import { escapeInvisible } from '../text.ts';
import type { Environment } from './args.ts';

/** Where a command writes: the only door. Any text may quote a target, and no command needs to take care of that. */
export interface Output {
  /** Whether it is a terminal whose cursor can be moved. */
  readonly canMove: boolean;
  /** Columns: those of a terminal up to 100, else 80. */
  readonly width: number;
  /** Whether colour is wanted: on a terminal, unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR wins. */
  readonly color: boolean;
  /** Writes a text: nothing in it is a key, a workflow command or a control character. */
  readonly write: (text: string) => void;
  /** The same for a text whose styles are those of the suite: what it quotes has none. */
  readonly writeStyled: (text: string) => void;
  /** Writes a workflow command. */
  readonly writeCommand: (line: string) => void;
  /** Clears the line that the cursor is in. */
  readonly clearLine: () => void;
}

/** Takes keys out of a text. */
export type Redact = (text: string) => string;

/** The codes that style a text, except those that hide it. */
const STYLE = new RegExp(String.raw`(\u001b\[(?!8m)\d{1,3}m)`);

function withoutControls(text: string): string {
  return text
    .split(STYLE)
    .map((part) => (STYLE.test(part) ? part : escapeInvisible(part)))
    .join('');
}

/** The door to a stream. */
export function outputTo(stream: NodeJS.WriteStream, environment: Environment, redact: Redact): Output {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = environment;
  // Line by line: one line with a key does not hide the others.
  const safe = (text: string): string => text.split('\n').map(redact).join('\n');
  // A stream that is no terminal has no such members.
  const { isTTY = false, columns = 0 } = stream as Partial<NodeJS.WriteStream>;
  const canMove = isTTY && TERM !== 'dumb';
  return {
    canMove,
    width: columns === 0 ? 80 : Math.min(columns, 100),
    color: FORCE_COLOR === '' ? NO_COLOR === '' && canMove : FORCE_COLOR !== '0',
    write: (text) => void stream.write(withoutCommands(escapeInvisible(safe(text)), environment)),
    writeStyled: (text) => void stream.write(withoutCommands(withoutControls(safe(text)), environment)),
    writeCommand: (line) => void stream.write(`${redact(line)}\n`),
    clearLine: () => void stream.write('\r\u001b[2K'),
  };
}
