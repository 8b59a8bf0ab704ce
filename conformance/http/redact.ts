import { groupedBy, mapStrings } from '../../common/text.ts';
import { isMark, nextMark, nextPlace, readingsOf } from './spellings.ts';

/** A text that must not be printed, and the label printed in its place. */
export interface Secret {
  readonly value: string;
  readonly label: string;
}

/** One form of a secret to search for. */
interface Needle {
  /** In lower case: a secret is found in any letter case. */
  readonly text: string;
  readonly label: string;
  /** Whether the character of Base64 before, or after it, has some bits of the secret, too. */
  readonly before?: boolean;
  readonly after?: boolean;
  /** Whether it is Base64, which may end with padding. */
  readonly base64?: true;
}

/** Shorter parts of Base64 occur by chance. */
const SHORTEST_PART = 6;

/** Lower case, each code unit for itself: positions stay. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  const units = Array.from({ length: text.length }, (_each, index) => text.charAt(index));
  return units.map((unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit)).join('');
}

/**
 * The characters of Base64 that stand for bytes wherever they stand among others, such as behind `Bearer ` or `user:`:
 * one form for each place of the first byte in a group of three.
 */
function base64Parts(bytes: Buffer): Omit<Needle, 'label'>[] {
  return [0, 1, 2].flatMap((offset) => {
    const bits = 8 * (offset + bytes.length);
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const part = text.slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6));
    return part.length < SHORTEST_PART ? [] : [{ text: part, before: offset > 0, after: bits % 6 !== 0 }];
  });
}

/** The forms of bytes as text. */
function byteForms(bytes: Buffer): Omit<Needle, 'label'>[] {
  const whole = { text: bytes.toString('base64').replace(/=+$/, '') };
  const standard = [whole, ...base64Parts(bytes)];
  const forUrls = standard.map((form) => ({ ...form, text: form.text.replaceAll('+', '-').replaceAll('/', '_') }));
  const base64 = [...standard, ...forUrls].map((form) => ({ ...form, base64: true as const }));
  return [...base64, { text: bytes.toString('hex') }];
}

/** Longer secrets are searched for in pieces, so that no form is longer than what `redactedStart` looks at. Divisible by 3, as Base64 encodes 3 bytes together. */
const LONGEST_PIECE = 999;

/** Shorter texts look like ordinary words: replacing them would garble every text and protect nothing. */
const SHORTEST_SECRET = 4;

function needlesOf({ value, label }: Secret): Needle[] {
  const pieces = Array.from({ length: Math.ceil(value.length / LONGEST_PIECE) }, (_each, index) =>
    value.slice(index * LONGEST_PIECE, (index + 1) * LONGEST_PIECE),
  );
  return pieces
    .filter((piece) => piece.trim().length >= SHORTEST_SECRET)
    .flatMap((piece) => {
      const encodings = /^\p{ASCII}*$/u.test(piece) ? (['utf8'] as const) : (['utf8', 'latin1'] as const);
      return [{ text: piece }, ...encodings.flatMap((encoding) => byteForms(Buffer.from(piece, encoding)))];
    })
    .map((form) => ({ ...form, text: folded(form.text), label }));
}

/** Counts what a redactor does, to show that it is linear. */
export interface Meter {
  steps: number;
}

/** Where a needle that begins at a place ends, in whatever spelling; -1 if it does not stand there. */
function endOf(needle: string, text: string, start: number, readings: ReturnType<typeof readingsOf>, meter: Meter) {
  const seen = new Set<number>();
  const branches: [at: number, matched: number][] = [[start, 0]];
  for (let branch = branches.pop(); branch; branch = branches.pop()) {
    let [at, matched] = branch;
    for (;;) {
      meter.steps += 1;
      if (matched === needle.length) return at;
      const code = text.charCodeAt(at);
      if (isMark(code)) {
        const state = at * (needle.length + 1) + matched;
        if (seen.has(state)) break;
        seen.add(state);
        for (const { units, end } of readings(at))
          if (needle.startsWith(units, matched)) branches.push([end, matched + units.length]);
      }
      if (code !== needle.charCodeAt(matched)) break;
      at += 1;
      matched += 1;
    }
  }
  return -1;
}

/** Characters. No needle is shorter. */
const START = 3;

/** Finds the places where one of some texts stands. */
function anyOf(texts: readonly string[]): RegExp {
  return new RegExp([...new Set(texts)].map((text) => text.replaceAll(/[^\w]/g, String.raw`\$&`)).join('|'), 'g');
}

/** Prepares needles, the longest first, for searching texts. */
function makeSearch(needles: readonly Needle[], meter: Meter) {
  const byStart = new Map(groupedBy(needles, ({ text }) => text.slice(0, START)));
  const byFirst = new Map(groupedBy(needles, ({ text }) => text.charAt(0)));
  // Nearly every place in a text is passed over by this alone.
  const starts = anyOf([...byStart.keys()]);
  return (original: string) => {
    const text = folded(original);
    const readings = readingsOf(text);
    const startsAt = (at: number): Set<string> => {
      const first = new Set([text.charAt(at)]);
      for (const { units, end } of isMark(text.charCodeAt(at)) ? readings(at) : []) {
        first.add(units.charAt(0) || text.charAt(end));
        if (units === '') for (const further of readings(end)) first.add(further.units.charAt(0));
      }
      return first;
    };
    const longestOf = (candidates: readonly Needle[], at: number) =>
      candidates
        .map((needle) => ({ at, needle, end: endOf(needle.text, text, at, readings, meter) }))
        .filter(({ end }) => end !== -1)
        .toSorted((one, other) => other.end - one.end)
        .at(0);
    /** The first needle at a place or after it; of several at the same place the longest. */
    const next = (from: number): ReturnType<typeof longestOf> => {
      let [mark, start] = [-1, -1];
      for (let at = from; ; at += 1) {
        if (mark < at) mark = nextMark(text, at);
        if (start < at) start = nextPlace(starts, text, at);
        // One of the characters that begin a needle may be written in another way.
        at = Math.min(start, Math.max(at, mark - START + 1));
        if (at >= text.length) return undefined;
        meter.steps += 1;
        const candidates =
          mark < at + START
            ? [...startsAt(at)].flatMap((first) => byFirst.get(first) ?? [])
            : byStart.get(text.slice(at, at + START));
        const found = longestOf(candidates ?? [], at);
        if (found) return found;
      }
    };
    return { text, next };
  };
}

const IN_BASE64 = /[\w+/-]/;

/**
 * Makes a function that replaces every secret in a text by its label, in any letter case and in the forms that
 * docs/cli.md lists. Its work is proportional to the length of the text.
 *
 * @param secrets those shorter than four characters are ignored
 * @param meter counts the steps
 */
export function makeRedactor(secrets: readonly Secret[], meter: Meter = { steps: 0 }): (text: string) => string {
  const needles = new Map<string, Needle>();
  for (const needle of secrets.flatMap(needlesOf)) if (!needles.has(needle.text)) needles.set(needle.text, needle);
  if (needles.size === 0) return (text) => text;
  const shortest = Math.min(...[...needles.keys()].map(({ length }) => length));
  const search = makeSearch([...needles.values()], meter);
  return (original) => {
    if (original.length < shortest) return original;
    const { text, next } = search(original);
    const parts: string[] = [];
    let kept = 0;
    for (let found = next(0); found; found = next(kept)) {
      const { needle, at } = found;
      const from = needle.before && at > kept && IN_BASE64.test(text.charAt(at - 1)) ? at - 1 : at;
      let { end } = found;
      if (needle.after && IN_BASE64.test(text.charAt(end))) end += 1;
      for (let padding = 0; needle.base64 && padding < 2 && text[end] === '='; padding += 1) end += 1;
      parts.push(original.slice(kept, from), `[${needle.label}]`);
      kept = end;
    }
    return parts.length === 0 ? original : parts.join('') + original.slice(kept);
  };
}

/** How much of a value is shown, in characters of its JSON text. */
const MOST_SHOWN = 4_000;
/** No encoded secret is longer. A text cut this far after the shown part contains every secret of that part whole. */
const CUT_MARGIN = 8_192;

/**
 * The start of a text without secrets. The text is cut after the shown part, redacted, then cut again: a large text is
 * redacted quickly, and the cut leaves no half of a secret.
 *
 * @returns the start, and how many characters of the text are not shown
 */
export function redactedStart(text: string, redact: (text: string) => string): { text: string; cut: number } {
  if (text.length <= MOST_SHOWN) return { text: redact(text), cut: 0 };
  const shown = redact(text.slice(0, MOST_SHOWN + CUT_MARGIN));
  const safe = text.length > MOST_SHOWN + CUT_MARGIN ? shown.slice(0, Math.max(0, shown.length - CUT_MARGIN)) : shown;
  return { text: safe.slice(0, MOST_SHOWN), cut: text.length - MOST_SHOWN };
}

/** A value without secrets; of a large value, the start of its JSON text. */
export function redactedValue(value: unknown, redact: (text: string) => string): unknown {
  const json = JSON.stringify(value ?? null);
  return json.length <= MOST_SHOWN ? mapStrings(value ?? null, redact) : `${redactedStart(json, redact).text}…`;
}
