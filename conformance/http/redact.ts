/** Takes the place of a value that contains a key. */
export const WITHHELD = '[withheld: contains a key]';

/** Shorter texts look like ordinary words: withholding them would hide every text and protect nothing. */
export const SHORTEST_SECRET = 4;
/** Shorter parts of a key, or of Base64, occur by chance. */
const SHORTEST_PART = 6;

/**
 * Escapes of URLs, JSON and programming languages, however often escaped. No part can match the same characters in two ways, so it
 * takes linear time.
 */
const ESCAPES = /%(?:25)*(?<byte>[\da-f]{2})|\\+(?:u(?<unit>[\da-f]{4})|x(?<hex>[\da-f]{2})|(?<blank>[nrt]))?/gi;
const UTF8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** What an escape stands for. */
function unescaped({ groups: { byte, unit, hex, blank } = {} }: RegExpExecArray): string {
  const code = byte ?? unit ?? hex;
  if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
  return blank === undefined ? '' : '\n';
}

/** A text in which each escape is replaced by what it stands for, and bytes of UTF-8 by their character. */
function decoded(text: string): string {
  const pieces: string[] = [];
  let end = 0;
  // One by one: `replaceAll` keeps all matches at once, and a hostile body has a million of them.
  for (const escape of text.matchAll(ESCAPES)) {
    pieces.push(text.slice(end, escape.index), unescaped(escape));
    end = escape.index + escape[0].length;
  }
  pieces.push(text.slice(end));
  const plain = pieces.join('');
  return plain.replaceAll(UTF8, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

/**
 * The same for a text in any letter case, with any line breaks, and however often its backslashes were escaped; `+` may be a space,
 * and every other byte of UTF-16 is a NUL.
 */
function folded(text: string): string {
  const lower = text.toLowerCase().toUpperCase().toLowerCase();
  return lower.replaceAll(/[\s+\0]+/g, '').replaceAll(/\\+/g, '\\');
}

/** The hexadecimal digits of a text, without what may stand between bytes: `53:33`, `0x53, 0x33`. Letters tell words apart. */
function digits(text: string): string {
  return text.toLowerCase().replaceAll(/0x|[^\da-z…]/g, '');
}

/** A text as it is, decoded, and decoded once more for JSON in a URL in JSON. */
function decodings(text: string): string[] {
  const once = decoded(text);
  return once === text ? [text] : [text, once, decoded(once)];
}

/**
 * The characters of Base64 that stand for bytes wherever they stand among others, such as behind `Bearer ` or `user:`:
 * one form for each place of the first byte in a group of three.
 */
function base64Forms(bytes: Buffer): string[] {
  const parts = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
  });
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const standard = [whole, ...parts.filter(({ length }) => length >= SHORTEST_PART)];
  return [...standard, ...standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))].map(folded);
}

/** A form of a key without what the suite alters at its ends, and what follows from that in Base64: a server may quote what it was sent. */
function core(form: string): string {
  return form.length < SHORTEST_PART + 4 ? form : form.slice(2, -2);
}

/** What is searched for in a text: in its characters, and in its hexadecimal digits. */
interface Needles {
  readonly texts: readonly string[];
  readonly hex: readonly string[];
}

/** A text as bytes: in UTF-8, in ISO 8859-1, and in UTF-16 with either byte first. */
function bytesOf(text: string): Buffer[] {
  const charsets = ['utf8', 'latin1', 'utf16le'] as const;
  return [...charsets.map((charset) => Buffer.from(text, charset)), Buffer.from(text, 'utf16le').swap16()];
}

/** What is searched for. Of a key behind a scheme such as `Bearer`, that is the key. */
function needlesOf(secret: string): Needles {
  const [, key = secret] = /^[a-z]+ +(\S{8,})$/i.exec(secret) ?? [];
  // What is read of UTF-16 as if it were UTF-8; in JSON, a backslash may be taken for one that escapes the NUL behind it.
  const misread = key.replaceAll(/[^\0-\x7f]/g, '\ufffd');
  const forms = [...[key, misread].flatMap(decodings), misread.replaceAll('\\', '')];
  const asText = forms.map(folded).filter(({ length }) => length >= SHORTEST_SECRET);
  const bytes = bytesOf(key);
  return {
    texts: [...asText, ...bytes.flatMap(base64Forms)].map(core),
    hex: bytes.map((each) => core(each.toString('hex'))),
  };
}

/** What stands where the suite has cut a text: it may end, or begin, within a key. */
const CUT = '…';
/** What may be left of an escape that was cut as well. */
const CUT_ESCAPE = /^(?:[%\\]*(?:25)*[ux]?[\da-f]{0,4}|\\*["nrt])$/;

/** How many characters of two texts are the same, from the start, or from the end. */
function sharedLength(one: string, other: string, from: 'start' | 'end'): number {
  const at = (text: string, index: number): string | undefined => text.at(from === 'start' ? index : -1 - index);
  let length = 0;
  while (length < one.length && at(one, length) === at(other, length)) length += 1;
  return length;
}

/** Whether a part ends within a needle. */
function endsWithin(part: string, needle: string): boolean {
  const at = part.lastIndexOf(needle.slice(0, SHORTEST_PART));
  if (at === -1) return false;
  const rest = part.slice(at);
  return CUT_ESCAPE.test(rest.slice(sharedLength(rest, needle, 'start')));
}

/** Whether a part begins within a needle. */
function beginsWithin(part: string, needle: string): boolean {
  const at = part.indexOf(needle.slice(-SHORTEST_PART));
  if (at === -1) return false;
  const rest = part.slice(0, at + SHORTEST_PART);
  return CUT_ESCAPE.test(rest.slice(0, rest.length - sharedLength(rest, needle, 'end')));
}

/** Whether a reading was cut within a needle. */
function isCutWithin(reading: string, needle: string): boolean {
  const parts = reading.split(CUT);
  const isEnd = parts.slice(0, -1).some((part) => endsWithin(part, needle));
  return isEnd || parts.slice(1).some((part) => beginsWithin(part, needle));
}

/** A string of JSON, in a text that may end within it. */
const JSON_STRING = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/g;

/**
 * Makes a function that withholds what contains a key, in one of the forms that docs/cli.md lists: each JSON string of a text
 * that does, or else the whole text. It takes time in proportion to the length of the text.
 *
 * @param secrets those of fewer than four characters, not counting blanks, plus signs and backslashes, are ignored
 */
export function makeRedactor(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((each) => each.replaceAll(/[\s+\\]/g, '').length >= SHORTEST_SECRET);
  const needles = long.map(needlesOf);
  const texts = [...new Set(needles.flatMap((each) => each.texts))];
  const hex = [...new Set(needles.flatMap((each) => each.hex))];
  // Of a key with a quotation mark, a part may stand outside of a JSON string.
  const isQuoted = texts.some((each) => each.includes('"'));
  const has = (reading: string, wanted: readonly string[]): boolean =>
    wanted.some((needle) => reading.includes(needle) || isCutWithin(reading, needle));
  const isIn = (text: string): boolean =>
    text.length >= SHORTEST_SECRET &&
    decodings(text).some((each) => has(folded(each), texts) || has(digits(each), hex));
  return (text) => {
    if (!isIn(text)) return text;
    const shown = isQuoted
      ? text
      : text.replaceAll(JSON_STRING, (literal) => (isIn(literal) ? `"${WITHHELD}"` : literal));
    return isIn(shown) ? WITHHELD : shown;
  };
}
