/** Compares two documents, and judges what was found. */
import { diffAnnotations, readTheSame } from './annotations-diff.ts';
import { change, judgementOf, mergeChanges, type Change, type Judgement } from './change.ts';
import type { Description } from './documents/description.ts';
import { sameJson } from './unchanged.ts';
import { diffOperations } from './operations/operations-diff.ts';

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
    ...diffOperations(base, head),
    ...extensions.compare(base, head),
    ...diffAnnotations(base, head, extensions.keywords),
  ]);
  if (found.length > 0 || readTheSame(base, head)) return found;
  const message = 'the document is written differently, and nothing that an operation uses changes';
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
