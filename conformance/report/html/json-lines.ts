import { below, isJson } from '../../../common/json.ts';

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
  if (!isJson(text)) return undefined;
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

/** The lines of a JSON value, each with whether the other value lacks it: a line with this text about the same member. */
export function linesBeside(value: unknown, other: unknown): { readonly text: string; readonly differs: boolean }[] {
  const linesOf = (each: unknown): JsonLine[] => {
    const text = JSON.stringify(each ?? null);
    return jsonLines(text) ?? [{ text, pointer: '' }];
  };
  const keyOf = ({ text, pointer }: JsonLine): string => `${pointer} ${text.replace(/,$/, '')}`;
  const others = new Set(linesOf(other).map(keyOf));
  return linesOf(value).map((line) => ({ text: line.text, differs: !others.has(keyOf(line)) }));
}

/** Two texts cut where they differ: what both begin with, what each has of its own, what both end with. */
export interface TextDifference {
  readonly start: string;
  readonly expected: string;
  readonly actual: string;
  readonly end: string;
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((char, at) => char !== right[at]);
  return index === -1 ? left.length : index;
}

/** Where two texts differ, cut between whole characters. */
export function textDifference(expected: string, actual: string): TextDifference {
  const left = Array.from(expected);
  const right = Array.from(actual);
  const start = commonStart(left, right);
  const end = commonStart(left.slice(start).reverse(), right.slice(start).reverse());
  return {
    start: left.slice(0, start).join(''),
    expected: left.slice(start, left.length - end).join(''),
    actual: right.slice(start, right.length - end).join(''),
    end: end === 0 ? '' : left.slice(-end).join(''),
  };
}
