import { styleText } from 'node:util';
import type { Verdict } from '../result/verdict.ts';

type Style = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it as it is where there is no colour. */
export type Paint = (style: Style, text: string) => string;

/** How a text for a terminal is laid out. */
export interface PrettyOptions {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
}

/** Leaves texts without colours. */
export const plain: Paint = (_style, text) => text;
/** Gives texts their colours. */
export const coloured: Paint = (style, text) => styleText(style, text);

/** How each verdict stands out. */
export const VERDICT_STYLES: Readonly<Record<Verdict, Style>> = {
  passed: ['bgGreen', 'black', 'bold'],
  failed: ['bgRed', 'white', 'bold'],
  inconclusive: ['bgYellow', 'black', 'bold'],
  interrupted: ['bgYellow', 'black', 'bold'],
  error: ['bgMagenta', 'white', 'bold'],
};

interface Stream {
  readonly isTTY?: boolean;
}

/** Whether colour is wanted on a stream: on a terminal, unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR wins. */
export function paintFor(stream: Stream, environment: Readonly<Record<string, string | undefined>>): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR === '0' ? plain : coloured;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return plain;
  return stream.isTTY === true && TERM !== 'dumb' ? coloured : plain;
}

/**
 * Breaks a text into lines at blanks.
 *
 * @param indent put before every line; counts towards the width
 */
export function wrap(text: string, width: number, indent = '', firstIndent = indent): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const lead = lines.length === 0 ? firstIndent : indent;
    if (line !== '' && lead.length + line.length + 1 + word.length > width) {
      lines.push(lead + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push((lines.length === 0 ? firstIndent : indent) + line);
  return lines.join('\n');
}

function wrapLine(text: string, room: number): string[] {
  const pieces = (text.match(/[^,]*,?/g) ?? []).flatMap(
    (piece) => piece.match(new RegExp(`.{1,${room}}`, 'gsu')) ?? [],
  );
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + piece.length <= room) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  }
  return lines;
}

/** Breaks a JSON text (or any other without many blanks) into lines, behind commas where it can; its own lines stay. */
export function wrapJson(text: string, width: number, indent: string): string {
  const room = Math.max(20, width - indent.length);
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line) => (line === '' ? [''] : wrapLine(line, room)))
    .map((line) => indent + line)
    .join('\n');
}
