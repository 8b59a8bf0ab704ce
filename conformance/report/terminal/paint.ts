import { stripVTControlCharacters, styleText } from 'node:util';

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

/** Whether colour is wanted on a stream: on a terminal, unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR wins. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR === '0' ? plain : coloured;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return plain;
  return stream.isTTY === true && TERM !== 'dumb' ? coloured : plain;
}

/** The columns that a text takes, whatever its style. */
function columnsOfText(text: string): number {
  return text.includes('\u001b') ? stripVTControlCharacters(text).length : text.length;
}

/**
 * Joins pieces into as few lines as they fit into, in their order.
 *
 * @param lead what the line with this index begins with
 */
export function filled(pieces: readonly string[], width: number, between: string, lead: (line: number) => string) {
  const lines: string[] = [];
  for (const piece of pieces) {
    const longer = `${lines.at(-1) ?? ''}${between}${piece}`;
    if (lines.length > 0 && columnsOfText(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(lead(lines.length) + piece);
  }
  return lines;
}

/**
 * Breaks a text into lines at blanks.
 *
 * @param indent put before every line; counts towards the width
 */
export function wrap(text: string, width: number, indent = '', firstIndent = indent): string {
  const words = text.split(/\s+/).filter((each) => each !== '');
  const lines = filled(words, width, ' ', (line) => (line === 0 ? firstIndent : indent));
  return lines.length === 0 ? firstIndent : lines.join('\n');
}

function wrapLine(text: string, room: number): string[] {
  const pieces = (text.match(/[^,]*,?/g) ?? []).flatMap(
    (piece) => piece.match(new RegExp(`.{1,${room}}`, 'gsu')) ?? [],
  );
  return filled(pieces, room, '', () => '');
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
