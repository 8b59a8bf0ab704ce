/** One way to read what stands at a place in a text: the characters that it means, and where it ends. */
export interface Reading {
  /** UTF-16 code units; empty for backslashes that only escape what follows. */
  readonly units: string;
  readonly end: number;
}

const BACKSLASH = 0x5c;

/** The names of HTML, each for its character. */
const HTML_NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What stands before the two digits of a byte: percent-encoding, up to four times over, and a string escape. */
const BYTE_MARKS = ['%', '%25', '%2525', '%252525', '\\x'] as const;

/** Digits of a numeric entity. */
const MOST_DIGITS = 8;

/** Whether the character begins something that may be read in another way. */
export function isMark(code: number): boolean {
  return code === BACKSLASH || code === 0x25 || code === 0x26 || code === 0x2b;
}

/** The first place, not before another, where a global pattern fits; Infinity if there is none. */
export function nextPlace(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Infinity;
}

const MARKS = /[\\%&+]/g;

/** The place of the first mark that is not before a place; Infinity if there is none. */
export function nextMark(text: string, from: number): number {
  return nextPlace(MARKS, text, from);
}

function hexAt(text: string, at: number, digits: number): number | undefined {
  const found = text.slice(at, at + digits);
  return found.length === digits && /^[0-9a-f]+$/.test(found) ? parseInt(found, 16) : undefined;
}

function ofCodePoint(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code).toLowerCase() : undefined;
}

function byteAt(text: string, at: number, mark: string): number | undefined {
  return text.startsWith(mark, at) ? hexAt(text, at + mark.length, 2) : undefined;
}

/** The number of bytes of a UTF-8 character, by its first one. */
function utf8Length(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
}

/** A byte means a character of ISO 8859-1 (as a header is sent), or begins one of UTF-8. */
function byteReadings(text: string, at: number, mark: string): Reading[] {
  const first = byteAt(text, at, mark);
  if (first === undefined) return [];
  const size = mark.length + 2;
  const single = { units: String.fromCharCode(first).toLowerCase(), end: at + size };
  const length = utf8Length(first);
  if (length === 1) return [single];
  const bytes = Array.from({ length }, (_each, index) => byteAt(text, at + index * size, mark));
  if (bytes.includes(undefined)) return [single];
  const units = Buffer.from(bytes as number[])
    .toString('utf8')
    .toLowerCase();
  return [single, { units, end: at + length * size }];
}

/** An HTML entity, with or without its semicolon, its ampersand escaped again or not. */
function entityReadings(text: string, at: number): Reading[] {
  const readings: Reading[] = [];
  let start = at + 1;
  for (; text.startsWith('amp;', start); start += 4) readings.push({ units: '&', end: start + 4 });
  const add = (units: string | undefined, end: number): void => {
    if (units !== undefined) readings.push({ units, end: text[end] === ';' ? end + 1 : end });
  };
  const name = Object.keys(HTML_NAMES).find((each) => text.startsWith(each, start));
  if (name !== undefined) add(HTML_NAMES[name], start + name.length);
  if (text[start] !== '#') return readings;
  const isHex = text[start + 1] === 'x';
  const digits = isHex ? /[0-9a-f]+/y : /[0-9]+/y;
  digits.lastIndex = start + (isHex ? 2 : 1);
  const found = digits.exec(text)?.[0];
  if (found === undefined) return readings;
  const first = digits.lastIndex - found.length;
  const read = (length: number): void => {
    add(ofCodePoint(parseInt(found.slice(0, length), isHex ? 16 : 10)), first + length);
  };
  read(found.length);
  // Without a semicolon, digits of the text may follow.
  for (let length = 1; length <= Math.min(found.length - 1, MOST_DIGITS); length += 1) read(length);
  return readings;
}

/** An escape at the end of a run of backslashes, however often it was escaped again. */
function escapeReadings(text: string, end: number): Reading[] {
  const unit = text[end] === 'u' ? hexAt(text, end + 1, 4) : undefined;
  return [
    { units: '', end },
    ...byteReadings(text, end - 1, '\\x'),
    ...(unit === undefined ? [] : [{ units: String.fromCharCode(unit).toLowerCase(), end: end + 5 }]),
    ...(text[end] === 't' ? [{ units: '\t', end: end + 1 }] : []),
  ];
}

/**
 * Makes the function that gives what may stand at a place in a text, beside the character itself: characters escaped for
 * JSON, URLs, forms and HTML, also repeatedly.
 *
 * @param text in lower case
 */
export function readingsOf(text: string): (at: number) => readonly Reading[] {
  let run = { start: 0, end: 0 };
  const runEnd = (at: number): number => {
    if (at < run.start || at >= run.end) {
      let end = at;
      while (text.charCodeAt(end) === BACKSLASH) end += 1;
      run = { start: at, end };
    }
    return run.end;
  };
  return (at) => {
    switch (text[at]) {
      case '\\':
        return escapeReadings(text, runEnd(at));
      case '%':
        return BYTE_MARKS.flatMap((mark) => byteReadings(text, at, mark));
      case '&':
        return entityReadings(text, at);
      case '+':
        return [{ units: ' ', end: at + 1 }];
      default:
        return [];
    }
  };
}
