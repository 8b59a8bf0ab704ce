import type { CST, Document, Node, Pair, Scalar } from 'yaml';
import { UsageError } from './process/args.ts';

/** What a file in YAML says, and where. */
export interface YamlFile {
  readonly data: unknown;
  /** The place of a member or an item, as `FILE:LINE:COLUMN`; of what is not there, that of the nearest thing around it. */
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

/** A whole number that is written in another way (`04`), or is too large, stays the text that it is written as. */
function keepAsWritten(node: Scalar): void {
  const { value, source } = node;
  if (typeof value === 'number' && source !== undefined && /^[+-]?\w+$/.test(source) && String(value) !== source)
    node.value = source;
}

/** What must not be in a file: an alias, which may stand for much more than the file is large, and a name given twice. */
function refuseUnclear(
  document: Document.Parsed,
  text: string,
  place: (node: Node) => string,
  { isScalar, visit }: typeof import('yaml'),
): void {
  const names = new Map<unknown, Set<string>>();
  visit(document, {
    Alias: (_key, node) => {
      throw new UsageError(`${place(node)}: an alias (*) is not understood here; write the value itself.`);
    },
    Scalar: (_key, node) => keepAsWritten(node),
    Pair: (_key, { key }, path) => {
      const node = key as Node;
      if (!isScalar(node)) throw new UsageError(`${place(node)}: a name is expected here.`);
      const known = names.get(path.at(-1)) ?? new Set();
      names.set(path.at(-1), known);
      const name = String(node.value);
      const [start = 0, end = 0] = node.range ?? [];
      if (known.has(name)) throw new UsageError(`${place(node)}: ${text.slice(start, end)} is given twice.`);
      known.add(name);
    },
  });
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
  refuseUnclear(document, text, place, yaml);
  const pairsOf = makePairFinder(yaml);
  const at = (path: readonly PropertyKey[]): string => {
    let [node, found]: (Node | null | undefined)[] = [document.contents, document.contents];
    for (const step of path) {
      const pair = node ? pairsOf(node).get(String(step)) : undefined;
      const item = yaml.isSeq(node) ? (node.items[Number(step)] as Node | undefined) : undefined;
      if (!pair && !item) break;
      found = pair?.key ?? item;
      node = pair ? pair.value : item;
    }
    return place(found);
  };
  return { data: document.toJS() as unknown, at };
}

/** Finds the members of an object by name; each object is looked through once. */
function makePairFinder({ isMap }: typeof import('yaml')) {
  const known = new Map<Node, ReadonlyMap<string, Pair<Node, Node | null>>>();
  return (node: Node) => {
    const found = known.get(node);
    if (found) return found;
    const pairs = isMap(node) ? (node.items as Pair<Node, Node | null>[]) : [];
    const made = new Map(pairs.map((pair) => ['value' in pair.key ? String(pair.key.value) : '', pair]));
    known.set(node, made);
    return made;
  };
}
