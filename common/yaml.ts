/** Reads files in YAML, with the place of each mistake. */

import type * as Yaml from 'yaml';
import type { Node, Scalar } from 'yaml';
import { isDeeperThan } from './json.ts';
import { UsageError } from './process/args.ts';
import { requireModule } from './process/commonjs.ts';
import { namesOn } from './schema.ts';

/** What a file in YAML says, and where. */
export interface YamlFile {
  readonly data: unknown;
  /**
   * The place of a member or an item, such as `c.yaml:2:3: reports/json`; for a missing one, the place of the nearest thing around
   * it.
   */
  readonly at: (path: readonly PropertyKey[]) => string;
}

/** What the parser says less plainly, or with a part of the text, which may be a secret. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_COLLECTION_TYPE: 'this tag is for another kind of value',
  BAD_DIRECTIVE: 'this directive is unknown here',
  BAD_DQ_ESCAPE: 'there is no such escape; a backslash in double quotes is written twice',
  BAD_SCALAR_START: 'a text cannot start with this sign; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second colon here; put the text in quotes',
  MULTIPLE_DOCS: 'there is more than one document in the file',
  TAG_RESOLVE_FAILED: 'this tag is unknown here; leave it out',
  UNEXPECTED_TOKEN: 'this is not expected here; is a comma, a quote or a bracket missing before it?',
};

/** What the parser says of these is the same for every text. */
const PLAIN = /^(?:BAD_INDENT|BLOCK_IN_FLOW|KEY_OVER_1024_CHARS|MISSING_CHAR|MULTI\w+|TAB_AS_INDENT)$/;

function syntaxProblem({ code, message }: { readonly code: string; readonly message: string }): string {
  const words = SYNTAX[code] ?? (PLAIN.test(code) ? message : 'this is not YAML');
  return words.endsWith('?') ? words : `${words}.`;
}

/** A whole number in another spelling (`04`), or one that is too large, stays a text. */
function keepAsWritten(node: Scalar): void {
  const { value, source } = node;
  if (typeof value === 'number' && source !== undefined && /^[+-]?\w+$/.test(source) && String(value) !== source)
    node.value = source;
}

/** Levels of nesting. No file that people write has more. */
const DEEPEST = 100;
/** The levels that the parser makes of one level of a text: a collection, the list of its items, an item. */
const LEVELS_OF_ONE = 3;

/**
 * Reads YAML 1.2, of which JSON is a part.
 *
 * @param name of the file, for messages
 * @throws UsageError that names the first place that is wrong, and quotes nothing but names
 */
export function parseYaml(name: string, text: string): YamlFile {
  const { isMap, isSeq, LineCounter, parseDocument, Parser, visit } = requireModule('yaml') as typeof Yaml;
  // The parser of tokens has a stack of its own; what follows it uses that of the process.
  if (isDeeperThan([...new Parser().parse(text)], DEEPEST * LEVELS_OF_ONE))
    throw new UsageError(`${name}: it is nested deeper than ${DEEPEST} levels.`);
  const lines = new LineCounter();
  // To look for names given twice, the parser compares each with each.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const;
  const document = parseDocument(text, options);
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const refuse = (offset: number | undefined, why: string): never => {
    throw new UsageError(`${placeOf(offset ?? 0)}: ${why}`);
  };
  const [error] = document.errors;
  if (error) refuse(error.pos[0], syntaxProblem(error));
  visit(document, {
    Scalar: (_key, node) => keepAsWritten(node),
    Map: (_key, { items }) => {
      const names = new Set<unknown>();
      const twice = items.map(({ key }) => key as Scalar).find(({ value }) => names.size === names.add(value).size);
      if (twice) refuse(twice.range?.[0], `${namesOn([String(twice.value)]) ?? 'this name'} is given twice.`);
    },
    Alias: (_key, { range }) =>
      refuse(range?.[0], 'put a text that starts with * in quotes; there are no aliases here.'),
  });
  const at = (path: readonly PropertyKey[]): string => {
    let [found, node]: (Node | null | undefined)[] = [document.contents, document.contents];
    for (const step of path) {
      const pair = isMap<Scalar, Node>(node)
        ? node.items.find(({ key }) => String(key.value) === String(step))
        : undefined;
      node = isSeq<Node>(node) ? node.items[Number(step)] : pair?.value;
      found = pair?.key ?? node ?? found;
    }
    const names = namesOn(path);
    return placeOf(found?.range?.[0] ?? 0) + (names === undefined ? '' : `: ${names}`);
  };
  return { data: document.toJS() as unknown, at };
}
