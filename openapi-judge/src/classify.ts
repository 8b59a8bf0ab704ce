import { diffAnnotations, readTheSame } from './annotations-diff.ts';
import { canonical } from './documents/canonical.ts';
import {
  BREAKS_CLIENTS,
  BREAKS_IMPLEMENTERS,
  breaksNobody,
  change,
  COMPATIBLE,
  judgementOf,
  mergeChanges,
} from './change.ts';
import type { Change, Effect, Judgement, Place } from './change.ts';
import type { Description } from './documents/description.ts';
import { isKnownDialect } from './schemas/keywords.ts';
import { below, stableJson } from '../../common/json.ts';
import { sameJson } from './unchanged.ts';
import { areOperationsUnchanged, diffOperations } from './operations/operations-diff.ts';
import type { redoclyBothWays, RedoclyReport } from './redocly.ts';

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

/** The changes that our own rules find, without `redocly diff`. Pure. */
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

/**
 * Redocly's rules for what our own rules decide: it compares keyword by keyword and name by name, while ours compare sets of values and
 * what goes over the wire. These are all rules of the installed version; a rule of a later version counts as reported.
 */
const DECIDED = new Set([
  ...['enum-values-added', 'enum-values-removed', 'property-removed', 'required-properties-added'],
  ...['required-properties-removed', 'schema-combinator-changed', 'schema-constraint-changed', 'schema-type-changed'],
  ...['operation-id-changed', 'operation-removed', 'path-removed', 'parameter-removed', 'parameter-became-required'],
  ...['parameter-serialization-changed', 'media-type-removed', 'request-body-removed', 'request-body-became-required'],
  ...['response-removed', 'response-header-removed', 'security-requirement-changed', 'security-scheme-changed'],
  ...['server-removed'],
]);

/** The operation, or the other part of the document, that a pointer leads into. */
function partOf(pointer: string): string {
  return pointer.split('/').slice(0, 4).join('/');
}

/** The parts of the document that a change shows in. */
function partsOf(each: Change): readonly string[] {
  const operations = (each.operations ?? []).map((name) => {
    const [method = '', ...path] = name.split(' ');
    return below('/paths', path.join(' '), method.toLowerCase());
  });
  return [partOf(each.pointer), ...operations];
}

/** What `redocly diff` calls breaking where our own rules found nothing: a person has to see that the two differ. */
function differing(rule: string, where: Place, message: string): Change {
  const text = `\`redocly diff\` calls this breaking, while what goes over the wire is the same: ${message}`;
  return { ...change(`redocly-${rule}`, where, text, COMPATIBLE), bump: 'patch', review: true };
}

/**
 * Adds what `redocly diff` reports: as further evidence where our own rules found it too; where they found nothing, as a note if they
 * decide the matter, and as a change of its own if they do not.
 */
function withRedocly(own: readonly Change[], reported: RedoclyReport): Change[] {
  const reportedBy = new Map<Change, Set<string>>();
  const alone: Change[] = [];
  const take = (side: keyof RedoclyReport, document: Place['document'], effect: Effect): void => {
    for (const { rule, pointer, message } of reported[side]) {
      const part = partOf(pointer);
      const near = own.filter(
        (each) =>
          each[side] === 'breaking' &&
          partsOf(each).some((own) => own.startsWith(part) || part.startsWith(own === '' ? '/' : own)),
      );
      for (const each of near) reportedBy.set(each, new Set([...(reportedBy.get(each) ?? []), rule]));
      const where = { pointer, document };
      if (!DECIDED.has(rule)) alone.push(change(`redocly-${rule}`, where, message, effect));
      else if (near.length === 0) alone.push(differing(rule, where, message));
    }
  };
  take('clients', 'head', BREAKS_CLIENTS);
  take('implementers', 'base', BREAKS_IMPLEMENTERS);
  return mergeChanges([
    ...own.map((each) => {
      const rules = reportedBy.get(each);
      return breaksNobody(each) ? each : { ...each, redocly: [...(rules ?? [])].sort() };
    }),
    ...alone,
  ]);
}

/**
 * Judges a change between two OpenAPI documents: whom it breaks, and which version bump it requires.
 *
 * @param ask runs `redocly diff` in both directions, for a second opinion; left out, only our own rules judge
 * @throws UsageError if `redocly diff` gives no report
 */
export async function classify(
  base: Description,
  head: Description,
  { ask, extensions }: { readonly ask?: typeof redoclyBothWays | undefined; readonly extensions?: Extensions } = {},
): Promise<Judgement> {
  const own = ownChanges(base, head, extensions);
  if (ask === undefined) return judgementOf(own);
  const [before, after] = [canonical(base.root), canonical(head.root)];
  if (stableJson(before) === stableJson(after)) return judgementOf(own);
  return judgementOf(withRedocly(own, await ask(before, after)));
}
