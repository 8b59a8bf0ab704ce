import { isRecord } from '../tools/json.ts';

/** Thrown for a notation that is left to the full reader. */
class Unusual extends Error {}

/** What no plain text has: control characters, other line ends, marks of byte order, and tabs that indent. */
const ODD_CHARACTERS = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]|\n *\t/;

const PLAIN_KEY = String.raw`[A-Za-z_$/](?:[^\s:#]|:(?=\S))*|[1-9](?:\d{0,8}|XX)`;
/** A line that cannot belong to what stands in the line before it. */
const KEY_START = /^[\w$/.('"<~]/;
const KEY = new RegExp(`^(?:(${PLAIN_KEY})|'([^']*)'|"([^"\\\\]*)"):(?: +|$)`);
/** Texts that are no other value. */
const PLAIN_TEXT = /^[A-Za-z_$/(](?:[^:#\t]|:(?=\S)|(?<=\S)#)*$/;
const NO_TEXT = /^(?:null|true|false)$/i;
/** Versions, days and times. */
const OF_DIGITS = /^\d+\.\d+\.\d+[\w.-]*$|^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/;
const NUMBER = /^(?:0|-?[1-9]\d{0,14})$|^-?(?:0|[1-9]\d{0,9})\.\d{1,9}$/;
const SHORT_LIST = /^\[[\w$/ ,-]*\]$/;
const CONSTANTS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The parts of the document that was read before this one, by their text: most parts of the newer one are those of the older. */
let earlierParts = new Map<string, unknown>();

/** Keys so deep in a document are those of operations and components. */
const PART_LEVELS = 3;

/**
 * The value of a YAML text in the notation that most documents have, many times as fast as a full reader takes: mappings and lists by
 * indentation, and texts in one line or as a block. What is written otherwise, the full reader reads, place by place.
 *
 * @param full reads any YAML text
 * @returns undefined where the whole text has to be read so
 */
export function plainYaml(text: string, full: (text: string) => unknown): unknown {
  if (ODD_CHARACTERS.test(text)) return undefined;
  const reader = new Reader(text, full);
  try {
    const value = reader.whole();
    earlierParts = reader.parts;
    return value;
  } catch {
    return undefined;
  }
}

class Reader {
  readonly parts = new Map<string, unknown>();
  private readonly earlier = earlierParts;
  private readonly text: string;
  private readonly full: (text: string) => unknown;
  /** Where each line starts, and by how much it is indented: -1 if it is blank or a comment. */
  private readonly starts: number[] = [];
  private readonly indents: number[] = [];

  constructor(text: string, full: (text: string) => unknown) {
    this.text = text.endsWith('\n') ? text : `${text}\n`;
    this.full = full;
    for (let start = 0; start < this.text.length; start = this.text.indexOf('\n', start) + 1) {
      let at = start;
      while (this.text.charCodeAt(at) === 0x20) at += 1;
      const first = this.text.charCodeAt(at);
      this.starts.push(start);
      this.indents.push(first === 0x0a || first === 0x23 ? -1 : at - start);
    }
    this.starts.push(this.text.length);
  }

  whole(): unknown {
    const end = this.indents.length;
    const first = this.next(0, end);
    const start = this.line(first).startsWith('---') ? first + 1 : first;
    if ((start > first && this.line(first) !== '---') || this.next(start, end) === end) throw new Unusual();
    return this.block(start, end, 1);
  }

  /** The next line that says something. */
  private next(from: number, end: number): number {
    let line = from;
    while (line < end && this.indents[line] === -1) line += 1;
    return line;
  }

  /** The line behind those that are indented deeper than one. */
  private behind(line: number, end: number): number {
    const indent = this.indents[line] ?? 0;
    let next = line + 1;
    while (next < end && ((this.indents[next] ?? 0) > indent || this.indents[next] === -1)) next += 1;
    return next;
  }

  /** A line without its indentation, and without blanks at its end. */
  private line(index: number): string {
    const start = this.starts[index] ?? 0;
    let end = (this.starts[index + 1] ?? 1) - 1;
    while (this.text.charCodeAt(end - 1) === 0x20) end -= 1;
    return this.text.slice(start + Math.max(0, this.indents[index] ?? 0), end);
  }

  /** Lines as they are written; of the first, only what stands behind its indentation. */
  private written(from: number, end: number): string {
    const indent = this.indents[from] ?? 0;
    return ' '.repeat(indent) + this.text.slice((this.starts[from] ?? 0) + indent, this.starts[end]);
  }

  /** The mapping or list that some lines are. */
  private block(from: number, end: number, level: number): unknown {
    const first = this.next(from, end);
    return this.isItem(first) ? this.list(first, end, level) : this.mapping(first, end, level);
  }

  private isItem(line: number): boolean {
    const at = (this.starts[line] ?? 0) + (this.indents[line] ?? 0);
    return this.text.charCodeAt(at) === 0x2d && /[ \n]/.test(this.text.charAt(at + 1));
  }

  private mapping(from: number, end: number, level: number): object {
    const found: Record<string, unknown> = {};
    const indent = this.indents[from];
    for (let line = from; line < end;) {
      if (this.indents[line] !== indent || this.isItem(line)) throw new Unusual();
      const content = this.line(line);
      const [start = '', plain, single, double] = KEY.exec(content) ?? [];
      const rest = content.slice(start.length);
      let behind = this.behind(line, end);
      // A list may stand below its key without being indented.
      if (rest === '' && this.next(line + 1, end) === behind && this.indents[behind] === indent)
        while (behind < end && this.isItem(behind)) behind = this.behind(behind, end);
      let key = plain ?? single ?? double;
      let value: unknown;
      if (key === undefined || (plain !== undefined && NO_TEXT.test(plain))) [key, value] = this.unusual(line, behind);
      else value = this.part(line, behind, rest, level);
      if (Object.hasOwn(found, key) || key === '__proto__') throw new Unusual();
      found[key] = value;
      line = this.next(behind, end);
    }
    return found;
  }

  /** The value of a key, which may be known from the document before. */
  private part(line: number, end: number, rest: string, level: number): unknown {
    if (rest !== '' || level > PART_LEVELS) return this.value(line, end, rest, level);
    const text = this.written(line, end);
    const isKnown = this.earlier.has(text);
    const value = isKnown ? this.earlier.get(text) : this.value(line, end, rest, level);
    // Each part stands at one place of a document.
    this.earlier.delete(text);
    this.parts.set(text, value);
    return value;
  }

  private list(from: number, end: number, level: number): readonly unknown[] {
    const found: unknown[] = [];
    const indent = this.indents[from] ?? 0;
    for (let line = from; line < end;) {
      if (this.indents[line] !== indent || !this.isItem(line)) throw new Unusual();
      const behind = this.behind(line, end);
      const rest = this.line(line).slice(1).replace(/^ +/, '');
      if (KEY.test(rest)) {
        // The first member of a mapping stands behind the dash.
        this.indents[line] = indent + this.line(line).length - rest.length;
        found.push(this.block(line, behind, level + 1));
        this.indents[line] = indent;
      } else found.push(this.value(line, behind, rest, level));
      line = this.next(behind, end);
    }
    return found;
  }

  /** What stands behind a key or a dash, and in the lines below that are indented deeper. */
  private value(line: number, end: number, rest: string, level: number): unknown {
    const below = this.next(line + 1, end);
    if (rest === '') return below === end ? null : this.block(below, end, level + 1);
    const value = below === end ? inLine(rest) : this.inLines(line, end, rest);
    return value === undefined ? this.unusual(line, end)[1] : value;
  }

  /** A text in several lines; undefined where it is written in an unusual way. */
  private inLines(line: number, end: number, rest: string): string | undefined {
    const lines = this.text.slice(this.starts[line + 1], (this.starts[end] ?? 1) - 1).split('\n');
    if (!/^[|>]-?$/.test(rest)) {
      const text = folded([rest, ...withoutEnd(lines.map((each) => each.replaceAll(/^ +| +$/g, '')))]);
      const isPlain = PLAIN_TEXT.test(text) && lines.every((each) => /^ *(?:[^ \t#:?-]|$)/.test(each));
      return isPlain ? text : /^'[^']*'$|^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : undefined;
    }
    const indent = lines[0]?.search(/[^ ]/) ?? -1;
    if (indent <= (this.indents[line] ?? 0) || lines.some((each) => /[^ ]/.test(each.slice(0, indent))))
      return undefined;
    const kept = withoutEnd(lines.map((each) => each.slice(indent)));
    const isKept = rest.startsWith('|');
    if (!isKept && kept.some((each) => /^[ \t]/.test(each))) return undefined;
    return `${isKept ? kept.join('\n') : folded(kept)}${rest.endsWith('-') ? '' : '\n'}`;
  }

  /** A key and its value, or an item, by the full reader. */
  private unusual(line: number, end: number): [key: string, value: unknown] {
    const value = this.full(this.written(line, end));
    const isAsAround = Array.isArray(value) ? this.isItem(line) : isRecord(value) && KEY_START.test(this.line(line));
    const [only, ...more] = isAsAround ? Object.entries(value as object) : [];
    if (only === undefined || more.length > 0) throw new Unusual();
    return only as [string, unknown];
  }
}

/** Lines without the blank ones at the end. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** Lines of a text as one: a blank line is a break. */
function folded(lines: readonly string[]): string {
  return lines.reduce((text, line, index) => {
    const isBreak = line === '';
    const wasBreak = lines[index - 1] === '';
    return isBreak ? `${text}\n` : wasBreak ? `${text}${line}` : `${text} ${line}`;
  });
}

/** The value of what stands in one line; undefined where that is unusual. */
function inLine(written: string): unknown {
  if (CONSTANTS.has(written)) return CONSTANTS.get(written);
  if (PLAIN_TEXT.test(written)) return NO_TEXT.test(written) ? undefined : written;
  if (NUMBER.test(written)) return Number(written);
  if (OF_DIGITS.test(written)) return written;
  if (written.startsWith("'")) return /^'[^']*'$/.test(written) ? written.slice(1, -1) : undefined;
  if (written.startsWith('"')) return quoted(written);
  if (written === '{}') return {};
  if (!SHORT_LIST.test(written)) return undefined;
  const items = written.slice(1, -1).split(',');
  const values = items.map((each) => inLine(each.trim()));
  if (items.length === 1 && items[0]?.trim() === '') return [];
  return values.includes(undefined) ? undefined : values;
}

function quoted(written: string): string | undefined {
  try {
    return JSON.parse(written) as string;
  } catch {
    return undefined;
  }
}
