import type { CST, Document, Node, Scalar } from 'yaml';
import { below } from './json.ts';
import { UsageError } from './process/args.ts';

/** What a file in YAML says, and where. */
export interface YamlFile {
  readonly data: unknown;
  /** The place of a member or an item, as `FILE:LINE:COLUMN`; for a missing one, the place of the nearest thing around it. */
  readonly at: (path: readonly PropertyKey[]) => string;
}

const SYNTAX: Readonly<Record<string, string>> = {
  BAD_SCALAR_START: 'a text cannot start with this sign; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second colon here; put the text in quotes',
  MULTIPLE_DOCS: 'there is more than one document in the file',
  TAB_AS_INDENT: 'there is a tab; indent with blanks',
  TAG_RESOLVE_FAILED: 'there is a tag (!); write the value alone',
  UNEXPECTED_TOKEN: 'this is not expected here; is a comma, a quote or a bracket missing before it?',
};

/** Levels. The parser is recursive, and a regular expression at the end of the stack may end the process. */
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

/** A whole number in another spelling (`04`), or one that is too large, stays a text. */
function keepAsWritten(node: Scalar): void {
  const { value, source } = node;
  if (typeof value === 'number' && source !== undefined && /^[+-]?\w+$/.test(source) && String(value) !== source)
    node.value = source;
}

/**
 * Where each member and each item of a document begins, by its JSON pointer.
 *
 * @throws UsageError for an alias, which may stand for much more than the file is large, and for a name that is given twice
 */
function placesIn(
  document: Document.Parsed,
  place: (node: Node) => string,
  { isScalar, visit }: typeof import('yaml'),
): ReadonlyMap<string, Node> {
  const places = new Map<string, Node>();
  const pointers = new Map<unknown, string>();
  const note = (parent: unknown, step: string | number, node: Node, value: unknown): void => {
    const pointer = below(pointers.get(parent) ?? '', step);
    if (places.has(pointer)) throw new UsageError(`${place(node)}: ${step} is given twice.`);
    places.set(pointer, node);
    pointers.set(value, pointer);
  };
  visit(document, {
    Alias: (_key, node) => {
      throw new UsageError(`${place(node)}: an alias (*) is not understood here; write the value itself.`);
    },
    Scalar: (_key, node) => keepAsWritten(node),
    Seq: (_key, seq) => {
      for (const [index, item] of seq.items.entries()) note(seq, index, item as Node, item);
    },
    Pair: (_key, { key, value }, ancestors) => {
      const node = key as Node;
      if (!isScalar(node)) throw new UsageError(`${place(node)}: a name is expected here.`);
      note(ancestors.at(-1), String(node.value), node, value);
    },
  });
  return places;
}

/**
 * Reads YAML 1.2, of which JSON is a part. It takes time in proportion to the length of the text.
 *
 * @param name of the file, for messages
 * @throws UsageError that names the first place that is wrong
 */
export async function parseYaml(name: string, text: string): Promise<YamlFile> {
  const yaml = await import('yaml');
  if (isTooDeep(text, yaml)) throw new UsageError(`${name}: it is nested too deeply (more than ${DEEPEST} levels).`);
  const lines = new yaml.LineCounter();
  // To look for names given twice, the parser compares each with each.
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const place = (node: Node | null | undefined): string => placeAt(node?.range?.[0] ?? 0);
  const [error] = [...document.errors, ...document.warnings].sort((left, right) => left.pos[0] - right.pos[0]);
  if (error) {
    const said = SYNTAX[error.code] ?? error.message.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '');
    throw new UsageError(`${placeAt(error.pos[0])}: ${said}.`);
  }
  const places = placesIn(document, place, yaml);
  const at = (path: readonly PropertyKey[]): string => {
    const steps = path.map(String);
    const pointers = steps.map((_step, index) => below('', ...steps.slice(0, steps.length - index)));
    const known = pointers.find((pointer) => places.has(pointer));
    return place(known === undefined ? document.contents : places.get(known));
  };
  return { data: document.toJS() as unknown, at };
}
