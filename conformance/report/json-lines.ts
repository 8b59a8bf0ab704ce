import { below, isJson } from '../../common/json.ts';

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
 * @returns undefined if the text is no JSON, or is nested too deep to be read by a person
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

/** A line of a difference: in both, only in what was expected, or only in what came. */
export interface DiffLine {
  readonly side: 'both' | 'expected' | 'got';
  readonly text: string;
}

const MOST_LINES = 400;

/** The lengths of the longest common subsequences of all ends of two lists. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const cells = lengths[row];
      if (!cells) continue;
      cells[column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  return lengths;
}

/** The lines of two JSON values beside each other: what both have once, and where they differ first what was expected. */
export function jsonDiff(expected: unknown, got: unknown): DiffLine[] {
  const linesOf = (value: unknown): string[] => {
    const text = JSON.stringify(value ?? null);
    return (jsonLines(text) ?? [{ text }]).map((line) => line.text);
  };
  const left = linesOf(expected);
  const right = linesOf(got);
  if (left.length > MOST_LINES || right.length > MOST_LINES) {
    return [
      ...left.map((text): DiffLine => ({ side: 'expected', text })),
      ...right.map((text): DiffLine => ({ side: 'got', text })),
    ];
  }
  const lengths = commonLengths(left, right);
  const diff: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length || column < right.length) {
    const [own, other] = [left[row], right[column]];
    if (own !== undefined && own === other) {
      diff.push({ side: 'both', text: own });
      row += 1;
      column += 1;
    } else if (own !== undefined && (lengths[row + 1]?.[column] ?? -1) >= (lengths[row]?.[column + 1] ?? -1)) {
      diff.push({ side: 'expected', text: own });
      row += 1;
    } else {
      diff.push({ side: 'got', text: other ?? '' });
      column += 1;
    }
  }
  return diff;
}

/** Two texts cut where they differ: what both begin with, what each has of its own, what both end with. */
export interface TextDifference {
  readonly start: string;
  readonly expected: string;
  readonly got: string;
  readonly end: string;
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((char, at) => char !== right[at]);
  return index === -1 ? left.length : index;
}

/** Where two texts differ, cut between whole characters. */
export function textDifference(expected: string, got: string): TextDifference {
  const left = Array.from(expected);
  const right = Array.from(got);
  const start = commonStart(left, right);
  const end = commonStart(left.slice(start).reverse(), right.slice(start).reverse());
  return {
    start: left.slice(0, start).join(''),
    expected: left.slice(start, left.length - end).join(''),
    got: right.slice(start, right.length - end).join(''),
    end: end === 0 ? '' : left.slice(-end).join(''),
  };
}
