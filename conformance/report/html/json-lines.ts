import { below, parsedJson } from '../../../common/json.ts';

/** One line of an indented JSON text. */
export interface JsonLine {
  readonly text: string;
  /** JSON pointer of the value that stands, begins or ends in this line. */
  readonly pointer: string;
}

/** Empty objects and arrays are one token: they stay in one line. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[[\]{}:,]|[^\s"[\]{}:,]+/gs;
const DEEPEST = 40;

/**
 * Indents a JSON text without reading its values, so that numbers, escapes and repeated members stay as they were sent.
 *
 * @returns undefined if the text is not JSON, or nested too deep for a person to read
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const tokens = text.match(TOKEN) ?? [];
  const lines: JsonLine[] = [];
  let at = 0;
  const writeLine = (line: string, pointer: string, depth: number): void => {
    const comma = tokens[at] === ',' ? ',' : '';
    at += comma.length;
    lines.push({ text: '  '.repeat(depth) + line + comma, pointer });
  };
  /** Writes the next value behind what stands before it in its line; says whether it is not too deep. */
  const write = (lead: string, pointer: string, depth: number): boolean => {
    const start = tokens[at++] ?? '';
    writeLine(lead + start, pointer, depth);
    if (start !== '{' && start !== '[') return true;
    if (depth === DEEPEST) return false;
    for (let index = 0; tokens[at] !== '}' && tokens[at] !== ']'; index += 1) {
      const name = start === '{' ? tokens[at] : undefined;
      if (name !== undefined) at += 2;
      const step = name === undefined ? index : (JSON.parse(name) as string);
      if (!write(name === undefined ? '' : `${name}: `, below(pointer, step), depth + 1)) return false;
    }
    writeLine(tokens[at++] ?? '', pointer, depth);
    return true;
  };
  return write('', '', 0) ? lines : undefined;
}
