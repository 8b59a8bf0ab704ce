import { change, COMPATIBLE, type Bump, type Change } from './change.ts';
import type { Rule } from './rules.ts';
import type { Description } from './description.ts';
import { DATA, MAPS } from '../../common/openapi.ts';
import { below, isRecord, member, stableJson, textOf, without } from '../../common/json.ts';

/** Keywords under which a person reads something; a change of them is a patch. */
const PROSE = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'externalDocs', '$comment', 'contact', 'license'],
  ...['termsOfService', 'tags', 'x-logo', 'x-codeSamples', 'x-code-samples', 'x-tagGroups', 'x-displayName'],
]);

/** Keywords that concern tools or people and break nobody on the wire, with the names of their rules. */
const NOTICES: ReadonlyMap<string, Rule> = new Map([
  ['deprecated', 'deprecated-changed'],
  ['operationId', 'operation-id-changed'],
]);

/** Extensions that are compared by their meaning, elsewhere. */
const JUDGED_ELSEWHERE = new Set(['x-requirements', 'x-open-points', 'x-error-name', 'x-sample-type']);

/** Keywords whose values are data, or are compared by their meaning, elsewhere. */
const VALUES = new Set(['default', 'enum', 'const', 'required', 'type', 'security', 'scopes', 'mapping', 'version']);

/** Arrays in which order says nothing. */
const SETS = new Set(['required', 'enum', 'type', 'tags', 'parameters', 'security']);

interface Walk {
  readonly changes: Change[];
  readonly side: 'base' | 'head';
}

/** Compares what people and tools read in two documents, beside what goes over the wire. */
export function diffAnnotations(base: Description, head: Description): Change[] {
  const walk: Walk = { changes: [], side: 'head' };
  compareObjects(base.root, head.root, '', false, walk);
  return walk.changes;
}

function note(walk: Walk, rule: Rule, pointer: string, message: string, bump: Bump): void {
  walk.changes.push(change(rule, { pointer, document: walk.side }, COMPATIBLE, message, bump));
}

/**
 * Walks over two objects at one place.
 *
 * @param names whether the keys are names that the author chose, as in `properties`
 */
function compareObjects(base: unknown, head: unknown, pointer: string, names: boolean, walk: Walk): void {
  if (Array.isArray(base) && Array.isArray(head)) {
    compareArrays(base, head, pointer, walk);
    return;
  }
  if (!isRecord(base) || !isRecord(head)) return;
  for (const key of new Set([...Object.keys(base), ...Object.keys(head)])) {
    const [before, after] = [member(base, key), member(head, key)];
    const at = below(pointer, key);
    const here: Walk = after === undefined ? { ...walk, side: 'base' } : walk;
    if (names) {
      if (before !== undefined && after !== undefined) compareObjects(before, after, at, key === 'callbacks', walk);
      continue;
    }
    if (JUDGED_ELSEWHERE.has(key)) continue;
    const notice = NOTICES.get(key);
    const differ = comparable(key, before) !== comparable(key, after);
    if (PROSE.has(key)) {
      if (differ) note(here, 'wording', at, `\`${key}\` changes`, 'patch');
    } else if (notice !== undefined) {
      const [was, now] = [before, after].map((value) => (value === undefined ? 'nothing' : stableJson(value)));
      const message = `\`${key}\` changes from ${was ?? ''} to ${now ?? ''}`;
      if (differ && !(isFalse(before) && isFalse(after))) note(here, notice, at, message, 'minor');
    } else if (key.startsWith('x-')) {
      if (differ) note(here, 'extension-changed', at, `the extension \`${key}\` changes`, 'minor');
    } else if (!VALUES.has(key)) {
      compareObjects(before, after, at, MAPS.has(key), walk);
    }
  }
}

function isFalse(value: unknown): boolean {
  return value === undefined || value === false;
}

function comparable(key: string, value: unknown): string {
  return SETS.has(key) ? stableJson(asSet(value)) : stableJson(value);
}

function asSet(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value.map(stableJson))].sort() : value;
}

function compareArrays(base: readonly unknown[], head: readonly unknown[], pointer: string, walk: Walk): void {
  const key = (each: unknown, index: number): string => {
    const name = textOf(member(each, 'name')) ?? textOf(member(each, '$ref')) ?? textOf(member(each, 'url'));
    return name === undefined ? String(index) : `${textOf(member(each, 'in')) ?? ''} ${name}`;
  };
  // Items of the same name are told apart by their order.
  const keyed = (list: readonly unknown[]): [string, unknown][] => {
    const times = new Map<string, number>();
    return list.map((each, index) => {
      const name = key(each, index);
      times.set(name, (times.get(name) ?? 0) + 1);
      return [`${times.get(name) ?? 0} ${name}`, each];
    });
  };
  const before = new Map(keyed(base));
  for (const [index, [name, each]] of keyed(head).entries())
    compareObjects(before.get(name), each, below(pointer, index), false, walk);
}

/** Whether two documents read the same but for the order of keys and of lists in which order says nothing. */
export function readTheSame(base: Description, head: Description): boolean {
  return stableJson(plain(base.root, true)) === stableJson(plain(head.root, true));
}

function plain(value: unknown, top = false, key = '', names = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => plain(each));
    return SETS.has(key) ? asSet(items) : items;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (!names && DATA.has(name) && !SETS.has(name)) return [name, each];
      if (top && name === 'info' && isRecord(each)) return [name, plain(without(each, 'version'))];
      return [name, plain(each, false, name, !names && MAPS.has(name))];
    }),
  );
}
