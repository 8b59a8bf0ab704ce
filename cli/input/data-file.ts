import type { CST, Document, ParsedNode } from 'yaml';
import { UsageError } from '../../common/process/args.ts';

interface Placed {
  /** `FILE:LINE:COLUMN`, for messages. */
  readonly at: string;
}

/** A value of a file that people write, with the place where it stands. */
export type Located = Placed &
  (
    | {
        readonly kind: 'scalar';
        readonly value: string | number | boolean | null;
        /** As it is written: 04 is not 4. */
        readonly text: string;
      }
    | { readonly kind: 'list'; readonly items: readonly Located[] }
    | { readonly kind: 'object'; readonly members: readonly LocatedMember[] }
  );

/** A member of an object, with its place in the file. */
export interface LocatedMember extends Placed {
  readonly name: string;
  readonly value: Located;
}

/** A located value without its places. */
export function plainValue(located: Located): unknown {
  switch (located.kind) {
    case 'scalar':
      return located.value;
    case 'list':
      return located.items.map(plainValue);
    case 'object':
      return Object.fromEntries(located.members.map(({ name, value }) => [name, plainValue(value)]));
  }
}

/** What a located value is, in a few words. */
export function shown(value: Located): string {
  if (value.kind !== 'scalar') return value.kind === 'list' ? 'a list' : 'an object';
  return typeof value.value === 'string' ? `the text ${JSON.stringify(value.value)}` : value.text;
}

const SYNTAX: Readonly<Record<string, string>> = {
  BAD_SCALAR_START: 'a text cannot start with this sign; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second colon here; put the text in quotes',
  MULTIPLE_DOCS: 'there is more than one document in the file',
  TAB_AS_INDENT: 'there is a tab; indent with blanks',
  TAG_RESOLVE_FAILED: 'there is a tag (!); write the value alone',
  UNEXPECTED_TOKEN: 'this is not expected here; is a comma, a quote or a bracket missing before it?',
};

/** What the parser says, in words for those who do not know its grammar. */
function plainWords(message: string): string {
  return message
    .replace(/^./, (first) => first.toLowerCase())
    .replace(/\.$/, '')
    .replace('flow sequence', 'a list in brackets')
    .replace('flow map', 'an object in braces')
    .replace('in block collection must be sufficiently indented', 'must be indented')
    .replace('"quote', 'quote (")')
    .replace("'quote", "quote (')");
}

/** Levels. The parser is recursive: where it meets the end of the stack, a regular expression may end the process. */
const DEEPEST = 100;

/** The tokens directly below one. A document is no level of its own. */
function tokensIn(token: CST.Token): (CST.Token | null | undefined)[] {
  if (token.type === 'document') return token.value ? tokensIn(token.value) : [];
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
}

/** Whether lists and objects are nested too deeply to be parsed. */
function isTooDeep(text: string, { Parser }: typeof import('yaml')): boolean {
  let level: readonly CST.Token[] = [...new Parser().parse(text)];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    level = level.flatMap((token) => tokensIn(token).filter((each) => each !== null && each !== undefined));
    if (level.length === 0) return false;
  }
  return true;
}

/**
 * Reads YAML 1.2, of which JSON is a part. Aliases are refused, so that the value is never larger than the file.
 *
 * @param name of the file, for messages
 * @throws UsageError that names the first place that is wrong
 */
export async function parseData(name: string, text: string): Promise<Located> {
  const yaml = await import('yaml');
  if (isTooDeep(text, yaml)) throw new UsageError(`${name}: it is nested too deeply (more than ${DEEPEST} levels).`);
  const lines = new yaml.LineCounter();
  // To look for names given twice, the parser compares each with each.
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const [error] = [...document.errors, ...document.warnings].sort((left, right) => left.pos[0] - right.pos[0]);
  if (error) {
    throw new UsageError(`${place(error.pos[0])}: ${SYNTAX[error.code] ?? plainWords(error.message)}.`);
  }
  return locate(document, text, place, yaml);
}

function locate(
  document: Document.Parsed,
  text: string,
  place: (offset: number) => string,
  { isAlias, isMap, isScalar, isSeq }: typeof import('yaml'),
): Located {
  const convert = (node: ParsedNode | null, offset: number): Located => {
    const at = place(node ? node.range[0] : offset);
    if (node === null) return { at, kind: 'scalar', value: null, text: '' };
    if (isAlias(node)) throw new UsageError(`${at}: an alias (*) is not understood here; write the value itself.`);
    if (isSeq(node)) {
      const items = node.items as (ParsedNode | null)[];
      return { at, kind: 'list', items: items.map((item) => convert(item, node.range[0])) };
    }
    if (isMap(node)) {
      const names = new Set<string>();
      const members = node.items.map(({ key, value }): LocatedMember => {
        const keyAt = place(key.range[0]);
        if (!isScalar(key)) throw new UsageError(`${keyAt}: a name is expected here.`);
        const name = String(key.value);
        if (names.has(name))
          throw new UsageError(`${keyAt}: ${text.slice(key.range[0], key.range[1])} is given twice.`);
        names.add(name);
        return { at: keyAt, name, value: convert(value, key.range[0]) };
      });
      return { at, kind: 'object', members };
    }
    const value = node.value as string | number | boolean | null;
    return { at, kind: 'scalar', value, text: typeof value === 'string' ? value : node.source };
  };
  return convert(document.contents, 0);
}
