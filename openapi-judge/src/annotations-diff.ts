/** Compares what people and tools read in two documents, beside what goes over the wire. */
import { MAPS } from '../../common/openapi.ts';
import { below, isRecord, member, stableJson, textOf, without } from '../../common/json.ts';
import { change, type Change } from './change.ts';
import type { Description } from './documents/description.ts';
import { areSame, sameJson } from './unchanged.ts';
import { FILES } from './documents/references.ts';
import { inAnyOrder, inSomeOrder, SETS } from './schemas/keywords.ts';

/** Keywords under which a person reads something; a change of them is a patch. */
const PROSE = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'externalDocs', '$comment', 'contact', 'license'],
  ...[
    '$schema',
    'jsonSchemaDialect',
    'termsOfService',
    'tags',
    'x-logo',
    'x-codeSamples',
    'x-code-samples',
    'x-tagGroups',
    'x-displayName',
  ],
]);

/** Keywords that concern tools or people and break nobody on the wire, with the names of their rules. */
const NOTICES = new Map<string, 'deprecated-changed' | 'operation-id-changed'>([
  ['deprecated', 'deprecated-changed'],
  ['operationId', 'operation-id-changed'],
]);

/** Keywords whose values are data, or are compared by their meaning, elsewhere. */
const VALUES = new Set(['default', 'enum', 'const', 'required', 'type', 'security', 'scopes', 'mapping', 'version']);

/**
 * Compares what people and tools read in two documents, beside what goes over the wire.
 *
 * @param elsewhere keywords that are compared by their meaning, elsewhere
 */
export function diffAnnotations(base: Description, head: Description, elsewhere: ReadonlySet<string>): Change[] {
  return compareObjects(base.root, head.root, '', { names: false, elsewhere });
}

interface Walk {
  /** Whether the keys are names that the author chose, as in `properties`. */
  readonly names: boolean;
  readonly elsewhere: ReadonlySet<string>;
}

/** Walks over two objects at one place. */
function compareObjects(base: unknown, head: unknown, pointer: string, walk: Walk): Change[] {
  if (areSame(base, head)) return [];
  if (Array.isArray(base) && Array.isArray(head)) return compareArrays(base, head, pointer, walk);
  if (!isRecord(base) || !isRecord(head)) return [];
  return [...new Set([...Object.keys(base), ...Object.keys(head)])].flatMap((key) => {
    const [before, after] = [member(base, key), member(head, key)];
    const at = below(pointer, key);
    if (walk.names) return compareObjects(before, after, at, { ...walk, names: key === 'callbacks' });
    if (walk.elsewhere.has(key) || key === FILES || key === 'x-extensible-enum') return [];
    if (isRead(key)) return compareRead(key, before, after, at);
    return VALUES.has(key) ? [] : compareObjects(before, after, at, { ...walk, names: MAPS.has(key) });
  });
}

/** Whether people or tools read the value of a keyword, and nothing on the wire depends on it. */
function isRead(key: string): boolean {
  return PROSE.has(key) || NOTICES.has(key) || key.startsWith('x-');
}

function compareRead(key: string, before: unknown, after: unknown, pointer: string): Change[] {
  if (areSame(before, after)) return [];
  if (SETS.has(key) && areSame(inSomeOrder(key, before), inSomeOrder(key, after))) return [];
  const [was = '', is = ''] = [before, after].map((value) => (value === undefined ? 'nothing' : stableJson(value)));
  const said = (name: string): string => `${name} changes from ${was} to ${is}`;
  const place = { pointer, document: after === undefined ? 'base' : 'head' } as const;
  if (PROSE.has(key)) return [change('wording', place, `\`${key}\` changes`)];
  const notice = NOTICES.get(key);
  if (notice === undefined) return [change('extension-changed', place, said(`the extension \`${key}\``))];
  return isFalse(before) && isFalse(after) ? [] : [change(notice, place, said(`\`${key}\``))];
}

function isFalse(value: unknown): boolean {
  return value === undefined || value === false;
}

function compareArrays(base: readonly unknown[], head: readonly unknown[], pointer: string, walk: Walk): Change[] {
  const key = (each: unknown, index: number): string => {
    const name = textOf(member(each, 'name')) ?? textOf(member(each, '$ref')) ?? textOf(member(each, 'url'));
    return name === undefined ? String(index) : `${textOf(member(each, 'in')) ?? ''} ${name}`;
  };
  const before = new Map(base.map((each, index) => [key(each, index), each]));
  return head.flatMap((each, index) =>
    compareObjects(before.get(key(each, index)), each, below(pointer, index), { ...walk, names: false }),
  );
}

/** Whether two documents read the same but for the order of keys and of lists in which order says nothing, and for the version. */
export function readTheSame(base: Description, head: Description): boolean {
  const [before, after] = [base, head].map(({ root }) => {
    return inAnyOrder(isRecord(root.info) ? { ...root, info: without(root.info, 'version') } : root);
  });
  return sameJson(before, after);
}
