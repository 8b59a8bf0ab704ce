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

interface Level {
  readonly pointer: string;
  /** The index of the element that is next; undefined in an object. */
  index: number | undefined;
}

/**
 * Indents a JSON text without reading its values, so that numbers, escapes and repeated members stay as they were sent.
 *
 * @returns undefined if the text is not JSON, or nested too deep for a person to read
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  if (parsedJson(text) === undefined) return undefined;
  const lines: JsonLine[] = [];
  const levels: Level[] = [];
  let line = '';
  let pointer = '';
  const flush = (): void => {
    lines.push({ text: '  '.repeat(levels.length) + line, pointer });
    line = '';
  };
  for (const token of text.match(TOKEN) ?? []) {
    const level = levels.at(-1);
    if (token === '}' || token === ']') {
      flush();
      levels.pop();
      pointer = level?.pointer ?? '';
      line = token;
    } else if (token === ',') {
      line += token;
      flush();
      if (level?.index !== undefined) level.index += 1;
    } else if (token === ':') {
      line += ': ';
    } else {
      if (level?.index !== undefined) pointer = below(level.pointer, level.index);
      else if (level && line === '') pointer = below(level.pointer, JSON.parse(token) as string);
      line += token;
      if (token === '{' || token === '[') {
        flush();
        levels.push({ pointer, index: token === '[' ? 0 : undefined });
        if (levels.length > DEEPEST) return undefined;
      }
    }
  }
  flush();
  return lines;
}
