import type * as Yaml from 'yaml';
import type { Node, Scalar } from 'yaml';
import { UsageError } from './process/args.ts';
import { requireModule } from './process/commonjs.ts';

/** What a file in YAML says, and where. */
export interface YamlFile {
  readonly data: unknown;
  /**
   * The place of a member or an item, such as `c.yaml:2:3: reports/json`; for a missing one, the place of the nearest thing around
   * it.
   */
  readonly at: (path: readonly PropertyKey[]) => string;
}

/** What the parser says less plainly. */
const SYNTAX: Readonly<Record<string, string>> = {
  BAD_SCALAR_START: 'a text cannot start with this sign; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second colon here; put the text in quotes',
  MULTIPLE_DOCS: 'there is more than one document in the file',
  UNEXPECTED_TOKEN: 'this is not expected here; is a comma, a quote or a bracket missing before it?',
};

/** A whole number in another spelling (`04`), or one that is too large, stays a text. */
function keepAsWritten(node: Scalar): void {
  const { value, source } = node;
  if (typeof value === 'number' && source !== undefined && /^[+-]?\w+$/.test(source) && String(value) !== source)
    node.value = source;
}

/**
 * Reads YAML 1.2, of which JSON is a part.
 *
 * @param name of the file, for messages
 * @throws UsageError that names the first place that is wrong
 */
export function parseYaml(name: string, text: string): YamlFile {
  const { isMap, isSeq, LineCounter, parseDocument, visit } = requireModule('yaml') as typeof Yaml;
  const lines = new LineCounter();
  // To look for names given twice, the parser compares each with each.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const;
  const document = parseDocument(text, options);
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const [error] = document.errors;
  if (error)
    throw new UsageError(`${placeOf(error.pos[0])}: ${SYNTAX[error.code] ?? error.message}.`.replace('?.', '?'));
  visit(document, {
    Scalar: (_key, node) => keepAsWritten(node),
    Map: (_key, { items }) => {
      const names = new Set<unknown>();
      const twice = items.map(({ key }) => key as Scalar).find(({ value }) => names.size === names.add(value).size);
      if (twice) throw new UsageError(`${placeOf(twice.range?.[0] ?? 0)}: ${String(twice.value)} is given twice.`);
    },
    Alias: (_key, { range }) => {
      throw new UsageError(
        `${placeOf(range?.[0] ?? 0)}: put a text that starts with * in quotes; there are no aliases here.`,
      );
    },
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
    return [placeOf(found?.range?.[0] ?? 0), ...(path.length === 0 ? [] : [path.join('/')])].join(': ');
  };
  return { data: document.toJS() as unknown, at };
}
