import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type Plugin, rolldown } from 'rolldown';
import { isRecord } from '../../common/json.ts';

/** One change of the sources, switched on at run time. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** The kind of change, as Stryker names it. */
  readonly kind: string;
  /** What is replaced, and by what, on one line each. */
  readonly from: string;
  readonly to: string;
  /** Where it starts and ends in the file, in characters, and what is there with it. */
  readonly range: readonly [start: number, end: number];
  readonly replacement: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Bundled anew, since they know the model; everything else is shared with this process. */
const BUNDLED = /^(?:conformance\/(?:model|operations|checks|traffic|result|run)|proof\/mutants)\//;

/** What it logs is for Stryker; whatever it asks of the logger is answered with no. */
const logger = new Proxy({}, { get: () => () => false });

/** What of a syntax tree is looked at. */
interface Node {
  readonly node: unknown;
  readonly parent: { readonly type: string; readonly operator?: string; readonly right?: unknown } | null;
  readonly container: unknown;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text or a number as it is, or an array or object of nothing. */
const isPlain = (node: unknown): boolean =>
  isRecord(node) &&
  (/^(String|Numeric)Literal$/.test(String(node.type)) ||
    [node.elements, node.properties].some((each) => Array.isArray(each) && each.length === 0));

const isNamed = (property: unknown, names: readonly string[]): boolean =>
  isRecord(property) && isRecord(property.key) && names.includes(String(property.key.name));

/** What no server can need, and nobody can take away. */
const ignorers = [
  {
    shouldIgnore: ({ node, parent, container }: Node): string | undefined => {
      // eslint allows `?.`, `??` and defaults only where the types ask for them.
      const isDefault =
        (parent?.type === 'LogicalExpression' && parent.operator === '??') || parent?.type === 'AssignmentPattern';
      if (isDefault && parent.right === node && isPlain(node)) return 'a value for what the types allow to be missing';
      const isRule = Array.isArray(container) && container.some((each) => isNamed(each, ['why']));
      return isRule && isNamed(node, ['id', 'why'])
        ? 'what a rule is called, and why it holds, is for readers'
        : undefined;
    },
  },
];

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Mutants, and what gives a bundler the sources that have them. */
export interface Instrumented {
  readonly mutants: readonly Mutant[];
  readonly plugin: Plugin;
}

/**
 * Puts mutants into sources.
 *
 * @param files paths in the repository
 */
export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const mutants: Mutant[] = [];
  const codes = new Map<string, string>();
  const instrumenter = new Instrumenter(logger as never);
  const options = { plugins: null, excludedMutations: ['OptionalChaining'], ignorers, noHeader: true };
  for (const file of files) {
    const content = readFileSync(`${ROOT}${file}`, 'utf8');
    const made = await instrumenter.instrument([{ name: file, content, mutate: true }], options);
    const lines = content.split('\n');
    const offset = ({ line, column }: Position): number =>
      lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, column);
    const numbers = new Map<string, number>();
    for (const { id: own, location, replacement, mutatorName } of made.mutants.filter(({ status }) => !status)) {
      const range = [offset(location.start), offset(location.end)] as const;
      const [from, to] = [content.slice(...range), replacement].map(onOneLine) as [string, string];
      numbers.set(own, mutants.length);
      const place = { id: mutants.length, file, line: location.start.line + 1, range };
      mutants.push({ ...place, kind: mutatorName, from, to, replacement });
    }
    const code = (made.files[0]?.content ?? '')
      .replaceAll('rememberingEach(', 'mutants.rememberingEach(')
      .replaceAll(
        /stryMutAct_9fa48\("(\d+)"\)/g,
        (_all, id: string) => `(mutants.active === ${numbers.get(id) ?? ''} && mutants.reached())`,
      )
      .replaceAll(/stryCov_9fa48\(([^)]*)\)/g, (_all, ids: string) => {
        const own = ids.replaceAll(/"(\d+)"/g, (_text, id: string) => String(numbers.get(id)));
        return `mutants.step([${own}])`;
      });
    codes.set(`${ROOT}${file}`, code);
  }
  const load = (id: string) => {
    const code = codes.get(id);
    return code === undefined ? null : { code, moduleType: 'ts' as const };
  };
  return { mutants, plugin: { name: 'mutants', load } };
}

/** Bundles what judges recordings, from sources with mutants. */
export async function bundle(file: string, { plugin }: Instrumented): Promise<void> {
  const built = await rolldown({
    input: fileURLToPath(new URL('judge.ts', import.meta.url)),
    platform: 'node',
    makeAbsoluteExternalsRelative: false,
    checks: { pluginTimings: false },
    external: (id, importer, isResolved) => isResolved && !BUNDLED.test(relative(ROOT, id)),
    plugins: [plugin],
  });
  await built.write({ file, format: 'esm', codeSplitting: false, banner: 'const { mutants } = globalThis;' });
  await built.close();
}
