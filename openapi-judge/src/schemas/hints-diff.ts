/** Compares what says nothing of which values are valid: defaults, open lists, discriminators and XML. */
import { arrayOf, member, objectOf, stableJson } from '../../../common/json.ts';
import { BREAKS_CLIENTS, COMPATIBLE, effectOn } from '../change.ts';
import type { Located } from '../documents/description.ts';
import { compareDiscriminators } from './discriminator-diff.ts';
import { BOTH_WAYS, difference, isText, listOf, STILL } from './difference.ts';
import type { Comparison, SchemaDifference, SchemaPair } from './difference.ts';
import { partsOf } from './made-of.ts';

/** What schemas say by a keyword. */
function keyword(parts: readonly Located[], name: string): unknown {
  return parts.map(({ value }) => member(value, name)).find((value) => value !== undefined);
}

/** Compares open lists, and how a value is read and written. */
export function compareHints(pair: SchemaPair, context: Comparison): readonly SchemaDifference[] {
  const found = [...compareExtensible(pair, context), ...compareDiscriminators(pair, context)];
  return context.medium === 'xml' ? [...found, ...compareXml(pair, context)] : found;
}

/** What is said of two defaults, if they differ; undefined stands for none. */
export function defaultFact(before: unknown, after: unknown) {
  const [was, is] = [stableJson(before), stableJson(after)];
  if (was === is) return undefined;
  if (before === undefined) return { rule: 'default-added', fact: `${is} is the default now` } as const;
  if (after === undefined) return { rule: 'default-removed', fact: `the default ${was} is gone` } as const;
  return { rule: 'default-changed', fact: `the default changes from ${was} to ${is}` } as const;
}

/** Compares the defaults of a value. */
export function compareDefaults({ base, head, at }: SchemaPair, { medium }: Comparison): readonly SchemaDifference[] {
  const [before, after] = [base, head].map((each) => {
    // A default of null is what a server does without any.
    const value = keyword(partsOf(each), 'default') ?? undefined;
    const scalar = typeof value === 'number' || typeof value === 'boolean';
    return isText(medium) && scalar ? String(value) : value;
  });
  const found = defaultFact(before, after);
  return found === undefined ? [] : [difference(found.rule, at, found.fact, { moves: STILL })];
}

/** Compares the values of an open list (`x-extensible-enum`): more may come at any time, but those that clients send have to stay. */
function compareExtensible({ base, head, at }: SchemaPair, { sender }: Comparison): readonly SchemaDifference[] {
  const [before = [], after = []] = [base, head].map((each) =>
    arrayOf(keyword(partsOf(each), 'x-extensible-enum')).map(stableJson),
  );
  if (before.length === 0 || after.length === 0) return [];
  const gone = before.filter((value) => !after.includes(value));
  const come = after.filter((value) => !before.includes(value));
  const also = sender === 'client' ? BREAKS_CLIENTS : COMPATIBLE;
  const lost = { moves: STILL, also };
  return [
    gone.length > 0 && difference('extensible-values-removed', at, `${listOf(gone)} is gone from an open list`, lost),
    come.length > 0 && difference('extensible-values-added', at, `${listOf(come)} is new in an open list`),
  ].filter((each) => each !== false);
}

/** Compares what `xml` says, as it stands but for its extensions. */
function compareXml({ base, head, at }: SchemaPair, { sender }: Comparison): readonly SchemaDifference[] {
  const [before = '', after = ''] = [base, head].map((each) => {
    const said = Object.entries(objectOf(keyword(partsOf(each), 'xml')));
    return stableJson(Object.fromEntries(said.filter(([key]) => !key.startsWith('x-'))));
  });
  if (before === after) return [];
  const fact = `the XML form changes from ${before} to ${after}`;
  return [difference('xml-changed', at, fact, { moves: STILL, also: effectOn(sender, BOTH_WAYS) })];
}
