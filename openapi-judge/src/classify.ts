import { stableJson } from '../../common/json.ts';
import { diffAnnotations, readTheSame } from './annotations-diff.ts';
import { change, judgementOf, mergeChanges, type Change, type Judgement } from './change.ts';
import type { Description } from './documents/description.ts';
import { isKnownDialect } from './schemas/keywords.ts';
import { sameJson } from './unchanged.ts';
import { areOperationsUnchanged, diffOperations } from './operations/operations-diff.ts';

/** Schemas in another dialect mean something else, which is not computed. */
function diffDialect(base: Description, head: Description): Change[] {
  const [before, after] = [base, head].map(({ root }) => root.jsonSchemaDialect);
  if (before === after || (isKnownDialect(before) && isKnownDialect(after))) return [];
  const at = { pointer: '/jsonSchemaDialect', document: after === undefined ? 'base' : 'head' } as const;
  const message = `the dialect of every schema changes from ${stableJson(before)} to ${stableJson(after)}`;
  return [change('schema-not-comparable', at, message)];
}

/** What extensions (`x-…`) of one's own mean: rules beside those of OpenAPI. */
export interface Extensions {
  /** The keywords that `compare` compares; every other extension is only said to change. */
  readonly keywords: ReadonlySet<string>;
  readonly compare: (base: Description, head: Description) => readonly Change[];
}

const NO_EXTENSIONS: Extensions = { keywords: new Set(), compare: () => [] };

/** The changes between two documents. Pure. */
export function ownChanges(base: Description, head: Description, extensions = NO_EXTENSIONS): Change[] {
  if (sameJson(base.root, head.root)) return [];
  const found = mergeChanges([
    ...diffDialect(base, head),
    ...diffOperations(base, head),
    ...extensions.compare(base, head),
    ...diffAnnotations(base, head, extensions.keywords),
  ]);
  if (found.length > 0 || readTheSame(base, head)) return found;
  const message = areOperationsUnchanged(base, head)
    ? 'nothing that an operation uses changes'
    : 'the document is written differently and means the same';
  return [change('rewritten', { pointer: '', document: 'head' }, message)];
}

/** Judges a change between two OpenAPI documents: whom it breaks, and which version bump it requires. Pure. */
export function judge(base: Description, head: Description, extensions = NO_EXTENSIONS): Judgement {
  return judgementOf(ownChanges(base, head, extensions));
}

/** The same for those who await it. */
export function classify(
  base: Description,
  head: Description,
  { extensions = NO_EXTENSIONS }: { readonly extensions?: Extensions } = {},
): Promise<Judgement> {
  return Promise.resolve(judge(base, head, extensions));
}
